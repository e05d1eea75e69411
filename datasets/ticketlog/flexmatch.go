package ticketlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"mmsim/datasets/joinfile"
)

// event is an event of FlexMatch as Amazon delivers it, or the envelope of a notification around one.
type event struct {
	ID        string   `json:"id"`
	Time      string   `json:"time"`
	Resources []string `json:"resources"`
	Detail    struct {
		Type        string        `json:"type"`
		Tickets     []eventTicket `json:"tickets"`
		Acceptance  string        `json:"acceptance"`
		MatchID     string        `json:"matchId"`
		GameSession struct {
			ARN string `json:"gameSessionArn"`
		} `json:"gameSessionInfo"`
	} `json:"detail"`

	Envelope string `json:"Type"`
	Message  string `json:"Message"`
}

type eventTicket struct {
	ID      string `json:"ticketId"`
	Start   string `json:"startTime"`
	Players []struct {
		ID       string `json:"playerId"`
		Accepted *bool  `json:"accepted"`
	} `json:"players"`
}

// proposal is what became of the last proposed match of a ticket, and of its answer. Times are in
// milliseconds since 1970. Matches are hashes.
type proposal struct {
	at, answered     int64
	match, answer    uint64
	failed, accepted bool
}

// readEvents reads events, one JSON value after another.
func (r *Reader) readEvents(file io.Reader, name string) error {
	text := &lineReader{from: file, line: 1}
	decoder := jsontext.NewDecoder(text, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	bad := &badRows{joinfile.BadRows{File: name}}
	for all := 0; ; all++ {
		value, err := decoder.ReadValue()
		if err == io.EOF {
			r.finishFile(bad, all)
			return nil
		}
		begin := decoder.InputOffset() - int64(len(value))
		if err != nil {
			begin++ // after the line break that follows the last value
		}
		line := text.at(begin)
		at := func(message string) error { return &joinfile.Error{File: name, Line: line, Message: message} }
		if err != nil {
			if text.err != nil && text.err != io.EOF {
				return fmt.Errorf("%s: %w", name, text.err)
			}
			return at("the text is no JSON from here on: expected one event after another")
		}
		if message := r.addEvent(value, false); message != "" {
			bad.add(at(message))
		}
	}
}

// eventExpected ends messages about values that are no events.
const eventExpected = "expected an event of FlexMatch, or an SNS notification with one in Message"

// addEvent adds an event, or returns a message.
func (r *Reader) addEvent(value []byte, unpacked bool) (message string) {
	var e event
	options := []json.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	if err := json.Unmarshal(value, &e, options...); err != nil {
		return "a value of another type than in events: " + eventExpected
	}
	if e.Envelope != "" && e.Detail.Type == "" && !unpacked {
		return r.addEvent([]byte(e.Message), true)
	}
	if e.Detail.Type == "" || e.ID == "" {
		return "no detail.type or no id: " + eventExpected
	}
	at, ok := eventTime(e.Time)
	if !ok {
		return "time: expected a time such as 2026-03-14T12:00:00.000Z"
	}
	id := hash([]byte(e.ID))
	if _, twice := r.events[id]; twice {
		r.repeated++
		return ""
	}
	r.events[id] = struct{}{}
	configuration := ""
	if len(e.Resources) > 0 {
		configuration = e.Resources[0][strings.LastIndexByte(e.Resources[0], '/')+1:]
	}
	switch {
	case configuration == "" && r.o.Queues != nil:
		return "no name of a matchmaking configuration in resources: expected the queue of the event"
	case r.o.Configuration != "" && configuration != "" && r.o.Configuration != configuration:
		r.skipped[configuration] = true
		return ""
	case configuration != "":
		r.configurations[configuration] = true
	}
	queue, _ := r.queue([]byte(configuration)) // checkConfigurations reports other names
	return r.addToTickets(&e, at, queue)
}

// eventTime reads a time of an event.
func eventTime(text string) (ms int64, ok bool) {
	t, err := time.Parse(time.RFC3339Nano, text)
	return t.UnixMilli(), err == nil
}

// eventEnds are the types of events with which searches end.
var eventEnds = map[string]End{
	"MatchmakingSucceeded": Matched, "MatchmakingTimedOut": Expired, "MatchmakingCancelled": Cancelled, "MatchmakingFailed": Failed,
}

// addToTickets adds what an event says about its tickets.
func (r *Reader) addToTickets(e *event, at int64, queue uint8) (message string) {
	end, isEnd := eventEnds[e.Detail.Type]
	starts := make([]int64, len(e.Detail.Tickets))
	for i := range e.Detail.Tickets {
		t := &e.Detail.Tickets[i]
		var ok bool
		if starts[i], ok = eventTime(t.Start); !ok || t.ID == "" {
			return "a ticket without ticketId or without startTime, such as 2026-03-14T12:00:00.000Z"
		}
		if isEnd && at < starts[i]-MaxSkew {
			return fmt.Sprintf("time is %v before the startTime of a ticket that ends: expected a later time (clocks may differ by up to 2s)", millis(starts[i]-at))
		}
	}
	m := uint32(0)
	if end == Matched {
		if e.Detail.MatchID == "" {
			return "MatchmakingSucceeded without matchId"
		}
		m = r.match([]byte(e.Detail.MatchID))
		r.matches[m-1].made = max(r.matches[m-1].made, at)
		r.matches[m-1].queue = queue
		r.matches[m-1].datacenter = r.datacenter(location(e.Detail.GameSession.ARN))
	}
	for i := range e.Detail.Tickets {
		t := &e.Detail.Tickets[i]
		number, isNew := r.find([]byte(t.ID), starts[i])
		known := r.tickets.at(number - 1)
		if isNew {
			known.queue = queue
			for j := range t.Players {
				known.size++
				r.members.add(member{ticket: number - 1, player: r.player([]byte(t.Players[j].ID)), row: r.rowOf[hash([]byte(t.Players[j].ID))]})
			}
		}
		switch first := known.end == Searching; {
		case isEnd && (first || at < known.ended || at == known.ended && end < known.end):
			known.end, known.ended, known.match = end, max(at, known.created), m
			if first && at < known.created {
				r.skewed++
			}
		case !isEnd && first:
			known.ended = max(known.ended, at)
		}
		r.addAnswer(e, t, number, at)
	}
	return ""
}

// addAnswer notes what a ticket answered to a proposed match, and what became of the match.
func (r *Reader) addAnswer(e *event, t *eventTicket, number uint32, at int64) {
	if e.Detail.Type != "AcceptMatch" && e.Detail.Type != "AcceptMatchCompleted" {
		return
	}
	for len(r.proposals) < int(number) {
		r.proposals = append(r.proposals, proposal{})
	}
	p, m := &r.proposals[number-1], hash([]byte(e.Detail.MatchID))
	if e.Detail.Type == "AcceptMatchCompleted" {
		if at >= p.at {
			p.at, p.match, p.failed = at, m, e.Detail.Acceptance != "Accepted"
		}
		return
	}
	accepted := len(t.Players) > 0
	for i := range t.Players {
		accepted = accepted && t.Players[i].Accepted != nil && *t.Players[i].Accepted
	}
	switch {
	case m == p.answer:
		p.answered, p.accepted = max(p.answered, at), p.accepted || accepted
	case at >= p.answered:
		p.answered, p.answer, p.accepted = at, m, accepted
	}
}

// declined reports whether a cancelled ticket let its last proposed match fail.
func (r *Reader) declined(number int) bool {
	if number >= len(r.proposals) {
		return false
	}
	p := &r.proposals[number]
	return p.at > 0 && p.failed && !(p.accepted && p.answer == p.match)
}

// location returns the place of a game session: arn:aws:gamelift:HOME::gamesession/FLEET/[LOCATION/]ID.
func location(arn string) []byte {
	parts := strings.Split(arn, "/")
	if len(parts) == 4 {
		return []byte(parts[2])
	}
	if fields := strings.Split(arn, ":"); len(fields) > 3 {
		return []byte(fields[3])
	}
	return nil
}

// lineReader tells the lines of offsets, which must be asked for in ascending order.
type lineReader struct {
	from io.Reader
	err  error
	read int64
	line int
	next []int64 // offsets after the line breaks that were not passed
}

func (l *lineReader) Read(p []byte) (n int, err error) {
	n, l.err = l.from.Read(p)
	for at := 0; ; {
		i := bytes.IndexByte(p[at:n], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		l.next = append(l.next, l.read+int64(at))
	}
	l.read += int64(n)
	return n, l.err
}

// at returns the line of an offset.
func (l *lineReader) at(offset int64) int {
	passed := 0
	for passed < len(l.next) && l.next[passed] <= offset {
		passed++
	}
	l.line += passed
	l.next = append(l.next[:0], l.next[passed:]...)
	return l.line
}

// errNoPlayers is the error about events without a file of players.
var errNoPlayers = errors.New("the events of FlexMatch say nothing about places: expected --players FILE with player_id, latitude and longitude")
