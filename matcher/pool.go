package matcher

// Pool holds the waiting tickets of a queue with rules and makes matches from them. The
// implementations are engine.Pool and, for an external matchmaker, external.Pool. The
// methods are documented at engine.Pool.
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
