package sim

// Acceptance describes how players are asked to accept a match before it starts.
//
// Every player of every ticket answers independently. The match starts when all have accepted. It
// is dropped if a player refuses, if a player has not answered by the timeout, or at the tick at
// which a ticket's time is over. Tickets of players who refused or did not answer are then declined.
// All other tickets return to their queues. Their states and searches go on as if they had waited
// there all the time. The datacenter of a match is fixed when it is proposed.
type Acceptance struct {
	Timeout Duration // measured from the proposal
	Accept  float64  // share of players who accept
	Refuse  float64  // among players who do not accept, the share who refuse; the rest never answer
	// Delay is the time from the proposal to an answer. A longer delay is cut to Timeout.
	Delay Length

	// Anew is set if tickets that return to their queues begin to wait anew for the rules, so that no
	// rule is relaxed for them. The wait that is reported runs on, and so does the time until they
	// give up.
	Anew bool
	// Again is the chance that a ticket that has declined searches again after Config.Between or
	// Config.Penalty, whichever is longer.
	Again float64
}

func (a *Acceptance) validate() error {
	return firstFailure([]fieldCheck{
		{a.Timeout > 0, "Timeout", a.Timeout, "above 0"},
		{a.Accept >= 0 && a.Accept <= 1, "Accept", a.Accept, "0 to 1"},
		{a.Refuse >= 0 && a.Refuse <= 1, "Refuse", a.Refuse, "0 to 1"},
		{a.Delay.Mean > 0, "Delay.Mean", a.Delay.Mean, "above 0"},
		{a.Delay.SD >= 0, "Delay.SD", a.Delay.SD, "0 or more"},
		{a.Again >= 0 && a.Again <= 1, "Again", a.Again, "0 to 1"},
	})
}
