// Package result defines the contents of a result directory, and writes and reads its files.
//
// # Reading timelapse.csv.gz and load.csv
//
// The two files show the players in matches at the same times, for example every 10 minutes of a
// day. timelapse.csv.gz has the number of players and their mean RTT for every one-degree cell in
// which they live, by the cell's south-west corner. Cells without players are omitted. load.csv
// has the number of players for every datacenter. Players whose match began in the warm-up period
// are in neither file; the column playing of timeseries.csv counts them.
//
// Names in a result come from data files and are not trusted. In CSV they pass through
// [words.Guard], because spreadsheets run text that begins with = as a formula.
package result

import "mmsim/reports/outcome"

// A Result has the contents of the files of a result directory and nothing else. So pictures show
// only what was written, and can be drawn again from the files. Reading back a written Result
// gives an equal one, because every number is rounded when it is computed.
type Result struct {
	Summary       outcome.Summary
	Series        []Minute        // timeseries.csv, one row per minute of the window
	Windows       []Window        // percentiles.csv, one row per quarter of an hour
	Distributions []Distribution  // distributions.csv
	Map           []Cell          // map.csv, cells with at least one matched player
	QueueMaps     []QueueCell     // map_queues.csv, the cells of each queue if there are several
	Servers       []ServerWindow  // servers.csv, one row per quarter of an hour; nil unless players are placed on servers
	Machines      []MachineWindow // machines.csv, one row per quarter of an hour; nil without a fleet
	RegionHours   []RegionHour    // continents_hours.csv
	Spreads       []SpreadBin     // spreads.csv; nil without attributes and for several queues
	Steps         []Step          // steps.csv; nil if nothing opens while players wait
	Ratings       []RatingCell    // season_ratings.csv; nil without a season
	Predictions   []PredictionBin // season_predictions.csv; nil without a season
	Timelapse     []Frame         // timelapse.csv.gz and load.csv; for a day, one frame every 10 minutes
}

// MinuteLength is the span of a row of timeseries.csv in seconds.
const MinuteLength = 60

// Minute is a row of timeseries.csv: the number of players by activity at the time T, and the
// events in [T, T+60 s).
type Minute struct {
	T        int             `csv:"t_s"` // s since the start of the window
	Playing  int             `csv:"playing"`
	Between  int             `csv:"between"`
	Ideal    int             `csv:"ideal"`
	Expand   int             `csv:"expand"`
	WarmBody int             `csv:"warmbody"`
	Bots     int             `csv:"bots"`
	Joins    int             `csv:"joins"`       // players who began their first search
	Returns  int             `csv:"returns"`     // players who began to search again after a match
	Matches  int             `csv:"matches"`     // matches made
	Failed   int             `csv:"failed"`      // players who left without a match: failed, expired, declined, cancelled or closed
	WaitMean outcome.Seconds `csv:"wait_mean_s"` // WaitMean and the RTTs are of players matched in this minute
	RTTMean  outcome.Millis  `csv:"rtt_mean_ms"`
	RTTP90   outcome.Millis  `csv:"rtt_p90_ms"`
	Waiting  int             `csv:"waiting,omitzero"` // in a pool, at the time T
	// WaitP95 is of players matched in this minute. Only minutes around events have it.
	WaitP95 outcome.Seconds `csv:"wait_p95_s,omitzero"`
}

// Minutes are around an event from BeforeEvent seconds before it begins to AfterEvent seconds after its end.
const (
	BeforeEvent = 3600
	AfterEvent  = 2 * 3600
)

// Searching returns the number of players who wait for a match.
func (m *Minute) Searching() int { return m.Ideal + m.Expand + m.WarmBody + m.Waiting }

// WindowLength is the span of a row of percentiles.csv in seconds.
const WindowLength = 900

// Window is a row of percentiles.csv: the players matched in [T, T+900 s).
type Window struct {
	T            int             `csv:"t_s"`     // s since the start of the window
	Matched      int             `csv:"matched"` // Ideal + Expand + WarmBody + Waiting
	Ideal        int             `csv:"ideal"`   // Ideal, Expand and WarmBody are by state when matched
	Expand       int             `csv:"expand"`
	WarmBody     int             `csv:"warmbody"`
	WaitP50      outcome.Seconds `csv:"wait_p50_s"`
	WaitP90      outcome.Seconds `csv:"wait_p90_s"`
	WaitP99      outcome.Seconds `csv:"wait_p99_s"`
	First        int             `csv:"first"` // players matched in a first search that began in the measured window
	WaitFirstP50 outcome.Seconds `csv:"wait_first_p50_s"`
	WaitFirstP90 outcome.Seconds `csv:"wait_first_p90_s"`
	WaitFirstP99 outcome.Seconds `csv:"wait_first_p99_s"`
	RTTP50       outcome.Millis  `csv:"rtt_p50_ms"`
	RTTP90       outcome.Millis  `csv:"rtt_p90_ms"`
	RTTP99       outcome.Millis  `csv:"rtt_p99_ms"`
	Waiting      int             `csv:"waiting,omitzero"` // matched from a pool
}

// ServerWindow is a row of servers.csv. Running, Seats and Taken describe the servers in [T, T+900 s),
// as means of samples taken every minute. Opened, Placed and Preferred count the events in that time.
type ServerWindow struct {
	T         int           `csv:"t_s"` // s since the start of the window
	Running   outcome.Count `csv:"running"`
	Seats     outcome.Count `csv:"seats"`
	Taken     outcome.Count `csv:"taken"`
	Opened    int           `csv:"opened"`
	Placed    int           `csv:"placed"`
	Preferred int           `csv:"preferred"` // placed with a friend or a player of the same household
}

// MachineWindow is a row of machines.csv: the machines of a fleet in [T, T+900 s), as means over time.
type MachineWindow struct {
	T        int             `csv:"t_s"` // s since the start of the window
	Starting outcome.Average `csv:"starting"`
	Empty    outcome.Average `csv:"empty"` // ready, without a match
	Busy     outcome.Average `csv:"busy"`  // with one match or more
}

// Cell is a row of map.csv: the matched players who live in the one-degree cell with this
// south-west corner.
type Cell struct {
	Latitude  int             `csv:"latitude"`  // degrees: -90..89
	Longitude int             `csv:"longitude"` // degrees: -180..179
	Players   int             `csv:"players"`
	RTTMean   outcome.Millis  `csv:"rtt_mean_ms"`
	WaitMean  outcome.Seconds `csv:"wait_mean_s"`
}

// QueueCell is a row of map_queues.csv: the players matched in one of several queues who live in
// a cell.
type QueueCell struct {
	Queue string `csv:"queue"`
	Cell
}

// MapOf returns the cells of one of several queues.
func (r *Result) MapOf(queue string) (cells []Cell) {
	for i := range r.QueueMaps {
		if c := &r.QueueMaps[i]; c.Queue == queue {
			cells = append(cells, c.Cell)
		}
	}
	return cells
}

// RegionHour is a row of continents_hours.csv: the players who live on a continent and whose search
// began in an hour of the day, UTC. Hours without such players have no row.
type RegionHour struct {
	Continent string          `csv:"continent"`
	Hour      int             `csv:"hour"`
	Entries   int             `csv:"entries"`   // players who began to search
	Players   int             `csv:"players"`   // matched players
	Unmatched int             `csv:"unmatched"` // players whose search ended without a match, in any way
	Waited    int             `csv:"waited"`    // matched players whose search began in the measured window: WaitMean is theirs
	WaitMean  outcome.Seconds `csv:"wait_mean_s"`
	RTTMean   outcome.Millis  `csv:"rtt_mean_ms"`
}

// Values of SpreadBin.Of.
const (
	OfSpread  = "spread"
	OfTeamGap = "team_gap"
)

// SpreadBin is a row of spreads.csv: the matches in which the spread or the team gap of an attribute
// is at least From and less than To. The bins of a distribution are adjacent and begin at 0.
type SpreadBin struct {
	Attribute string  `csv:"attribute"`
	Of        string  `csv:"of"`
	From      float64 `csv:"from"`
	To        float64 `csv:"to"`
	Matches   int     `csv:"matches"`
}

// A Step is a row of steps.csv: a state, or a stage of rules, that opens when a player has waited for a
// time, and what it brings: the first searches that were matched in that state, or by a wait of at
// least At and less than the next step of rules.
type Step struct {
	Queue   string          `csv:"queue"` // "" if there is only one
	Of      string          `csv:"of"`
	At      outcome.Seconds `csv:"at_s"`
	Opens   string          `csv:"opens"`
	Players int             `csv:"players"` // once per player
}

// Values of Step.Of.
const (
	OfStates = "states"
	OfRules  = "rules"
)

// Span returns the length of the measured window in seconds. It is at least a minute, so that the
// axes of an empty result have a length.
func (r *Result) Span() float64 {
	return max(float64(r.Summary.Run.Duration), 60)
}

// PlayingAt returns how many players are in a match at the time of a frame. If the series has no row
// for that time, it returns the number of players whom the frame counts.
func (r *Result) PlayingAt(f *Frame) int {
	if minute := f.T / MinuteLength; minute < len(r.Series) {
		return r.Series[minute].Playing
	}
	players := 0
	for _, n := range f.Load {
		players += n
	}
	return players
}
