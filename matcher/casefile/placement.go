package casefile

import (
	"fmt"
	"math"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/scoring"
)

// Placement explains the choice of a server for a player.
type Placement struct {
	Player  string        `json:"player"`
	Chosen  string        `json:"chosen"`
	Servers []ServerScore `json:"servers"` // in scene order
	Decided string        `json:"decided"` // why Chosen was chosen, compared with the second-best server if there is one
}

// ServerScore is the score of a server for a player.
type ServerScore struct {
	Session string                 `json:"session"`
	Score   *float64               `json:"score"`             // null if the player may not join the server
	Because string                 `json:"because,omitempty"` // why the player may not join
	Signals []scoring.Contribution `json:"signals,omitempty"`
}

// Explain implements Runner. It repeats the placement and returns, for each player, the score of
// every server. It stops after pairsMax player-server pairs.
func (r *placementRules) Explain(s *Scene, _ *Outcome) ([]Explanation, error) {
	p, err := r.load(s)
	if err != nil {
		return nil, err
	}
	var list []Explanation
	pairs := 0
	for _, i := range byArrival(s.Tickets) {
		t := &s.Tickets[i]
		e := Explanation{Ticket: t.ID, WaitedS: float64(s.AtMS-t.CreatedMS) / 1000, Others: []Obstacle{}}
		for j := range t.Players {
			joiner := p.joiner(i, j)
			scores, chosen := p.choose(&joiner)
			if pairs += len(p.servers); pairs > pairsMax && list != nil {
				return list, nil
			}
			e.Placements = append(e.Placements, p.explain(t.Players[j].ID, &joiner, scores, chosen))
			p.place(i, j, chosen)
		}
		list = append(list, e)
	}
	return list, nil
}

// explain explains why a player was placed on the chosen server.
func (p *placing) explain(player string, j *scoring.Joiner, scores []float64, chosen int) Placement {
	to := Placement{Player: player, Chosen: p.name(chosen), Servers: []ServerScore{}}
	for i, server := range p.servers {
		one, score := ServerScore{Session: p.name(i)}, scores[i] // copy the score, because scores is reused
		if math.IsNaN(scores[i]) {
			one.Because = p.obstruction(j, server)
		} else {
			one.Score, one.Signals = &score, p.Scorer().Explain(j, server)
		}
		to.Servers = append(to.Servers, one)
	}
	if chosen < 0 {
		to.Chosen = p.name(len(p.servers))
		to.Decided = p.explainNew(j, scores)
	} else {
		to.Decided = p.explainBest(j, scores, chosen)
	}
	return to
}

// obstruction returns the reason why a player may not join a server.
func (p *placing) obstruction(j *scoring.Joiner, s *scoring.Server) string {
	switch p.Scorer().Obstruction(j, s) {
	case scoring.IsClosed:
		return s.Closed
	case scoring.OtherClass:
		return fmt.Sprintf("only for matchmaking type %s", p.Schema().TextString(s.Class))
	case scoring.IsFull:
		return fmt.Sprintf("full: %s, %s", jsontree.Count(s.Players(), "player"), jsontree.Count(s.Capacity, "seat"))
	case scoring.SeatsKept:
		return fmt.Sprintf("%d of %d seats are taken, and %d are kept for friends", s.Players(), s.Capacity, p.Scorer().KeptSeats)
	}
	return ""
}

// explainNew explains why a new server is started for a player.
func (p *placing) explainNew(j *scoring.Joiner, scores []float64) string {
	why := "no server can be joined"
	if best := p.bestOfAll(scores); best >= 0 {
		why = fmt.Sprintf("the best server, %s, scores %.6g, which is less than minScore %.6g", p.name(best), scores[best], p.Scorer().MinScore)
	}
	if region := j.BestRegion(); region != matcher.NoRegion {
		return fmt.Sprintf("%s, so a new server is started in %s, the region with the lowest RTT", why, p.Schema().RegionName(region))
	}
	return why + ", so a new server is started"
}

// bestOfAll returns the best server even if its score is below minScore, or -1 if the player can
// join none.
func (p *placing) bestOfAll(scores []float64) int {
	scorer := *p.Scorer()
	scorer.MinScore = 0
	return scorer.Best(p.servers, scores)
}

// explainBest explains why the chosen server is better than the second-best one.
func (p *placing) explainBest(j *scoring.Joiner, scores []float64, chosen int) string {
	own := scores[chosen]
	rest := append([]float64(nil), scores...)
	rest[chosen] = math.NaN()
	second := p.bestOfAll(rest)
	if second < 0 {
		return fmt.Sprintf("%s is the only server that can be joined", p.name(chosen))
	}
	d := scoring.Decide(p.servers[chosen], p.servers[second],
		p.Scorer().Contributions(nil, j, p.servers[chosen]), p.Scorer().Contributions(nil, j, p.servers[second]))
	switch d.Reason {
	case scoring.ByAge:
		return fmt.Sprintf("%s and %s both score %.6g; %s is older", p.name(chosen), p.name(second), own, p.name(chosen))
	case scoring.BySequence:
		return fmt.Sprintf("%s and %s both score %.6g and have the same age; %s has the smaller id",
			p.name(chosen), p.name(second), own, p.name(chosen))
	}
	return fmt.Sprintf("%s scores %.6g more than %s; the signal with the largest difference is %s, %.6g",
		p.name(chosen), d.Margin, p.name(second), p.Scorer().Signals[d.Signal].Settings().Name, d.Difference)
}
