package matcher

// Pool is where the tickets of a queue with rules wait, and what makes matches of them:
// engine.Pool, or external.Pool for a matchmaker outside. engine.Pool says what each method
// does.
type Pool interface {
	Add(Ticket) (Row, error)
	AddSession(Session) (Row, error)
	Remove(Row)
	Waiting() int
	AppendWaiting([]Row) []Row
	AppendOldest(dst []Row, sinceMS int64) []Row
	AppendSessions([]Row) []Row
	Pass(nowMS int64) Outcome
}
