package matcher

// Pool contains the waiting tickets of a queue with rules and makes matches from them.
// engine.Pool implements it, and so does external.Pool for an external matchmaker. The methods
// are documented at engine.Pool.
type Pool interface {
	Add(Ticket) (Row, error)
	AddSession(Session) (Row, error)
	Remove(Row)
	Waiting() int
	AppendWaiting([]Row) []Row
	AppendOldest(dst []Row, sinceMS int64) []Row
	AppendSessions([]Row) []Row
	Pass(nowMS int64) Outcome
	Evaluations() []Evaluations
}
