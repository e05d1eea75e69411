package command

import (
	"io"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/input"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect"
	"mmsim/reports/outcome"
	"mmsim/reports/records"
)

// newGateTopic returns the topic "mmsim help gate".
func newGateTopic() *cobra.Command {
	return &cobra.Command{Use: "gate", Short: "The format of gate files: limits for \"mmsim check\"", Long: gate.Help}
}

// newMetricsTopic returns the topic "mmsim help metrics". helpMetrics writes its help.
func newMetricsTopic() *cobra.Command {
	return &cobra.Command{Use: "metrics", Short: "The metrics of summary.json; to list only some, add a PATTERN such as 'by_*.rtt*'"}
}

// helpMetrics lists the metrics that match one of the patterns, or all metrics without patterns.
func helpMetrics(w io.Writer, patterns []string) error {
	n, err := outcome.WriteHelp(w, patterns...)
	if err == nil && n == 0 {
		hint := input.DidYouMean(patterns[0], outcome.Names(outcome.Metrics()))
		if hint == "" {
			hint = ", expected a key of summary.json or a pattern such as 'by_*.rtt*'"
		}
		return input.Badf("unknown metric %q%s", patterns[0], hint)
	}
	return err
}

// newCaseTopic returns the topic "mmsim help case".
func newCaseTopic() *cobra.Command {
	return &cobra.Command{Use: "case", Short: "The format of case files: unit tests of a ruleset", Long: casefile.Help}
}

// newConfigTopic returns the topic "mmsim help config".
func newConfigTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "The format and keys of a configuration; to list only some keys, add a KEY or SECTION",
		Long:  config.Help(),
	}
}

// helpSettings lists the settings that match one of the patterns.
func helpSettings(w io.Writer, patterns []string) error {
	text := config.HelpOf(patterns...)
	if text == "" {
		hint := input.DidYouMean(patterns[0], append(config.Sections(), config.Keys()...))
		if hint == "" {
			hint = `; "mmsim help config" lists the keys`
		}
		return input.Badf("unknown key %q%s", patterns[0], hint)
	}
	_, err := io.WriteString(w, text)
	return err
}

// newReadingTopics returns a topic for each vendor with a list of readings, such as "mmsim help
// playfab".
func newReadingTopics() (topics []*cobra.Command) {
	for _, d := range dialect.All() {
		if d.Readings != "" {
			topics = append(topics, &cobra.Command{Use: d.Name, Short: "How mmsim reads this vendor's documentation where it is silent or contradicts itself", Long: d.Readings})
		}
	}
	return topics
}

// newRecordsTopic returns the topic "mmsim help records".
func newRecordsTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "records",
		Short: "The columns of records.csv.gz, which \"mmsim run --records csv\" writes",
		Long:  records.Help(),
	}
}
