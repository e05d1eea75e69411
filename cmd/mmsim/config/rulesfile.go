package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/jsontree"
)

// MaxRulesBytes limits the size of a vendor's ruleset. The largest rulesets that vendors
// accept are far smaller, and each dialect checks its own limit.
const MaxRulesBytes = jsontree.BytesMax

// RulesLimit is MaxRulesBytes in the form that input.ReadFile takes.
var RulesLimit = input.Limit{Name: "MaxRulesBytes", Bytes: MaxRulesBytes, Expected: "a ruleset"}

// AllParts is the name that stands for all rulesets of a file: rules: queues.json#* makes a queue for
// each of them.
const AllParts = "*"

// severalError returns the error for a file with several rulesets, of which none is named. It shows
// the part of a configuration that makes a queue for each.
func severalError(file string, several *dialect.SeveralError) error {
	one := plainOrQuoted(input.JoinPart(file, several.Names[0]))
	return &jsontree.Error{
		Position: several.Position,
		Message:  fmt.Sprintf("the file has %d rulesets. To run one of them, write %s. To run all of them, add this to the configuration and fill in the share of each queue:", len(several.Names), one),
		Excerpt:  "\n" + queuesText(file, several.Names),
	}
}

// queuesText returns the setting queues as YAML, with equal shares.
func queuesText(file string, names []string) string {
	var text strings.Builder
	text.WriteString("queues:\n")
	share := math.Round(1e4/float64(len(names))) / 1e4
	for _, name := range names {
		fmt.Fprintf(&text, "  - {name: %s, share: %g, rules: %s}\n", plainOrQuoted(name), share, plainOrQuoted(input.JoinPart(file, name)))
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// plainOrQuoted returns a text as a YAML scalar.
func plainOrQuoted(text string) string {
	for i, c := range text {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 && c != '/' && c != '.' || !strings.ContainsRune("0123456789_-./#", c)) {
			return strconv.Quote(text)
		}
	}
	return text
}
