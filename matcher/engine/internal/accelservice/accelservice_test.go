package accelservice_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/accelservice"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"

	"pgregory.net/rapid"
)

// The columns of a world.
const (
	skill matcher.Column = iota
	maps
)

// world has solo tickets, the oldest of which is the seed, and one rule of each kind that the service
// tests: a difference of skill, and maps of which all tickets share one.
type world struct {
	sizes   matcher.TeamSizes
	most    float64
	skill   []float64
	maps    [][]matcher.Text
	created []int64
}

func drawWorld(t *rapid.T) *world {
	n := rapid.IntRange(1, 9).Draw(t, "tickets")
	players, teams := rapid.IntRange(1, 3).Draw(t, "players"), rapid.IntRange(1, 2).Draw(t, "teams")
	w := &world{most: float64(rapid.IntRange(0, 9).Draw(t, "most")),
		sizes: matcher.TeamSizes{MinTeams: teams, MaxTeams: teams, MinPlayers: players, MaxPlayers: players}}
	for range n {
		w.skill = append(w.skill, float64(rapid.IntRange(0, 12).Draw(t, "skill")))
		w.created = append(w.created, 1000*int64(rapid.IntRange(1, 20).Draw(t, "created")))
		var set []matcher.Text
		for text, bits := matcher.Text(1), rapid.IntRange(1, 7).Draw(t, "maps"); text <= 3; text, bits = text+1, bits/2 {
			if bits%2 == 1 {
				set = append(set, text)
			}
		}
		w.maps = append(w.maps, set)
	}
	w.created[0] = 0
	return w
}

// search runs a Search around the first ticket. It returns the tickets of the match, with the seed
// first, or nil.
func (w *world) search() (group []int, teams []accelservice.Team) {
	schema := new(matcher.Schema)
	schema.Column("skill")
	schema.Column("maps")
	for _, text := range []string{"", "dust", "ice", "sand"} {
		schema.Intern(text)
	}
	set := &matcher.Ruleset{MinPlayers: 1, MaxPlayers: 6, Pivot: &matcher.PivotRules{
		Sizes:     []matcher.TeamSizes{w.sizes},
		Distances: []matcher.PivotDistance{{Name: "skill", Column: skill, Max: matcher.Steps[float64]{{Value: w.most}}}},
		Options:   []matcher.PivotOption{{Name: "maps", Column: maps, Kind: matcher.SharedValue, Own: matcher.NoColumn}},
		Region:    matcher.PivotRegion{Ignored: true, MaxMS: math.Inf(1), OneWayAfterMS: matcher.Never},
		Same:      matcher.NoColumn, People: matcher.NoColumn, Blocked: matcher.NoColumn, NewOnly: matcher.NoColumn,
		InTurn: &matcher.InTurn{Others: matcher.NoColumn},
	}}
	rules := accelservice.Compile(set, schema)
	rows := store.New(rules.StageAt)
	rows.WholeSeconds = true
	rules.Attach(rows)
	var list []store.Row
	for i := range w.skill {
		row := rows.Add(store.Ticket, w.created[i], matcher.Never, 1)
		player := matcher.Player{Values: []matcher.Value{matcher.NumberValue(w.skill[i])}}
		rules.Load(row, []matcher.Value{{}, matcher.SetValue(w.maps[i])}, []matcher.Player{player}, matcher.NoPlace, matcher.NoRegion)
		list = append(list, row)
	}
	rows.Advance(60_000)
	index := candidate.New(rows, &rules.Index)
	byAge := slices.Clone(list)
	slices.SortFunc(byAge, rows.Compare)
	var members []candidate.Member
	for i, row := range byAge {
		members = append(members, candidate.Member{Row: row, Joined: uint64(i + 1)})
	}
	index.Gather(members, 0)
	var q candidate.Query
	q.Around(index, list[0], matcher.MaxGroupPlayers, true)
	s := accelservice.NewSearch(rules)
	need := w.sizes.MinTeams*w.sizes.MinPlayers - 1
	if !s.Begin(list[0], matcher.NoRegion, &q, nil, need) || !s.Fill(&w.sizes) {
		return nil, nil
	}
	for _, m := range s.Members {
		group = append(group, slices.Index(list, m.Row))
	}
	return group, s.Teams
}

// twin admits tickets one after another, from the oldest on, as the doc comment of matcher.InTurn
// says. A ticket that has been admitted narrows the maps for all later ones. Then those nearest to
// the seed fill the teams.
func (w *world) twin() []int {
	var order, admitted []int
	for i := 1; i < len(w.skill); i++ {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(w.created[a], w.created[b]) })
	common := w.maps[0]
	distance := func(i int) float64 { return math.Abs(w.skill[i] - w.skill[0]) }
	for _, i := range order {
		var left []matcher.Text
		for _, text := range common {
			if slices.Contains(w.maps[i], text) {
				left = append(left, text)
			}
		}
		if distance(i) <= w.most && len(left) > 0 {
			admitted, common = append(admitted, i), left
		}
	}
	slices.SortStableFunc(admitted, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) })
	need := w.sizes.MinTeams*w.sizes.MinPlayers - 1
	if len(admitted) < need {
		return nil
	}
	return append([]int{0}, admitted[:need]...)
}

func TestSearchAgainstTwin(t *testing.T) {
	found, none := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		got, teams := w.search()
		want := w.twin()
		if !slices.Equal(got, want) {
			t.Fatalf("got the match %v, want %v", got, want)
		}
		if want == nil {
			none++
			return
		}
		found++
		for _, team := range teams {
			if team.Players != w.sizes.MaxPlayers || len(teams) != w.sizes.MaxTeams {
				t.Fatalf("got teams %+v, want %d teams of %d players", teams, w.sizes.MaxTeams, w.sizes.MaxPlayers)
			}
		}
	})
	if found == 0 || none == 0 {
		t.Errorf("%d worlds with a match and %d without, want some of each", found, none)
	}
}
