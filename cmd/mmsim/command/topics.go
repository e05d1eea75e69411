package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect"
	"mmsim/reports/outcome"
	"mmsim/reports/records"
	"mmsim/reports/words"
)

// newGateTopic returns the topic "mmsim help gate".
func newGateTopic() *cobra.Command {
	return &cobra.Command{Use: "gate", Short: "The format of gate files: limits for \"mmsim check\"", Long: gate.Help}
}

// newMetricsTopic returns the topic "mmsim help metrics". helpMetrics writes its help.
func newMetricsTopic() *cobra.Command {
	c := &cobra.Command{Use: "metrics", Short: "The metrics of summary.json; add words such as wait, or a PATTERN such as 'by_*.rtt*'"}
	c.SetHelpFunc(func(c *cobra.Command, _ []string) { _ = helpMetrics(c.OutOrStdout(), nil) }) // as cobra does, ignore that the reader has gone
	return c
}

// helpMetrics lists the metrics that the texts select, or all metrics without texts.
func helpMetrics(w io.Writer, texts []string) error {
	n, err := words.WriteMetricsHelp(w, texts...)
	if err != nil || n > 0 {
		return err
	}
	var vocabulary []string
	for _, m := range outcome.Metrics() {
		vocabulary = append(vocabulary, words.Vocabulary(m.Name, m.Meaning)...)
	}
	return nothingMatches("metrics", "metric", texts, vocabulary, func(text string) bool {
		n, _ := words.WriteMetricsHelp(io.Discard, text)
		return n > 0
	})
}

// nothingMatches returns the error that no entry of a topic matches what a user looked for. It
// names the first text that matches nothing even alone, with the word of the topic that is nearest.
func nothingMatches(topic, noun string, texts, vocabulary []string, found func(text string) bool) error {
	for _, text := range strings.Fields(strings.Join(texts, " ")) {
		if !found(text) {
			hint := input.DidYouMean(text, vocabulary)
			if hint == "" {
				hint = fmt.Sprintf("; \"mmsim help %s\" lists all", topic)
			}
			return input.Badf("no %s matches %q%s", noun, text, hint)
		}
	}
	return input.Badf("no %s matches all of %s, expected fewer words", noun, strings.Join(texts, " "))
}

// newCaseTopic returns the topic "mmsim help case".
func newCaseTopic() *cobra.Command {
	return &cobra.Command{Use: "case", Short: "The format of case files: unit tests of a ruleset", Long: casefile.Help}
}

// newConfigTopic returns the topic "mmsim help config".
func newConfigTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "The format and keys of a configuration; to list only some keys, add a KEY, a SECTION or words",
		Long:  config.Help(),
	}
}

// helpSettings lists the settings that the texts select.
func helpSettings(w io.Writer, texts []string) error {
	if text := config.HelpOf(texts...); text != "" {
		_, err := io.WriteString(w, text)
		return err
	}
	vocabulary := append(config.Sections(), config.Keys()...)
	for _, s := range config.Settings(config.Default()) {
		vocabulary = append(vocabulary, words.Vocabulary(s.Path, s.Meaning)...)
	}
	return nothingMatches("config", "key", texts, vocabulary, func(text string) bool { return config.HelpOf(text) != "" })
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

// unknownTopic returns the error about a topic that "mmsim help" does not have. It suggests the
// nearest command or topic, and the lists in which a search for the word finds something.
func unknownTopic(root *cobra.Command, word string) error {
	var known []string
	for _, c := range root.Commands() {
		known = append(known, c.Name())
	}
	err := input.Badf("mmsim help: unknown command or topic %q%s", word, input.DidYouMean(word, known))
	var searches []string
	if n, _ := words.WriteMetricsHelp(io.Discard, word); n > 0 {
		searches = append(searches, fmt.Sprintf("%q", "mmsim help metrics "+word))
	}
	if config.HelpOf(word) != "" {
		searches = append(searches, fmt.Sprintf("%q", "mmsim help config "+word))
	}
	if len(searches) == 0 {
		return terminal.Hinted(err, `run "mmsim help" for the commands and topics`)
	}
	return terminal.Hinted(err, "to search for it, run %s", input.Either(searches))
}
