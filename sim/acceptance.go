package sim

// Acceptance describes how players are asked to accept a match that the rules propose.
//
// Every player of every ticket answers independently. The match starts when all have accepted. It
// is dropped if a player refuses, if a player has not answered by the timeout, or if a ticket gives
// up first. Tickets of players who refused or did not answer are then declined. All other tickets
// return to the pool and keep their age.
type Acceptance struct {
	Timeout Duration // measured from the proposal
	Accept  float64  // share of players who accept
	Refuse  float64  // among players who do not accept, the share who refuse; the rest never answer
	// Delay is the time from the proposal to an answer. A longer delay is cut to Timeout.
	Delay Length
}

func (a *Acceptance) validate() error {
	return firstFailure([]fieldCheck{
		{a.Timeout > 0, "Timeout", a.Timeout, "above 0"},
		{a.Accept >= 0 && a.Accept <= 1, "Accept", a.Accept, "0 to 1"},
		{a.Refuse >= 0 && a.Refuse <= 1, "Refuse", a.Refuse, "0 to 1"},
		{a.Delay.Mean > 0, "Delay.Mean", a.Delay.Mean, "above 0"},
		{a.Delay.SD >= 0, "Delay.SD", a.Delay.SD, "0 or more"},
	})
}
