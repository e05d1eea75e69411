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

// newTopics returns the topics of "mmsim help": formats, metrics, and how mmsim reads the documentation of
// each vendor.
func newTopics() []*cobra.Command {
	metrics := &cobra.Command{Use: "metrics", Short: "The metrics of summary.json; add words such as wait, or a PATTERN such as 'by_*.rtt*'"}
	metrics.SetHelpFunc(func(c *cobra.Command, _ []string) { fmt.Fprint(c.OutOrStdout(), metricsHelp()) })
	topics := []*cobra.Command{
		{Use: "config", Short: "The format and keys of a configuration; to list only some keys, add a KEY, a SECTION or words", Long: config.Help()},
		{Use: "records", Short: "The columns of records.csv.gz, which \"mmsim run --records csv\" writes", Long: records.Help()},
		{Use: "case", Short: "The format of case files: unit tests of a ruleset", Long: casefile.Help},
		{Use: "gate", Short: "The format of gate files: limits for \"mmsim check\"", Long: gate.Help},
		metrics,
	}
	for _, d := range dialect.All() {
		if d.Readings != "" {
			topics = append(topics, &cobra.Command{Use: d.Name, Short: "How mmsim reads this vendor's documentation where it is silent or contradicts itself", Long: d.Readings})
		}
	}
	return topics
}

// A listing is a topic with entries, of which texts select some.
type listing struct {
	topic, noun string
	help        func(texts ...string) string // "" if the texts select no entry
	vocabulary  func() []string
}

// listings are the topics that texts search.
var listings = []listing{
	{"metrics", "metric", metricsHelp, func() (vocabulary []string) {
		for _, m := range outcome.Metrics() {
			vocabulary = append(vocabulary, words.Vocabulary(m.Name, m.Meaning)...)
		}
		return vocabulary
	}},
	{"config", "key", config.HelpOf, func() []string {
		vocabulary := append(config.Sections(), config.Keys()...)
		for _, s := range config.Settings(config.Default()) {
			vocabulary = append(vocabulary, words.Vocabulary(s.Path, s.Meaning)...)
		}
		return vocabulary
	}},
}

// metricsHelp lists the metrics that the texts select, or all metrics without texts.
func metricsHelp(texts ...string) string {
	var b strings.Builder
	if n, _ := words.WriteMetricsHelp(&b, texts...); n == 0 { // writing to memory does not fail
		return ""
	}
	return b.String()
}

// write lists the entries that the texts select. If there are none, the error names the first text that
// selects nothing even alone, with the word of the topic that is nearest.
func (l *listing) write(w io.Writer, texts []string) error {
	if text := l.help(texts...); text != "" {
		_, err := io.WriteString(w, text)
		return err
	}
	for _, text := range strings.Fields(strings.Join(texts, " ")) {
		if l.help(text) == "" {
			hint := input.DidYouMean(text, l.vocabulary())
			if hint == "" {
				hint = fmt.Sprintf("; \"mmsim help %s\" lists all", l.topic)
			}
			return input.Badf("no %s matches %q%s", l.noun, text, hint)
		}
	}
	return input.Badf("no %s matches all of %s, expected fewer words", l.noun, strings.Join(texts, " "))
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
	for _, l := range listings {
		if l.help(word) != "" {
			searches = append(searches, fmt.Sprintf("%q", "mmsim help "+l.topic+" "+word))
		}
	}
	if len(searches) == 0 {
		return terminal.Hinted(err, `run "mmsim help" for the commands and topics`)
	}
	return terminal.Hinted(err, "to search for it, run %s", input.Either(searches))
}
