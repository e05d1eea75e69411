// Package fidelity says how far a simulation is from what a production log reports, and has the numbers
// of a calibration. Package judge finds the verdicts; this package chooses what belongs on the page of a
// calibration, and leaves out groups of few players, by which they could be recognised.
package fidelity

import (
	"io"

	"mmsim/reports/outcome"
)

// Schema is the version of a Calibration's JSON form.
const Schema = 1

// Calibration is what "mmsim calibrate" counted and estimated. Times are in seconds.
type Calibration struct {
	Schema     int       `json:"schema"`
	Complete   bool      `json:"complete"`
	Command    string    `json:"command,omitempty"` // the command that repeats the calibration
	Format     string    `json:"format"`
	Events     int       `json:"events"`
	Repeated   int       `json:"repeated"`
	Tickets    int       `json:"tickets"`
	Players    int       `json:"players"`
	From       string    `json:"from"`
	To         string    `json:"to"`
	Days       int       `json:"days"`
	Joins      int       `json:"joins"`
	Parties    int       `json:"parties"`
	Returns    int       `json:"returns"`
	Lost       int       `json:"lost"`
	LeftEarly  int       `json:"left_early"`
	AskedAgain int       `json:"asked_again"` // tickets that were cancelled up to a minute before another one of a player
	Cut        int       `json:"cut"`
	Skewed     int       `json:"skewed"`
	Reused     int       `json:"reused_ids"`
	Unlocated  int       `json:"unlocated"` // matches of which the log does not tell the datacenter
	Dropped    []Dropped `json:"dropped"`
	Fit
	Queues outcome.Object[QueueFit] `json:"queues,omitempty"` // each of several
}

// Fit has the estimates of all queues together, or of one queue.
type Fit struct {
	Naive       float64                  `json:"naive_cancelled"` // cancelled searches among all
	Estimates   outcome.Object[Estimate] `json:"estimates"`
	KaplanMeier []Step                   `json:"kaplan_meier"`
	Patience    []Entry                  `json:"patience"`
}

// QueueFit has the estimates of one of several queues.
type QueueFit struct {
	Name string `json:"-"`
	Fit
}

// Dropped counts what was left out.
type Dropped struct {
	Why   string `json:"why"`
	Count int    `json:"count"`
}

// Estimate is an estimated setting with its 95 % interval.
type Estimate struct {
	Name    string  `json:"-"` // the key of the setting
	Value   float64 `json:"value"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	N       int     `json:"n"`
	Assumed bool    `json:"assumed"` // it depends on ends of matches that the log does not tell
}

// Step is a wait at which searches were cancelled, with the share of searches that would go on beyond it.
type Step struct {
	At        float64 `json:"at_s"`
	AtRisk    int     `json:"at_risk"`
	Cancelled int     `json:"cancelled"`
	Survival  float64 `json:"survival"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
}

// Entry is an entry of players.patience: the share of searches that would be cancelled by a wait.
type Entry struct {
	At    float64 `json:"at_s"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Write writes the calibration as JSON.
func (c *Calibration) Write(w io.Writer) error { return outcome.WriteJSON(w, c) }

// Parse parses the output of Calibration.Write. file is the name that begins errors.
func Parse(file string, text []byte) (*Calibration, error) {
	return outcome.ReadForm[Calibration](file, text, Schema)
}
