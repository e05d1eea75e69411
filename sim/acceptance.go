package sim

// Acceptance describes how players are asked whether they want a match that the rules propose.
// Every player of a ticket answers independently. The match starts when all have accepted. It is
// dropped when a player refuses, when one has not answered at the timeout, or when a ticket gives
// up meanwhile. Then the tickets of the players who refused or did not answer in time are
// declined; all other tickets continue to wait in the pool and keep their age.
type Acceptance struct {
	Timeout Duration // from the proposal
	Accept  float64  // share of players who accept
	Refuse  float64  // share of the others who refuse; the rest never answer
	Delay   Length   // from the proposal to an answer; an answer never comes after the timeout
}

func (a *Acceptance) validate() error {
	return firstMisfit([]fieldCheck{
		{a.Timeout > 0, "Timeout", a.Timeout, "above 0"},
		{a.Accept >= 0 && a.Accept <= 1, "Accept", a.Accept, "0 to 1"},
		{a.Refuse >= 0 && a.Refuse <= 1, "Refuse", a.Refuse, "0 to 1"},
		{a.Delay.Mean > 0, "Delay.Mean", a.Delay.Mean, "above 0"},
		{a.Delay.SD >= 0, "Delay.SD", a.Delay.SD, "0 or more"},
	})
}
