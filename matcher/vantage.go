package matcher

// Vantage names round-trip times that many players share, such as those of a place in
// which many live, so that nothing has to be computed of them for each ticket: it is the
// number of their view. It is of the Pool that gave it.
type Vantage int32

// NoVantage is the Vantage of who brings round-trip times of his own.
const NoVantage Vantage = 0

// Vantage lets a pool know the round-trip times of a player, as Player.RTTMS has them,
// for Ticket.From. It is never forgotten, and takes some 24 bytes a region. The error is
// a Refusal of numbers that are out of range. The slice is not kept.
func (p *Pool) Vantage(rttMS []float64) (Vantage, error) {
	players := []Player{{RTTMS: rttMS}}
	if err := players[0].refuse(); err != nil {
		return NoVantage, err
	}
	p.reach.grow(p, len(p.state))
	view := p.reach.add()
	p.reach.look(view, players, p.reach.levels)
	if p.star != nil {
		p.star.surveyed.grow(view).measure(&p.rules.Star.Region, players)
	}
	return Vantage(view), nil
}
