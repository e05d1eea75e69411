package scoring_test

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/scoring"
)

// ExampleScorer places a joining player on the best running server and prints how each signal
// computes its value.
func ExampleScorer() {
	schema := new(matcher.Schema)
	skill := schema.Column("skill")
	scorer := &scoring.Scorer{Signals: []scoring.Signal{
		&scoring.Occupancy{Weighted: scoring.Weighted{Name: "full", Weight: 2}},
		&scoring.PlayersNumber{
			Weighted: scoring.Weighted{Name: "skill", Weight: 3},
			Column:   skill, To: scoring.Reference{Column: skill}, Scale: 500,
		},
	}}
	if err := scorer.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	player := func(skill float64) matcher.Player {
		return matcher.Player{Values: []matcher.Value{matcher.NumberValue(skill)}}
	}
	var servers []*scoring.Server
	for i, skills := range [][]float64{{1000, 1200}, {1500, 1700, 1900}} {
		servers = append(servers, scorer.Open(scoring.Server{Sequence: int32(i), Capacity: 4}))
		for _, skill := range skills {
			p := player(skill)
			scorer.Join(servers[i], &p)
		}
	}

	joiner := scoring.NewJoiner(player(1250), 0, nil)
	scores := scorer.Scores(nil, &joiner, servers)
	best := scorer.Best(servers, scores)
	fmt.Printf("%.4g: server %d\n", scores, best)
	for _, c := range scorer.Explain(&joiner, servers[best]) {
		fmt.Printf("%s: %g × (%s)\n", c.Signal, c.Weight, c.Formula)
	}
	scorer.Join(servers[best], &joiner.Player)
	// Output:
	// [3.1 1.8]: server 0
	// full: 2 × (2/4)
	// skill: 3 × (1 - min(500, |mean 1100 - 1250|)/500)
}

// ExampleFleet lets players join running servers one after another. Each search scores only a few
// servers, however many are running.
func ExampleFleet() {
	scorer := &scoring.Scorer{Signals: []scoring.Signal{
		&scoring.NearRTT{Weighted: scoring.Weighted{Name: "near", Weight: 3}, ScaleMS: 250},
		&scoring.Occupancy{Weighted: scoring.Weighted{Name: "full", Weight: 2}},
	}}
	fleet := scoring.NewFleet(scorer)
	for second, rttMS := range [][]float64{{20, 200}, {30, 190}, {180, 25}, {40, 170}} {
		joiner := scoring.NewJoiner(matcher.Player{RTTMS: rttMS}, 0, nil)
		server, _ := fleet.Best(&joiner)
		if server == nil { // no server has a free seat
			server = fleet.Open(scoring.Server{CreatedMS: int64(1000 * second), Region: joiner.BestRegion(), Capacity: 2})
		}
		fleet.Join(server, &joiner.Player)
		fmt.Printf("player %d plays on server %d in region %d\n", second, server.Sequence, server.Region)
	}
	// Output:
	// player 0 plays on server 0 in region 0
	// player 1 plays on server 0 in region 0
	// player 2 plays on server 1 in region 1
	// player 3 plays on server 1 in region 1
}
