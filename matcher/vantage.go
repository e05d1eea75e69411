package matcher

// Vantage names round-trip times that many players share, such as those of a place in
// which many live, so that they are not computed again for each ticket. It belongs to the
// pool that gave it.
type Vantage int32

// NoVantage is the Vantage of a ticket whose players bring round-trip times of their own.
const NoVantage Vantage = 0
