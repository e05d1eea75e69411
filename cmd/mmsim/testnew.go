package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets/providers"
	"mmsim/matcher"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/external/exchange"
)

// newCaseCommand holds the flags of "mmsim test new".
type newCaseCommand struct {
	*terminal.Streams
	rules cli.RuleFlags
	out   string
}

func newNewCaseCommand(s *terminal.Streams) *cobra.Command {
	n := &newCaseCommand{Streams: s}
	c := &cobra.Command{
		Use:   "new [flags] RULES",
		Short: "Write a case file to start from",
		Long: `Write a case file for a vendor's ruleset. Its tickets have the attributes that the rules read, with
values of the right type, and RTTs if the rules read them. The case names the file of the ruleset, so
that it tests the ruleset as it is at the time of the test.

The case expects that its tickets make a match, or, if the rules place players on servers, that the
player joins one of two servers. If the rules need special values for that, the case does not pass
yet, and new says so: change the values until the case shows what the rules should do.

RULES is the file of the ruleset; FILE#NAME selects one of several rulesets in a file. new never
overwrites a file. To test a folder with the name new, write "mmsim test ./new".`,
		Example: `  mmsim test new queue.json
  mmsim test new --out cases/ranked.json queues.json#Ranked`,
		Args: cli.ExactArgs("RULES"),
		RunE: func(_ *cobra.Command, args []string) error { return n.write(args[0]) },
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&n.out, "out", "", "file to write (default: NAME-case.json in the working directory, for rules in NAME.json)")
	cli.Must(c.MarkFlagFilename("out", "json"))
	n.rules.Add(c)
	cli.Placeholders(c.Flags(), map[string]string{"out": "FILE"})
	cli.Grouped(c.Flags(), cli.GroupOutput, "out")
	return c
}

// write writes a case for the rules.
func (n *newCaseCommand) write(rules string) error {
	options, err := n.rules.Options()
	if err != nil {
		return err
	}
	file, part := input.SplitPart(rules)
	set, err := (&config.Queue{Rules: file, RulesPart: part, Follow: config.Follows[0]}).ReadRuleset(options)
	if err != nil {
		return input.Bad(err)
	}
	out := n.out
	if out == "" {
		out = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) + "-case.json"
		if part != "" {
			out = strings.ReplaceAll(part, "/", "_") + "-case.json"
		}
	}
	name, err := nameFrom(out, file, part)
	if err != nil {
		return input.Bad(err)
	}
	text, isMet, err := startingCase(out, name, set, options)
	if err != nil {
		return err
	}
	if err := createNew(out, text); err != nil {
		return input.Bad(err)
	}
	if !isMet {
		fmt.Fprintf(n.Err, "warning: %s: does not pass yet: change the attributes of its tickets; \"mmsim match --explain %s\" says what keeps them apart\n",
			terminal.ErrorText(errors.New(out)), out)
	}
	return terminal.PrintTo(n.Out, "%s\n", out)
}

// nameFrom returns the name of a file of rules, as a case in the file out names it.
func nameFrom(out, rules, part string) ([]byte, error) {
	absolute, err := filepath.Abs(rules)
	if err != nil {
		return nil, err
	}
	return []byte(strconv.Quote(input.JoinPart(input.Relative(filepath.Dir(out), absolute), part))), nil
}

// createNew writes a file that must not exist.
func createNew(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s: exists, expected the name of a new file (--out)", name)
	case err != nil:
		return input.Error(name, err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return input.Error(name, errors.Join(err, os.Remove(name)))
	}
	return nil
}

// startingCase returns the text of a case for the file out whose tickets make a match. isMet is
// false if no attempt made one; the text is then that of the first attempt.
func startingCase(out string, name []byte, set *config.Ruleset, options vendor.Options) (text []byte, isMet bool, err error) {
	var first []byte
	for _, d := range drafts(set.Rules, set.Dialect) {
		d.Name, d.Dialect, d.Rules = strings.TrimSuffix(filepath.Base(out), ".json"), set.Dialect, name
		var b bytes.Buffer
		if err := d.Write(&b); err != nil {
			return nil, false, input.Badf("%s: %w", out, err)
		}
		c, err := cli.ParseCase(out, b.Bytes())
		if err != nil {
			return nil, false, fmt.Errorf("the written case cannot be read: %w", err)
		}
		_, outcome, refused := runCase(c, options, func(*casefile.Case, *casefile.Rules) error { return nil })
		if c.Compare(outcome, refused) == nil {
			return b.Bytes(), true, nil
		}
		if first == nil {
			first = b.Bytes()
		}
	}
	return first, false, nil
}

// drafts returns the attempts at a case, the most desirable first.
func drafts(rules *vendor.Rules, dialect string) []*casefile.Draft {
	if rules.Placement != nil {
		return []*casefile.Draft{
			serverDraft(rules, "near", "The player joins the server that is near and whose players are alike. Change values to see which signal decides."),
			serverDraft(rules, "far", "The player joins the server whose player is different, although it is far away. Change values to see which signal decides."),
		}
	}
	var list []*casefile.Draft
	match := exchange.MatchOf(rules.Queue.Rules)
	for _, players := range playerCounts(match.Min, match.Max) {
		for _, text := range textsOf(rules.Queue) {
			list = append(list, matchDraft(rules, dialect, players, text))
		}
	}
	return list
}

// attemptsMax limits the sizes of a match that are tried, and the texts of each size.
const attemptsMax = 8

// playerCounts lists the numbers of players to try: the smallest and the largest match first.
func playerCounts(least, most int) []int {
	least = max(least, 1)
	counts := []int{least}
	if most > least && most <= casefile.TicketsMax {
		counts = append(counts, most)
	}
	for n := least + 1; n < min(most, least+attemptsMax); n++ {
		counts = append(counts, n)
	}
	return counts
}

// A textOf gives the value of a text attribute to each player.
type textOf func(player int) string

// textsOf lists what text attributes may be: any text, or else the texts that the rules name, which
// players may need to share or to divide among themselves.
func textsOf(q *vendor.Queue) []textOf {
	all := []textOf{func(int) string { return "a" }}
	var named []string
	for i := range min(q.Schema.Texts(), attemptsMax) {
		if text := q.Schema.TextString(matcher.Text(i)); text != "" {
			named = append(named, text)
			all = append(all, func(int) string { return text })
		}
	}
	if len(named) > 1 {
		all = append(all, func(player int) string { return named[player%len(named)] })
	}
	return all
}

// matchDraft returns a case in which players who are alike make a match.
func matchDraft(rules *vendor.Rules, dialect string, players int, text textOf) *casefile.Draft {
	q := rules.Queue
	d := &casefile.Draft{
		Why:    "Players who are alike make a match. Change values to see which rule decides.",
		At:     10_000,
		Expect: casefile.Expectation{Unmatched: []string{}},
	}
	var ids []string
	for i := range players {
		id := strconv.Itoa(i + 1)
		player := casefile.DraftPlayer{ID: "p" + id, Attributes: map[string]any{}, Entity: map[string]any{}}
		ticket := casefile.DraftTicket{ID: "t" + id, Attributes: map[string]any{}}
		for _, a := range binding.Attributes(rules) {
			read := a.Read
			if a.Optional && !read.Joined {
				continue // few players have it
			}
			to := player.Attributes
			switch {
			case read.Ticket:
				to = ticket.Attributes
			case read.Kept:
				to = player.Entity
			}
			to[read.Names[0]] = exampleOf(read, q, text(i))
		}
		if q.ReadsLatencies || q.NeedsLatencies {
			player.Latencies = map[string]float64{regionOf(q.Schema, dialect): 30}
		}
		ticket.Players = []casefile.DraftPlayer{player}
		d.Tickets = append(d.Tickets, ticket)
		ids = append(ids, ticket.ID)
	}
	d.Expect.Matches = []casefile.ExpectedMatch{{Tickets: ids}}
	return d
}

// exampleOf returns a value of the type that a rule reads.
func exampleOf(read *matcher.Read, q *vendor.Queue, text string) any {
	switch read.Kind {
	case matcher.IsNumber:
		mean, _ := binding.ScaleOf(*read, q.Rules)
		return rounded(mean)
	case matcher.IsSet:
		items, _ := binding.ItemsOf(*read, q.Rules, q.Schema)
		return items
	}
	return text
}

// rounded rounds to four digits, because an example is only a start.
func rounded(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-3)
	return math.Round(x/unit) * unit
}

// regionOf returns a region for latencies: one that the rules name, or else one of the vendor's.
func regionOf(schema *matcher.Schema, dialect string) string {
	if schema != nil && schema.Regions() > 0 {
		return schema.RegionName(0)
	}
	host := map[string]string{"playfab": "playfab", "flexmatch": "gamelift"}[dialect]
	if host == "" {
		host = "aws"
	}
	return providers.Named(host).Regions[0].Name
}

// serverDraft returns a case in which a player joins one of two servers: the near one has two players
// with the same attributes and has run for longer, and the far one has a different player.
func serverDraft(rules *vendor.Rules, chosen, why string) *casefile.Draft {
	regions := providers.Named("aws").Regions
	near, far := regions[0].Name, regions[len(regions)-1].Name
	player := func(id string, other bool) casefile.DraftPlayer {
		p := casefile.DraftPlayer{ID: id, Attributes: map[string]any{}}
		for _, a := range binding.Attributes(rules) {
			if a.Optional {
				continue
			}
			p.Attributes[a.Name] = serverExample(&a, other)
		}
		return p
	}
	joiner := player("p1", false)
	joiner.Latencies = map[string]float64{near: 30, far: 200}
	server := func(id, region string, created casefile.Milliseconds, players ...casefile.DraftPlayer) casefile.DraftSession {
		return casefile.DraftSession{ID: id, CreatedAt: created, Region: region, Capacity: 8, Teams: []casefile.DraftTeam{{Players: players}}}
	}
	return &casefile.Draft{
		Why:     why,
		At:      10_000,
		Tickets: []casefile.DraftTicket{{ID: "t1", CreatedAt: 10_000, Players: []casefile.DraftPlayer{joiner}}},
		Sessions: []casefile.DraftSession{
			server("near", near, 0, player("p2", false), player("p3", false)), server("far", far, 5_000, player("p4", true)),
		},
		Expect: casefile.Expectation{Chosen: chosen},
	}
}

// serverExample returns a value that rules accept for a player, or the value of an other player.
func serverExample(a *binding.Attribute, other bool) any {
	number, texts := 20.0, [][2]string{{"a", "b"}, {"true", "false"}}
	if other {
		number = 60
	}
	if a.Kind == matcher.IsNumber {
		return number
	}
	text := texts[0]
	for _, pair := range texts {
		if _, err := a.Values.Text(pair[0]); err == nil {
			text = pair
			break
		}
	}
	one := text[0]
	if other {
		one = text[1]
	}
	if a.Kind == matcher.IsSet {
		return []string{one}
	}
	return one
}
