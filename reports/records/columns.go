package records

import (
	"math"
	"slices"

	"mmsim/reports/setup"
	"mmsim/sim"
)

// recordKind is the type of a column's values. It determines how they are written.
type recordKind uint8

const (
	recordWhole recordKind = iota
	recordHundredths
	recordThousandths
	recordNumber    // see recordColumn.number; the shortest text that reads back
	recordFlag      // 0 or 1
	recordWord      // an index into words
	recordAttribute // the field value is nil; see recordColumn.attribute
)

// kindNames name the kinds for Help.
var kindNames = [...]string{"whole number", "number with 2 decimals", "number with 3 decimals", "number with all digits", "0 or 1", "text"}

// recordColumn describes a column of the records. It is the same for CSV and Parquet.
type recordColumn struct {
	name      string
	absent    bool // whether the run has no such column
	meaning   string
	kind      recordKind
	matched   bool                    // whether only searches that ended with a match have a value
	has       func(r *recordRow) bool // whether a row has a value; nil if all have one that matched admits
	value     func(r *recordRow) int64
	number    func(r *recordRow) float64 // instead of value, with kind recordNumber
	words     [][]byte                   // an empty word is a missing value
	attribute *Attribute
}

// missing reports whether the row has no value in this column. It does not apply to attributes.
func (c *recordColumn) missing(r *recordRow) bool {
	return c.matched && r.match == nil || c.has != nil && !c.has(r)
}

// optional reports whether the column may have missing values.
func (c *recordColumn) optional() bool {
	return c.matched || c.has != nil || c.kind == recordAttribute || slices.ContainsFunc(c.words, func(word []byte) bool { return len(word) == 0 })
}

// recordColumns returns the columns of a run, those of attributes last. An attribute that has the
// name of an earlier column gets the prefix attribute_.
func recordColumns(run *setup.Run, attributes []Attribute) []recordColumn {
	columns := slices.DeleteFunc(append(searchColumns(), matchColumns(run)...), func(c recordColumn) bool { return c.absent })
	for i := range attributes {
		name := attributes[i].Name
		for slices.ContainsFunc(columns, func(c recordColumn) bool { return c.name == name }) {
			name = "attribute_" + name
		}
		column := recordColumn{name: name, kind: recordAttribute, attribute: &attributes[i]}
		if attributes[i].Rating {
			column = recordColumn{name: name, kind: recordNumber, number: func(r *recordRow) float64 { return r.rating }}
		}
		columns = append(columns, column)
	}
	return columns
}

// searchColumns returns the columns about the player and the search.
func searchColumns() []recordColumn {
	return []recordColumn{
		{name: "match_id", kind: recordWhole, matched: true, meaning: "number of the match, from 0, including matches in the warm-up",
			value: func(r *recordRow) int64 { return int64(r.match.ID) }},
		{name: "player_id", kind: recordWhole, meaning: "number of the player, from 0, in the order of joining, including the warm-up",
			value: func(r *recordRow) int64 { return int64(r.player.ID) }},
		{name: "row", kind: recordWhole, meaning: "row of the dataset, from 0, from which the player was created",
			value: func(r *recordRow) int64 { return int64(r.player.Row) }},
		{name: "party", kind: recordWhole, meaning: "player_id of the first player of the party",
			value: func(r *recordRow) int64 { return int64(r.party) }},
		{name: "party_size", kind: recordWhole, meaning: "number of players in the party",
			value: func(r *recordRow) int64 { return int64(r.partySize) }},
		{name: "began_s", kind: recordThousandths, meaning: "when the search began, in seconds from the start of the window; negative if in the warm-up",
			value: func(r *recordRow) int64 { return int64(r.began) }},
		{name: "matched_s", kind: recordThousandths, matched: true, meaning: "when the match was made, in seconds from the start of the window",
			value: func(r *recordRow) int64 { return int64(r.ended) }},
		{name: "wait_s", kind: recordThousandths, meaning: "how long the search took, with or without a match; it ended at began_s + wait_s",
			value: func(r *recordRow) int64 { return int64(r.ended.Sub(r.began)) }},
		{name: "end", kind: recordWord, words: endWords, meaning: "how the search ended: matched, failed (left the last state without a match), expired (gave up), bots (sent to play with bots), rejected (refused when the search began), declined (a player of the ticket did not accept a proposed match), cancelled (by its players), closed (a maintenance began), or searching (unfinished when the run ended)",
			value: func(r *recordRow) int64 { return int64(r.end) }},
		{name: "return", kind: recordFlag, meaning: "1 if this is not the player's first search",
			value: func(r *recordRow) int64 { return flagValue(r.isReturn) }},
		{name: "state", kind: recordWord, words: stateWords, meaning: "state of the search when it or the run ended: ideal, expand, warmbody, or waiting (in a pool or for a server); empty if rejected",
			value: func(r *recordRow) int64 { return int64(r.state) }},
	}
}

// matchColumns returns the columns about the match that ended the search, the queue, players who are missing
// from their matches, persons and the results of their matches, and the place where the player lives.
func matchColumns(run *setup.Run) []recordColumn {
	var datacenters, queues []string
	for _, d := range run.Datacenters {
		datacenters = append(datacenters, d.Name)
	}
	for _, q := range run.Queues {
		queues = append(queues, q.Name)
	}
	isRuled := slices.ContainsFunc(run.Queues, func(q setup.Queue) bool { return q.Rules != nil })
	seat := func(r *recordRow) sim.Seat { return r.match.SeatOf(r.number) }
	return []recordColumn{
		{name: "datacenter", kind: recordWord, matched: true, words: recordWords(datacenters), meaning: "name of the datacenter that hosts the match",
			value: func(r *recordRow) int64 { return int64(r.match.Datacenter) }},
		{name: "rtt_ms", kind: recordHundredths, matched: true, meaning: "RTT of the player in the match",
			value: func(r *recordRow) int64 { return rttHundredths(r.matched.RTT) }},
		{name: "rtt_estimate_ms", absent: !run.Jitter, kind: recordHundredths, matched: true, meaning: "RTT that thresholds and rules used; only with jitter",
			value: func(r *recordRow) int64 { return rttHundredths(r.matched.Estimate) }},
		{name: "delta_rtt_ms", kind: recordHundredths, matched: true, meaning: "RTT that thresholds and rules used, minus the player's lowest RTT to any datacenter in use",
			value: func(r *recordRow) int64 { return rttHundredths(r.matched.Estimate - r.matched.Best) }},
		{name: "repeat", kind: recordFlag, matched: true, meaning: "1 if someone from the player's previous match is in this match, other than the player's own party",
			value: func(r *recordRow) int64 { return flagValue(r.matched.Repeat) }},
		{name: "length_s", kind: recordThousandths, matched: true, meaning: "time from the end of the search to the end of the match, which may be after the window; on servers, until the player leaves",
			value: func(r *recordRow) int64 { return int64(r.match.Ends.Sub(r.match.At)) }},
		{name: "queue", absent: len(queues) < 2, kind: recordWord, words: recordWords(queues), meaning: "name of the queue; only with several queues",
			value: func(r *recordRow) int64 { return int64(r.queue) }},
		{name: "team", absent: !isRuled, kind: recordWhole, matched: true, meaning: "team of the player in the match, from 0, or -1 if the match has no teams; only with rules",
			value: func(r *recordRow) int64 { return int64(r.matched.Team) }},
		{name: "backfill", absent: !isRuled && run.Servers == nil, kind: recordFlag, matched: true, meaning: "1 if the player joined a running match; only with rules or on servers",
			value: func(r *recordRow) int64 { return flagValue(r.match.Backfill) }},
		{name: "left_s", absent: !run.Missing, kind: recordThousandths, has: func(r *recordRow) bool { return r.match != nil && seat(r).Leaves },
			meaning: "how long the player had played when it left the match early, or 0 if it did not appear; empty if it stayed; only if players can be missing from matches",
			value:   func(r *recordRow) int64 { return int64(seat(r).Left.Sub(r.match.At)) }},
		{name: "cut", absent: !run.Missing, kind: recordFlag, matched: true, meaning: "1 if the player was in the match when it was cut short; only if players can be missing from matches",
			value: func(r *recordRow) int64 { return flagValue(r.match.Cut && !seat(r).Leaves) }},
		{name: "dead", absent: !run.Missing, kind: recordFlag, matched: true, meaning: "1 if the client of the search was gone already when the search began; only if players can be missing from matches",
			value: func(r *recordRow) int64 { return flagValue(seat(r).Dead) }},
		{name: "person", absent: !run.Season, kind: recordWhole, meaning: "number of the person, from 0, in the order of the rows on day 0, and then of the persons who are new on each later day; only with a season",
			value: func(r *recordRow) int64 { return int64(r.player.Number) }},
		{name: "won", absent: !run.Season, kind: recordFlag, has: func(r *recordRow) bool { return r.finisher != nil },
			meaning: "1 if the player's team came first in the match, also if the player left it early; empty if the match was cut short or had not ended when the run did; only with a season",
			value:   func(r *recordRow) int64 { return flagValue(r.finisher.Won) }},
		{name: "chance", absent: !run.Season, kind: recordNumber, has: func(r *recordRow) bool { return r.finisher != nil && !math.IsNaN(r.finisher.Chance) },
			meaning: "chance of the player's team to win that the ratings predicted; empty where won is empty, and in matches of other than two teams; only with a season",
			number:  func(r *recordRow) float64 { return r.finisher.Chance }},
		{name: "latitude", kind: recordHundredths, meaning: "latitude of the place where the player lives, in degrees, rounded down",
			value: func(r *recordRow) int64 { return int64(r.place.Latitude) }},
		{name: "longitude", kind: recordHundredths, meaning: "longitude of the place where the player lives, in degrees, rounded down",
			value: func(r *recordRow) int64 { return int64(r.place.Longitude) }},
		{name: "country", kind: recordWord, words: recordWords(run.Countries),
			meaning: "two-letter code of the country in the dataset, or else of the nearest city in the built-in list",
			value:   func(r *recordRow) int64 { return int64(r.place.Country) }},
		{name: "continent", kind: recordWord, words: recordWords(run.Continents),
			meaning: "two-letter code of the continent in the dataset, or else of the nearest city in the built-in list",
			value:   func(r *recordRow) int64 { return int64(r.place.Continent) }},
	}
}

// recordWords converts texts to the type of recordColumn.words.
func recordWords(texts []string) [][]byte {
	words := make([][]byte, len(texts))
	for i, text := range texts {
		words[i] = []byte(text)
	}
	return words
}

// endWords are the texts in the column end, which are keys of summary.json, by the state into which the
// search ended: StatePlaying with a match, and StateNew if it has not ended. No search ends in the states
// that are not listed.
var endWords = func() [][]byte {
	ends := slices.Repeat([][]byte{[]byte("failed")}, int(sim.StateCount))
	for state, word := range map[sim.State]string{
		sim.StateNew: "searching", sim.StatePlaying: "matched", sim.StateExpired: "expired", sim.StateBots: "bots", sim.StateRejected: "rejected",
		sim.StateDeclined: "declined", sim.StateCancelled: "cancelled", sim.StateClosed: "closed",
	} {
		ends[state] = []byte(word)
	}
	return ends
}()

// stateWords are the names of the ticket states, as in the column names of other files. StateNew
// has no name, because only a rejected search ends in it.
var stateWords = [][]byte{
	sim.StateNew: nil, sim.StateIdeal: []byte("ideal"), sim.StateExpand: []byte("expand"), sim.StateWarmBody: []byte("warmbody"),
	sim.StateWaiting: []byte("waiting"),
}

func flagValue(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// rttHundredths converts an RTT to 1/100 ms and rounds halves up.
func rttHundredths(rtt sim.RTT) int64 { return (int64(rtt)*100 + sim.RTTUnit/2) / sim.RTTUnit }
