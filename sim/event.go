package sim

// MaxEvents is the largest number of events in a run.
const MaxEvents = 100

// Event is something that happens to all queues of a run at the same time, such as the failure of a
// datacenter. It has one action: Outage, Latency, Maintenance or Joins.
type Event struct {
	From, Until Instant // it lasts from From to just before Until; Until may be From if Joins is set
	// Outage are the datacenters that may not be used while the event lasts, as bits of their indexes
	// in Places.
	Outage uint64
	// Kill is set if the matches in these datacenters are cut short when the event begins. Otherwise
	// they go on to their end, but take no more players.
	Kill bool

	// Latency is added, while the event lasts, to the RTTs from the places of which Slowed is set to the
	// datacenters in To. What rules and states see is measured when a search or a state begins. What a
	// match gets is measured when it starts. If Slowed is nil, it applies to all places.
	Latency RTT
	Slowed  []bool
	To      uint64

	// Maintenance is set if nobody can play while the event lasts. When it begins, every match, also one
	// against bots, is cut short and every search ends (StateClosed). The players who were in them, and those who would join
	// or return during the event, come back after its end: with the chance Back, up to Within later.
	// The others are gone. Two maintenances must not overlap.
	Maintenance bool
	Back        float64
	Within      Duration

	// Joins is the number of players who join because of the event. The run's Arrivals have them.
	Joins int
}

// EventTotals contains facts about one event that observers do not receive.
type EventTotals struct {
	Interrupted   int // players whose matches, also against bots, were cut short by the event
	SearchingPeak int // highest number of searching players from the begin of the event to EventAftermath after its end
}

// EventAftermath is the time after an event that belongs to it in EventTotals.
const EventAftermath = Hour

func (e *Event) validate() error {
	return firstFailure([]fieldCheck{
		{e.From >= 0, "From", e.From, "0 or more"},
		{e.Until > e.From || e.Until == e.From && e.Joins > 0, "Until", e.Until, "after From"},
		{e.Joins >= 0, "Joins", e.Joins, "0 or more"},
		{e.actions() == 1, "Outage", e.Outage, "a datacenter, or another action instead"},
		{e.Back >= 0 && e.Back <= 1, "Back", e.Back, "0 to 1"},
		{e.Within >= 0, "Within", e.Within, "0 or more"},
	})
}

// actions returns the number of actions.
func (e *Event) actions() (n int) {
	for _, is := range []bool{e.Outage != 0, e.Latency > 0, e.Maintenance, e.Joins > 0} {
		if is {
			n++
		}
	}
	return n
}

// CutsMatches reports whether the event cuts matches short.
func (e *Event) CutsMatches() bool { return e.Kill || e.Maintenance }
