package accelpage_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/accelpage"
	"mmsim/matcher/engine/internal/store"
)

// These are the columns of the schema in a scene.
const (
	skill matcher.Column = iota
	level
	name
	blocked
	role
	maps
	columns
)

// scene is a small pool at time 60 s. Row i is the i-th ticket, counting from 0.
type scene struct {
	schema *matcher.Schema
	rules  *accelpage.Rules
	rows   *store.Rows
	search *accelpage.Search
}

// ticket describes a ticket of a scene. It is a solo if players is 0. All players of a party have
// the same skill.
type ticket struct {
	skill   float64
	level   float64
	named   string // id of the first player; the default is "p" and the ticket's row
	players int
	waitS   int64
	rttMS   []float64
	blocked []string
	roles   []string
	maps    []string
}

func newScene(set matcher.PivotRules, budget int, tickets ...ticket) *scene {
	s := &scene{schema: new(matcher.Schema)}
	for i := range columns {
		s.schema.Column(fmt.Sprint("column", i))
	}
	for _, region := range []string{"west", "east", "north"} {
		s.schema.Region(region)
	}
	set.Same, set.NewOnly = matcher.NoColumn, matcher.NoColumn
	set.People, set.Blocked, set.Region.OneWayAfterMS = name, blocked, max(set.Region.OneWayAfterMS, 1)
	s.rules = accelpage.Compile(&matcher.Ruleset{Pivot: &set}, s.schema)
	s.rows = store.New(s.rules.StageAt)
	s.rules.Attach(s.rows)
	for i, t := range tickets {
		values := make([]matcher.Value, columns)
		for column, texts := range map[matcher.Column][]string{blocked: t.blocked, role: t.roles, maps: t.maps} {
			if texts != nil {
				values[column] = matcher.SetValue(s.schema.Set(texts))
			}
		}
		var players []matcher.Player
		for member := range max(1, t.players) {
			p := matcher.Player{Values: make([]matcher.Value, columns), RTTMS: t.rttMS}
			p.Values[skill] = matcher.NumberValue(t.skill)
			p.Values[level] = matcher.NumberValue(t.level)
			p.Values[name] = matcher.TextValue(s.schema.Intern(cmp.Or(t.named, nameOf(i, member))))
			players = append(players, p)
		}
		s.load(store.Ticket, 60_000-1000*t.waitS, values, players, matcher.NoRegion)
	}
	s.rows.Advance(60_000)
	s.search = accelpage.NewSearch(s.rules, budget)
	return s
}

// nameOf returns the id of a player. In ticket 0, the ids are p0, p0b, p0c and p0d.
func nameOf(ticket, member int) string {
	return fmt.Sprint("p", ticket) + []string{"", "b", "c", "d"}[member]
}

func (s *scene) load(kind store.RowKind, createdMS int64, values []matcher.Value, players []matcher.Player, at matcher.Region) store.Row {
	row := s.rows.Add(kind, createdMS, matcher.Never, len(players))
	s.rules.Load(row, values, players, matcher.NoPlace, at)
	return row
}

// begin starts a search and offers every other ticket to the seed.
func (s *scene) begin(seed store.Row, region matcher.Region, room int) {
	s.search.NewSeed()
	s.search.Begin(seed, region, int32(room))
	var others []store.Row
	for row := range store.Row(s.rows.Len()) {
		if row != seed && s.rows.Kind[row] == store.Ticket {
			others = append(others, row)
		}
	}
	slices.SortStableFunc(others, func(a, b store.Row) int {
		return int(s.rules.Index.Key.Key(a) - s.rules.Index.Key.Key(b))
	})
	s.search.Offer(others, false)
}

// group lists the tickets of the group as "ticket:team", in the order in which they joined.
func (s *scene) group() (text string) {
	for i, m := range s.search.Members {
		if i > 0 {
			text += " "
		}
		text += fmt.Sprint(m.Row, ":", m.Team)
	}
	return text
}

// within returns a rule that allows a skill difference of 50. The limit rises to 100 after a wait
// of ten seconds.
func within() []matcher.PivotDistance {
	return []matcher.PivotDistance{{Name: "skill", Column: skill, Max: matcher.Steps[float64]{{Value: 50}, {AfterMS: 10_000, Value: 100}}}}
}

func anywhere() matcher.PivotRegion { return matcher.PivotRegion{Ignored: true, MaxMS: math.Inf(1)} }

func TestFill(t *testing.T) {
	teams := func(minTeams, maxTeams, least, most int) matcher.TeamSizes {
		return matcher.TeamSizes{MinTeams: minTeams, MaxTeams: maxTeams, MinPlayers: least, MaxPlayers: most}
	}
	noRepeat := []matcher.PivotOption{{Name: "role", Column: role, Kind: matcher.NoRepeat, Own: matcher.NoColumn}}
	shared := []matcher.PivotOption{{Name: "maps", Column: maps, Kind: matcher.SharedValue, Own: matcher.NoColumn}}
	same := []matcher.PivotOption{{Name: "maps", Column: maps, Kind: matcher.SameSet, Own: matcher.NoColumn}}
	solos := func(skills ...float64) (list []ticket) {
		for _, n := range skills {
			list = append(list, ticket{skill: n})
		}
		return list
	}
	sized := func(sizes ...int) (list []ticket) { // in order of increasing cost
		for i, n := range sizes {
			list = append(list, ticket{skill: float64(i), players: n})
		}
		return list
	}
	for _, c := range []struct {
		name     string
		sizes    matcher.TeamSizes
		options  []matcher.PivotOption
		blocking matcher.Blocking
		tickets  []ticket // starting with the seed
		want     string   // as returned by group, or "" if there is no match
	}{
		{"the nearest first, a team at a time", teams(2, 2, 2, 2), nil, 0, solos(100, 90, 130, 105, 200), "0:0 3:0 1:1 2:1"},
		{"equally near: by age", teams(1, 1, 2, 2), nil, 0, []ticket{{skill: 100}, {skill: 110}, {skill: 90, waitS: 1}}, "0:0 2:0"},
		{"too few are near", teams(2, 2, 2, 2), nil, 0, solos(100, 90, 130, 151), ""},
		{"80 apart, one has waited", teams(2, 2, 1, 1), nil, 0, []ticket{{skill: 0, waitS: 10}, {skill: 80}}, ""},
		{"80 apart, the other has waited", teams(2, 2, 1, 1), nil, 0, []ticket{{skill: 0}, {skill: 80, waitS: 10}}, ""},
		{"80 apart, both have waited", teams(2, 2, 1, 1), nil, 0, []ticket{{skill: 0, waitS: 10}, {skill: 80, waitS: 10}}, "0:0 1:1"},
		{"160 apart, each 80 from the seed", teams(3, 3, 1, 1), nil, 0, []ticket{{waitS: 10}, {skill: 80, waitS: 10}, {skill: -80, waitS: 10}}, "0:0 1:1 2:2"},
		{"minima, then maxima", teams(2, 2, 1, 2), nil, 0, solos(0, 1, 2, 3, 4), "0:0 1:1 2:0 3:1"},
		{"further teams", teams(2, 3, 1, 2), nil, 0, solos(0, 1, 2, 3, 4, 5, 6), "0:0 1:1 2:0 3:1 4:2 5:2"},
		{"a further team that stays too small", teams(1, 2, 2, 2), nil, 0, solos(0, 1, 2), "0:0 1:0"},
		{"a party that does not fit is passed over", teams(2, 2, 2, 2), nil, 0, sized(1, 2, 1, 2), "0:0 2:0 1:1"},
		{"parties that must be packed", teams(2, 2, 3, 3), nil, 0, sized(1, 1, 1, 2, 2), "0:0 1:1 3:0 4:1"},
		{"parties that cannot be packed", teams(2, 2, 3, 3), nil, 0, sized(2, 2, 2), ""},
		{"each role once", teams(1, 1, 3, 3), noRepeat, 0, []ticket{{roles: []string{"tank"}}, {skill: 1, roles: []string{"tank"}}, {skill: 2, roles: []string{"healer"}}, {skill: 3, roles: []string{"scout", "healer"}}, {skill: 4, roles: []string{"scout"}}}, "0:0 2:0 4:0"},
		{"one map that all share", teams(1, 1, 2, 3), shared, 0, []ticket{{maps: []string{"a", "b"}}, {skill: 1, maps: []string{"a"}}, {skill: 2, maps: []string{"b"}}, {skill: 3, maps: []string{"a", "c"}}}, "0:0 1:0 3:0"},
		{"without a map only those without", teams(1, 1, 2, 3), shared, 0, []ticket{{}, {skill: 1, maps: []string{"a"}}, {skill: 2}}, "0:0 2:0"},
		{"equal lists of maps", teams(1, 1, 2, 3), same, 0, []ticket{{maps: []string{"a", "b"}}, {skill: 1, maps: []string{"a"}}, {skill: 2, maps: []string{"b", "a"}}}, "0:0 2:0"},
		{"a player only once per match", teams(1, 1, 3, 3), nil, 0, []ticket{{}, {skill: 1, named: "ann"}, {skill: 2, named: "ann"}, {skill: 3, named: "p0"}, {skill: 4}}, "0:0 1:0 4:0"},
		{"blocked players are kept apart", teams(2, 2, 1, 1), nil, matcher.KeepApart, []ticket{{}, {skill: 1, blocked: []string{"p0"}}, {skill: 2}}, "0:0 2:1"},
		{"blocked players in other teams", teams(2, 2, 2, 2), nil, matcher.OtherTeams, []ticket{{}, {skill: 1, blocked: []string{"p0"}}, {skill: 2}, {skill: 3}}, "0:0 2:0 1:1 3:1"},
		{"blocked players ignored", teams(2, 2, 2, 2), nil, matcher.IgnoreBlocks, []ticket{{}, {skill: 1, blocked: []string{"p0"}}, {skill: 2}, {skill: 3}}, "0:0 1:0 2:1 3:1"},
	} {
		set := matcher.PivotRules{Sizes: []matcher.TeamSizes{c.sizes}, Distances: within(), Options: c.options, Blocking: c.blocking, Region: anywhere()}
		s := newScene(set, 1000, c.tickets...)
		s.begin(0, matcher.NoRegion, c.sizes.MaxPlayers)
		got := ""
		if s.search.Fill(&c.sizes) {
			got = s.group()
		}
		if got != c.want || s.search.Hit {
			t.Errorf("%s: got group %q, want %q; got budget hit %v, want false", c.name, got, c.want, s.search.Hit)
		}
	}
}

// If packing parties uses up the budget, the search stops and sets Hit.
func TestPackingHitsTheBudget(t *testing.T) {
	sizes := matcher.TeamSizes{MinTeams: 2, MaxTeams: 2, MinPlayers: 3, MaxPlayers: 3}
	set := matcher.PivotRules{Sizes: []matcher.TeamSizes{sizes}, Distances: within(), Region: anywhere()}
	for budget, want := range map[int]bool{2: false, 1000: true} {
		s := newScene(set, budget, ticket{}, ticket{skill: 1}, ticket{skill: 2}, ticket{skill: 3, players: 2}, ticket{skill: 4, players: 2})
		s.begin(0, matcher.NoRegion, 3)
		if got := s.search.Fill(&sizes); got != want || s.search.Hit == want {
			t.Errorf("budget of %d steps: got found %v and budget hit %v, want a group if and only if the budget suffices", budget, got, s.search.Hit)
		}
	}
}

// Outward visits candidates by their skill, but Rank must take all distance rules into account.
// In this test, the candidates whose skill differs most have the lowest cost.
func TestRankWithManyCandidates(t *testing.T) {
	sizes := matcher.TeamSizes{MinTeams: 1, MaxTeams: 1, MinPlayers: 40, MaxPlayers: 40}
	tickets := []ticket{{skill: 0}}
	want := "0:0"
	for i := range 80 { // skills are 0.5, -1, 1.5, -2, … and levels are 80, 79, …, so the costs are 80.5, 80, 79.5, …
		away := float64(i+1) / 2
		if i%2 == 1 {
			away = -away
		}
		tickets = append(tickets, ticket{skill: away, level: float64(80 - i)})
		if i < 39 {
			want += fmt.Sprint(" ", 80-i, ":0")
		}
	}
	both := append(within(), matcher.PivotDistance{Name: "level", Column: level, Max: matcher.Steps[float64]{{Value: 1000}}})
	s := newScene(matcher.PivotRules{Sizes: []matcher.TeamSizes{sizes}, Distances: both, Region: anywhere()}, 1000, tickets...)
	s.begin(0, matcher.NoRegion, 40)
	if found := s.search.Fill(&sizes); !found || s.group() != want {
		t.Errorf("got found %v with group %s, want %s", found, s.group(), want)
	}
}

func TestRegions(t *testing.T) {
	nan := math.NaN()
	absolute := matcher.PivotRegion{ReachMS: matcher.Linear(50, 50, math.Inf(1), 10_000), MaxMS: 120, Weight: 60, OneWayAfterMS: 30_000}
	relative := absolute
	relative.Relative, relative.ReachMS.Base = true, 0
	const west, east, north = matcher.Region(0), matcher.Region(1), matcher.Region(2)
	for _, c := range []struct {
		name string
		rule matcher.PivotRegion
		seed ticket
		want []matcher.Region
	}{
		{"the nearest first", absolute, ticket{rttMS: []float64{40, 20, 50}}, []matcher.Region{east, west, north}},
		{"equally near: by name", absolute, ticket{rttMS: []float64{20, 20, 20}}, []matcher.Region{east, north, west}},
		{"50 ms more after 10 s", absolute, ticket{waitS: 10, rttMS: []float64{101, 20, 100}}, []matcher.Region{east, north}},
		{"never more than 120", absolute, ticket{waitS: 50, rttMS: []float64{121, 20, 120}}, []matcher.Region{east, north}},
		{"beyond the nearest", relative, ticket{waitS: 10, rttMS: []float64{70, 20, 71}}, []matcher.Region{east, west}},
		{"not measured", absolute, ticket{rttMS: []float64{nan, nan, 10}}, []matcher.Region{north}},
		{"nothing measured", absolute, ticket{}, []matcher.Region{matcher.NoRegion}},
	} {
		s := newScene(matcher.PivotRules{Sizes: make([]matcher.TeamSizes, 1), Distances: within(), Region: c.rule}, 1, c.seed)
		if got := s.rules.Regions.Reached(0); !slices.Equal(got, c.want) {
			t.Errorf("%s: got regions %v, want %v", c.name, got, c.want)
		}
	}

	// The search is in the region west. In the cost, a round-trip time 40 ms above a candidate's
	// lowest counts 60·40/120 = 20, as much as a skill difference of 20. One candidate reaches
	// west only under the maximum round-trip time. It may join only if the seed has waited for
	// more than 30 s.
	sizes := matcher.TeamSizes{MinTeams: 1, MaxTeams: 1, MinPlayers: 2, MaxPlayers: 9}
	candidates := []ticket{{rttMS: []float64{40, 0, nan}}, {skill: 19, rttMS: []float64{10, 50, 50}}, {skill: 21, rttMS: []float64{10, 50, 50}}, {skill: 5, rttMS: []float64{120, 120, 10}}, {skill: 30}}
	for waitS, want := range map[int64]string{0: "0:0 2:0 1:0 3:0 5:0", 31: "0:0 2:0 1:0 3:0 5:0 4:0"} {
		s := newScene(matcher.PivotRules{Sizes: []matcher.TeamSizes{sizes}, Distances: within(), Region: absolute}, 1,
			append([]ticket{{waitS: waitS, rttMS: []float64{10, 50, 50}}}, candidates...)...)
		s.begin(0, west, 9)
		if found := s.search.Fill(&sizes); !found || s.group() != want {
			t.Errorf("after %d s: got group %s, want %s", waitS, s.group(), want)
		}
	}
}

// A ticket joins the session's team with the fewest players that has room. If no team has room,
// it starts a new one. This continues until the session is full.
func TestJoin(t *testing.T) {
	sizes := matcher.TeamSizes{MinTeams: 2, MaxTeams: 3, MinPlayers: 1, MaxPlayers: 3}
	set := matcher.PivotRules{Sizes: []matcher.TeamSizes{sizes}, Distances: within(), Region: anywhere(), Backfill: true}
	for _, c := range []struct {
		capacity int
		want     string // the tickets that joined, as ticket:team
	}{{3, ""}, {4, "0:1"}, {5, "0:1 2:0"}, {6, "0:1 1:2"}, {9, "0:1 1:2 2:0"}} {
		s := newScene(set, 1000, ticket{skill: 1}, ticket{skill: 2, players: 2}, ticket{skill: 3}, ticket{skill: 4, players: 2})
		session := &matcher.Session{Capacity: c.capacity, Members: make([]matcher.Member, 3)}
		var players []matcher.Player
		for i := range session.Members {
			session.Members[i].Values = []matcher.Value{matcher.NumberValue(0)}
			players = append(players, session.Members[i].Player)
		}
		session.Members[2].Team = 1 // two players in the first team and one in the second
		row := s.load(store.Session, 0, make([]matcher.Value, columns), players, matcher.NoRegion)
		s.rows.Advance(60_000)
		s.begin(row, matcher.NoRegion, 3)
		got := ""
		if s.search.Join(session, &sizes) {
			got = s.group()[len(fmt.Sprint(row, ":-1 ")):]
		}
		if got != c.want {
			t.Errorf("capacity %d: got %q, want %q", c.capacity, got, c.want)
		}
	}
}
