package calibrate

import (
	"encoding/json"
	"io"
	"math"
	"time"

	"mmsim/cmd/mmsim/resultdir"
	"mmsim/datasets/ticketlog"
	"mmsim/reports/estimate"
)

// Files of a result.
const (
	dayFile         = "day.csv.gz"
	prodFile        = "prod.yaml"
	calibrationFile = "calibration.json"
)

// kind describes the result directories of the command.
var kind = resultdir.Kind{Command: "calibrate", Marker: calibrationFile, Keys: []string{"format", "joins", "estimates", "kaplan_meier"}}

// calibration is the content of calibrationFile. Times are in seconds.
type calibration struct {
	Schema    int           `json:"schema"`
	Complete  bool          `json:"complete"`
	Format    string        `json:"format"`
	Events    int           `json:"events"`
	Repeated  int           `json:"repeated"`
	Tickets   int           `json:"tickets"`
	Players   int           `json:"players"`
	From      string        `json:"from"`
	To        string        `json:"to"`
	Days      int           `json:"days"`
	Joins     int           `json:"joins"`
	Parties   int           `json:"parties"`
	Returns   int           `json:"returns"`
	Lost      int           `json:"lost"`
	LeftEarly int           `json:"left_early"`
	Cut       int           `json:"cut"`
	Skewed    int           `json:"skewed"`
	Reused    int           `json:"reused_ids"`
	Dropped   []droppedJSON `json:"dropped"`
	fittedJSON
	Queues map[string]fittedJSON `json:"queues,omitempty"`
}

// fittedJSON are the estimates for all queues together, or for one queue.
type fittedJSON struct {
	Naive       float64                 `json:"naive_cancelled"`
	Estimates   map[string]estimateJSON `json:"estimates"`
	KaplanMeier []stepJSON              `json:"kaplan_meier"`
	Patience    []entryJSON             `json:"patience"`
}

type droppedJSON struct {
	Why   string `json:"why"`
	Count int    `json:"count"`
}

type estimateJSON struct {
	Value   float64 `json:"value"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	N       int     `json:"n"`
	Assumed bool    `json:"assumed"`
}

type stepJSON struct {
	At        float64 `json:"at_s"`
	AtRisk    int     `json:"at_risk"`
	Cancelled int     `json:"cancelled"`
	Survival  float64 `json:"survival"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
}

type entryJSON struct {
	At    float64 `json:"at_s"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// calibrationOf returns the content of calibrationFile.
func calibrationOf(l *ticketlog.Log, f *fitted, zone *time.Location) *calibration {
	c := &l.Counts
	date := func(ms int64) string { return time.UnixMilli(ms).In(zone).Format(time.DateOnly) }
	found := &calibration{
		Schema: 1, Complete: true, Format: l.Format, Events: c.Events, Repeated: c.Repeated, Tickets: c.Tickets, Players: c.Players,
		From: date(l.From), To: date(l.To - 1), Days: l.Days, Joins: c.Joins, Parties: c.Parties, Returns: c.Returns, Lost: c.Lost,
		LeftEarly: c.LeftEarly, Cut: c.Cut, Skewed: c.Skewed, Reused: c.Reused, Dropped: []droppedJSON{},
		fittedJSON: f.json(), Queues: map[string]fittedJSON{},
	}
	for _, q := range f.queues {
		found.Queues[q.queue] = q.json()
	}
	for _, d := range []droppedJSON{{"repeated events", c.Repeated}, {"malformed rows", c.BadRows}, {"joining players without a place", c.NoPlace}} {
		if d.Count > 0 {
			found.Dropped = append(found.Dropped, d)
		}
	}
	return found
}

// json returns the estimates as they are written.
func (f *fitted) json() fittedJSON {
	found := fittedJSON{Estimates: map[string]estimateJSON{}, KaplanMeier: []stepJSON{}, Patience: []entryJSON{}}
	if f.searches > 0 {
		found.Naive = rounded(float64(f.cancelled)/float64(f.searches), 5)
	}
	add := func(key string, e *estimate.Estimate, decimals int, assumed bool) {
		if e != nil {
			found.Estimates[key] = estimateJSON{rounded(e.Value, decimals), rounded(e.Low, decimals), rounded(e.High, decimals), e.N, assumed}
		}
	}
	add(keyPlayAgain, f.playAgain, 5, f.assumed)
	add(keyBetween, f.between, 3, f.assumed)
	add(keyLength, f.length, 3, false)
	add(keyLengthSD, f.lengthSD, 3, false)
	add(keyGiveUp, f.giveUp, 3, false)
	for _, s := range f.survival {
		found.KaplanMeier = append(found.KaplanMeier, stepJSON{float64(s.At) / 1000, s.AtRisk, s.Events, rounded(s.Survival, 5), rounded(s.Low, 5), rounded(s.High, 5)})
	}
	for _, e := range f.patience {
		found.Patience = append(found.Patience, entryJSON(e))
	}
	return found
}

func (c *calibration) write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(c)
}

// rounded rounds a number to decimals.
func rounded(v float64, decimals int) float64 {
	unit := math.Pow10(decimals)
	return math.Round(v*unit) / unit
}
