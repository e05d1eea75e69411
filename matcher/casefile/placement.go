package casefile

import (
	"fmt"
	"math"

	"mmsim/matcher"
	"mmsim/matcher/scoring"
)

// Placement explains the choice of a server for a player.
type Placement struct {
	Player  string        `json:"player"`
	Chosen  string        `json:"chosen"`
	Servers []ServerScore `json:"servers"` // in the order of the scene
	Decided string        `json:"decided"` // what decided between the winner and the runner-up
}

// ServerScore is the score of one server for a player.
type ServerScore struct {
	Session string        `json:"session"`
	Score   *float64      `json:"score"`             // null: the player may not join it
	Because string        `json:"because,omitempty"` // why the player may not join
	Signals []SignalScore `json:"signals,omitempty"`
}

// SignalScore is what one signal added to a score.
type SignalScore struct {
	Signal   string  `json:"signal"`
	Value    float64 `json:"value"`
	Formula  string  `json:"formula"`
	Weight   float64 `json:"weight"`
	Weighted float64 `json:"weighted"`
}

// Explain implements Runner: it repeats the placement and reports, for each player up to
// pairsMax pairs, the score of every server.
func (r *placementRules) Explain(s *Scene, _ *Outcome) ([]Explanation, error) {
	p, err := r.load(s)
	if err != nil {
		return nil, err
	}
	var list []Explanation
	pairs := 0
	for _, i := range byArrival(s.Tickets) {
		t := &s.Tickets[i]
		e := Explanation{Ticket: t.ID, WaitedS: float64(s.AtMS-t.CreatedMS) / 1000, Others: []Apart{}}
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

// explain explains why a player goes to the chosen server.
func (p *placing) explain(player string, j *scoring.Joiner, scores []float64, chosen int) Placement {
	to := Placement{Player: player, Chosen: p.name(chosen), Servers: []ServerScore{}}
	for i, server := range p.servers {
		one, score := ServerScore{Session: p.name(i)}, scores[i] // a copy, because the list is reused
		if math.IsNaN(scores[i]) {
			one.Because = p.obstruction(j, server)
		} else {
			one.Score = &score
			for _, c := range p.Scorer().Explain(j, server) {
				one.Signals = append(one.Signals, SignalScore(c))
			}
		}
		to.Servers = append(to.Servers, one)
	}
	if chosen < 0 {
		to.Chosen = p.name(len(p.servers))
		to.Decided = p.whyNew(j, scores)
	} else {
		to.Decided = p.whyBest(j, scores, chosen)
	}
	return to
}

// obstruction describes why a player may not join a server.
func (p *placing) obstruction(j *scoring.Joiner, s *scoring.Server) string {
	switch p.Scorer().Obstruction(j, s) {
	case scoring.IsClosed:
		return s.Closed
	case scoring.OtherClass:
		return fmt.Sprintf("for matchmaking type %s only", p.Schema().TextString(s.Class))
	case scoring.IsFull:
		return fmt.Sprintf("full: %d players, %d seats", s.Players(), s.Capacity)
	case scoring.SeatsKept:
		return fmt.Sprintf("%d of %d seats are kept for friends, %d players", p.Scorer().KeptSeats, s.Capacity, s.Players())
	}
	return ""
}

// whyNew describes why a server is started.
func (p *placing) whyNew(j *scoring.Joiner, scores []float64) string {
	why := "no server can be joined"
	if best := p.bestOfAll(scores); best >= 0 {
		why = fmt.Sprintf("the best, %s, scores %.6g, less than minScore %.6g", p.name(best), scores[best], p.Scorer().MinScore)
	}
	if region := j.BestRegion(); region != matcher.NoRegion {
		return fmt.Sprintf("%s: a new one is started in %s, the lowest RTT", why, p.Schema().RegionName(region))
	}
	return why + ": a new one is started"
}

// bestOfAll returns the best server whatever its score; -1: none can be joined.
func (p *placing) bestOfAll(scores []float64) int {
	scorer := *p.Scorer()
	scorer.MinScore = 0
	return scorer.Best(p.servers, scores)
}

// whyBest describes what decided between the chosen server and the runner-up.
func (p *placing) whyBest(j *scoring.Joiner, scores []float64, chosen int) string {
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
		return fmt.Sprintf("%s and %s both score %.6g and are as old as each other; %s is the smaller id",
			p.name(chosen), p.name(second), own, p.name(chosen))
	}
	return fmt.Sprintf("%s wins over %s by %.6g; %s makes the largest difference, %.6g",
		p.name(chosen), p.name(second), d.Margin, scoring.NameOf(p.Scorer().Signals[d.Signal]), d.Difference)
}
