package reports

// Servers is the part of the summary about players who were placed on servers. A
// decision is a join that had a running server to go to; a contest one that had two.
// What a server looked like to a player is measured just before he is on it.
type Servers struct {
	Revision      string  `json:"revision"` // of the service's documents that the rules follow
	Capacity      Count   `json:"capacity"` // seats of a server
	Opened        Count   `json:"opened"`
	Peak          Count   `json:"peak"` // most running at once
	Mean          Average `json:"mean"` // time mean of running ones
	Hours         Average `json:"server_hours"`
	OccupancyMean Share   `json:"occupancy_mean"` // time mean of seats taken over seats

	Placed  Count `json:"placed"`
	Opening Count `json:"opening"` // joins for which a server was started: in the ping and the share of friends only
	Contest Count `json:"contests"`
	// PreferredMatch is the share of all joins placed with a preferred player: a friend
	// or somebody of the same household.
	PreferredMatch Share          `json:"preferred_player_match_ratio"`
	Metrics        PlacementStats `json:"metrics"`

	ScoreMean  Value            `json:"score_mean"`  // of the servers chosen, over decisions
	MarginMean Value            `json:"margin_mean"` // to the runner-up, over contests
	ByScore    Share            `json:"decided_by_score"`
	ByAge      Share            `json:"decided_by_age"` // of contests: equal scores, the older server
	BySequence Share            `json:"decided_by_sequence"`
	Signals    PlacementSignals `json:"signals"` // those with a weight
}

// PlacementStat describes one measure of the joins that have it; percentiles are
// nearest-rank.
type PlacementStat struct {
	Name  string `json:"-"`
	Count Count  `json:"count"`
	Avg   Value  `json:"avg"`
	P10   Value  `json:"p10"`
	P50   Value  `json:"p50"`
	P90   Value  `json:"p90"`
}

// PlacementSignal describes what one signal did.
type PlacementSignal struct {
	Name         string `json:"-"`
	Weight       Value  `json:"weight"`
	Contribution Value  `json:"contribution_mean"` // to the score of the server chosen, over decisions
	Advantage    Value  `json:"advantage_mean"`    // what it added to that beyond the runner-up, over contests
	Decided      Share  `json:"decided"`           // contests in which it spoke most for the winner
}

// Lists that are objects in JSON, in the order of the list.
type (
	// PlacementStats are in the order of the service's documents.
	PlacementStats []PlacementStat
	// PlacementSignals are in the order in which the rules add them.
	PlacementSignals []PlacementSignal
)

func (s *PlacementStat) member() (*string, any)   { return &s.Name, s }
func (s *PlacementSignal) member() (*string, any) { return &s.Name, s }

// MarshalJSON writes an object with a member per item, in order.
func (s PlacementStats) MarshalJSON() ([]byte, error) {
	return marshalObject(s, (*PlacementStat).member)
}

// MarshalJSON writes an object with a member per item, in order.
func (s PlacementSignals) MarshalJSON() ([]byte, error) {
	return marshalObject(s, (*PlacementSignal).member)
}

// UnmarshalJSON reads what MarshalJSON wrote, in the order of the text.
func (s *PlacementStats) UnmarshalJSON(text []byte) (err error) {
	*s, err = parseObject(text, (*PlacementStat).member)
	return err
}

// UnmarshalJSON reads what MarshalJSON wrote, in the order of the text.
func (s *PlacementSignals) UnmarshalJSON(text []byte) (err error) {
	*s, err = parseObject(text, (*PlacementSignal).member)
	return err
}

// ServerWindow is one row of servers.csv: how many servers ran in [T, T+900 s), as
// means of samples a minute apart, and what was placed on them.
type ServerWindow struct {
	T         int // s since the start of the window
	Running   Count
	Seats     Count
	Taken     Count
	Opened    int
	Placed    int
	Preferred int // placed with a preferred player
}

var serversTable = table[ServerWindow]{
	file:    "servers.csv",
	columns: "t_s,running,seats,taken,opened,placed,preferred",
	fields: func(w *ServerWindow) []any {
		return []any{&w.T, &w.Running, &w.Seats, &w.Taken, &w.Opened, &w.Placed, &w.Preferred}
	},
	fault: func(w *ServerWindow, index int) string { return offBeat(w.T, index, windowLength) },
}
