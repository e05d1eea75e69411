package gallery

import (
	"math"
	"strconv"

	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/datasets/atlas"
	"mmsim/matcher"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/external/exchange"
)

// Drafts returns attempts at a case to start from for a ruleset, the most desirable first. They are
// scenes whose tickets have the attributes that the rules read.
func Drafts(rules *vendor.CompiledRules, dialect string) []*casefile.Draft {
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
func matchDraft(rules *vendor.CompiledRules, dialect string, players int, text textOf) *casefile.Draft {
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
	return atlas.FindProvider(host).Regions[0].Name
}

// serverDraft returns a case in which a player joins one of two servers: the near one has two players
// with the same attributes and has run for longer, and the far one has a different player.
func serverDraft(rules *vendor.CompiledRules, chosen, why string) *casefile.Draft {
	regions := atlas.FindProvider("aws").Regions
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
