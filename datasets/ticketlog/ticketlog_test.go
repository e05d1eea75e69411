package ticketlog

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mmsim/datasets"
)

// options returns the options of most tests: 2026-03-14 in UTC, without a smallest number of matches.
func options() *Options {
	day := time.Date(2026, time.March, 14, 0, 0, 0, 0, time.UTC)
	return &Options{
		Zone: time.UTC, From: day, To: day, SessionGap: 30 * time.Minute, AssumedLength: []time.Duration{5 * time.Minute}, Position: 10, MinMatches: 1,
		Datacenter: func(name string) bool { return name == "eu-west-1" },
	}
}

// files are the texts of the files of a log.
type files struct{ log, players, matches string }

func read(o *Options, f files) (*Log, error) {
	r := NewReader(o)
	for _, one := range []struct {
		text, name string
		read       func(text *bytes.Reader, name string) error
	}{
		{f.players, "players.csv", func(t *bytes.Reader, name string) error { return r.ReadPlayers(t, name) }},
		{f.log, "log", func(t *bytes.Reader, name string) error { return r.Read(t, name) }},
		{f.matches, "matches.csv", func(t *bytes.Reader, name string) error { return r.ReadMatches(t, name) }},
	} {
		if one.text == "" {
			continue
		}
		if err := one.read(bytes.NewReader([]byte(one.text)), one.name); err != nil {
			return nil, err
		}
	}
	return r.Finish()
}

// byHand returns the files of the case by hand.
func byHand(t *testing.T) files {
	text := func(name string) string {
		content, err := os.ReadFile(filepath.Join("testdata", "calibrate-"+name))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	return files{text("flexmatch.jsonl"), text("players.csv"), text("matches.csv")}
}

// dayOf returns the day of a log as CSV.
func dayOf(t *testing.T, l *Log) string {
	var b bytes.Buffer
	if err := datasets.WriteDay(&b, l.Day(), datasets.Headed); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// searchesOf describes the searches of a log in order of time.
func searchesOf(l *Log) (list []string) {
	for s := range l.Searches {
		text := fmt.Sprintf("%d %v %d", s.Players, s.Waited, s.End)
		if s.Finished {
			text += " finished"
		}
		if s.Returned {
			text += fmt.Sprint(" again after ", s.Pause)
		}
		list = append(list, text)
	}
	return list
}

func TestByHand(t *testing.T) {
	l, err := read(options(), byHand(t))
	if err != nil {
		t.Fatal(err)
	}
	want := Counts{Events: 11, Repeated: 1, Tickets: 7, Players: 6, Joins: 7, Parties: 6, Returns: 1, Searches: 7, Lost: 1, Finished: 1, Matches: 1}
	if l.Counts != want {
		t.Errorf("got counts %+v\nwant %+v", l.Counts, want)
	}
	seconds, err := read(options(), files{log: strings.ReplaceAll(ticketsByHand, "12:00:20Z", "12:00:20.000Z")})
	if err != nil || !seconds.Counts.WholeSeconds {
		t.Errorf("got error %v, want a log of whole seconds", err)
	}
	searches := []string{
		fmt.Sprint("1 20s ", Matched, " finished again after 40s"), fmt.Sprint("2 16s ", Matched, " finished"), fmt.Sprint("1 15s ", Matched, " finished"),
		fmt.Sprint("1 30s ", Cancelled), fmt.Sprint("1 2m0s ", Expired), fmt.Sprint("1 300ms ", Lost), fmt.Sprint("1 500ms ", Searching),
	}
	if got := searchesOf(l); !slices.Equal(got, searches) {
		t.Errorf("got searches\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(searches, "\n"))
	}
	for _, length := range l.MatchLengths {
		if length != 5*time.Minute {
			t.Errorf("got a match of %v, want 5m", length)
		}
	}
	// Positions are to the nearest 0.1°. bob and cid are the only party, and bob plays alone later.
	const day = `time,latitude,longitude,party_id,mmr
12:00:00,50.10,8.70,,1500
12:00:04,48.90,2.30,1,1580
12:00:04,48.90,2.40,1,1610
12:00:05,53.40,-6.30,,1444
12:00:10,52.50,13.40,,1702
12:00:11,41.40,2.20,,1390
13:30:00,48.90,2.40,,1610
`
	if got := dayOf(t, l); got != day {
		t.Errorf("got day\n%swant\n%s", got, day)
	}
}

// ticketsByHand is the log of the case by hand in the general form. t6 and t7 have no end.
const ticketsByHand = `ticket_id,player_id,created,ended,end,match_id,datacenter,match_ended,latitude,longitude,mmr
t1,ann,2026-03-14T12:00:00Z,2026-03-14T12:00:20Z,matched,m1,eu-west-1,2026-03-14T12:05:20Z,50.11,8.68,1500
t2,bob,2026-03-14T12:00:04Z,2026-03-14T12:00:20Z,COMPLETED,m1,eu-west-1,2026-03-14T12:05:20Z,48.85,2.35,1610
t2,cid,2026-03-14T12:00:04Z,2026-03-14T12:00:20Z,COMPLETED,m1,eu-west-1,2026-03-14T12:05:20Z,48.86,2.34,1580
t3,dan,2026-03-14T12:00:05Z,2026-03-14T12:00:20Z,SUCCEEDED,m1,eu-west-1,2026-03-14T12:05:20Z,53.35,-6.26,1444
t4,eve,2026-03-14T12:00:10Z,2026-03-14T12:00:40Z,CANCELED,,,,52.52,13.40,1702
t5,fay,2026-03-14T12:00:11Z,2026-03-14T12:02:11Z,TIMED_OUT,,,,41.39,2.17,1390
t6,ann,2026-03-14T12:06:00Z,,,,,,50.11,8.68,1500
t7,bob,2026-03-14T13:30:00Z,,,,,,48.85,2.35,1610
`

func TestFormsLinesAndNamesDoNotMatter(t *testing.T) {
	events := byHand(t)
	l, err := read(options(), events)
	if err != nil {
		t.Fatal(err)
	}
	want := dayOf(t, l)
	check := func(name string, f files) {
		t.Helper()
		l, err := read(options(), f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := dayOf(t, l); got != want {
			t.Errorf("%s: got day\n%swant\n%s", name, got, want)
		}
		// The two tickets that still search are censored at other instants in the two forms.
		if c := l.Counts; c.Joins != 7 || c.Returns != 1 || c.Lost != 1 || c.Finished != 1 {
			t.Errorf("%s: got counts %+v, want 7 joins, 1 return, 1 lost, 1 finished", name, c)
		}
	}
	check("tickets", files{log: ticketsByHand})
	renamed := strings.NewReplacer("ann", "zoe", "bob", "Q1", "cid", "a-b", "t1", "x", "t2", "aa", "m1", "match 9")
	check("renamed tickets", files{log: renamed.Replace(ticketsByHand)})
	header, rows, _ := strings.Cut(ticketsByHand, "\n")
	semicolons := strings.ReplaceAll(strings.NewReplacer(",", ";", ".", ",").Replace(ticketsByHand), "match_ended", "matchEnded")
	check("semicolons and decimal commas", files{log: semicolons})
	draws := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		lines := strings.Split(strings.TrimSpace(rows), "\n")
		draws.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		check("shuffled tickets", files{log: header + "\n" + strings.Join(lines, "\n") + "\n"})
		lines = strings.Split(strings.TrimSpace(events.log), "\n")
		draws.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		check("shuffled events without line breaks", files{strings.Join(lines, ""), events.players, events.matches})
	}
}

func TestBadTickets(t *testing.T) {
	const header = "ticket_id,player_id,created,ended,end,match_id,datacenter,match_ended,latitude,longitude,mmr\n"
	for row, want := range map[string]string{
		"t9,secret,2026-03-14T13:00:10Z,2026-03-14T13:00:00Z,cancelled,,,,1,1,1":                              "log:2: ended is 10s before created",
		"t9,secret,2026-03-14T13:00:10Z,2026-03-14T13:00:20Z,gone,,,,1,1,1":                                   `log:2: end: "gone" in 1 row: expected matched`,
		"t9,secret,2026-03-14T13:00:10Z,2026-03-14T13:00:20Z,,,,,1,1,1":                                       "log:2: one of ended and end without the other",
		"t9,secret,2026-03-14T13:00:10Z,2026-03-14T13:00:20Z,matched,,,,1,1,1":                                "log:2: a match without a matched end",
		"t9,secret,2026-03-14T13:00:10Z,,,m9,,,1,1,1":                                                         "log:2: a match without a matched end",
		"t9,secret,13:00:10,,,,,,1,1,1":                                                                       "log:2: created: expected a date and a time",
		"t9,,2026-03-14T13:00:10Z,,,,,,1,1,1":                                                                 "log:2: player_id: nothing",
		"t9,secret,2026-03-14T13:00:10Z,,,,,,95,1,1":                                                          "log:2: latitude: expected degrees",
		"t9,secret,2026-03-14T13:00:10Z,,,,,,1,1,secret":                                                      `log:3: column "mmr": the value is no text`,
		"t9,secret,2026-03-14T13:00:10Z,,,,,,1,1":                                                             "log:2: 10 columns: expected 11",
		"t3,secret,2026-03-14T12:00:05Z,2026-03-14T12:00:21Z,matched,m1,eu-west-1,2026-03-14T12:05:20Z,1,1,1": "another row of this ticket has a different",
		"t9,secret,2026-03-14T12:00:05Z,2026-03-14T12:00:20Z,matched,m1,eu-west-1,,1,1,1":                     "another row of this match has a different match_ended",
		"t9,secret,2026-03-14T12:00:05Z,2026-03-14T12:00:20Z,matched,m9,mars,,1,1,1":                          "neither in the list of datacenters nor in regions: mars",
		"t3,secret,2026-03-14T12:00:06Z,2026-03-14T12:00:20Z,cancelled,,,,1,1,1":                              "1 ticket has the id of a ticket that had not ended",
		"t9,ann,2026-03-14T12:00:06Z,2026-03-14T12:00:20Z,cancelled,,,,1,1,1":                                 "1 ticket was open when another ticket of one of its players began, of 8",
		"t9,secret,2026-03-14T13:00:10Z,,,,,,,,1":                                                             "1 joining player has no place, of 8",
	} {
		_, rest, _ := strings.Cut(ticketsByHand, "\n")
		_, err := read(options(), files{log: header + row + "\n" + rest})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got error %v, want one that names no player", row, err)
			continue
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", row, err, want)
		}
	}
}

func TestAllProblemsAtOnce(t *testing.T) {
	text := ticketsByHand + "t8,x,,,,,,,1,1,1\nt9,y,2026-03-14T13:00:10Z,,,m2,,,1,1,1\n"
	_, err := read(options(), files{log: text + "t9,y,2026-03-14T13:00:10Z,2026-03-14T13:00:20Z,matched,m9,mars,,1,1,1\n"})
	for _, want := range []string{"log:10: created: nothing", "log:11: a match without", "log: 2 malformed rows", "mars"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
	o := options()
	o.MaxBadRows = 2
	l, err := read(o, files{log: text})
	if err != nil || l.Counts.BadRows != 2 || l.Counts.Joins != 7 {
		t.Errorf("got %v and error %v with 2 rows left out, want 7 joins", l, err)
	}
}

// TestNamesOfColumns: the names of columns hold for the files of players and of matches, too, each of which may
// lack some. A name that no file has is an error.
func TestNamesOfColumns(t *testing.T) {
	f := byHand(t)
	l, err := read(options(), f)
	if err != nil {
		t.Fatal(err)
	}
	want := dayOf(t, l)
	f.players = strings.NewReplacer("player_id", "account", "latitude", "y", "mmr", "elo").Replace(f.players)
	f.matches = strings.NewReplacer("match_id", "game", "ended", "over").Replace(f.matches)
	o := options()
	o.Names = map[string]string{"player_id": "account", "latitude": "y", "mmr": "elo", "match_id": "game", "ended": "over"}
	if l, err = read(o, f); err != nil {
		t.Fatal(err)
	}
	if got := dayOf(t, l); got != want || l.Counts.Finished != 1 {
		t.Errorf("got %d finished matches and day\n%swant 1 and\n%s", l.Counts.Finished, got, want)
	}
	o.Names["rating"] = "stars"
	if _, err := read(o, f); err == nil || !strings.Contains(err.Error(), "--map rating=stars: no file has a column of that name") {
		t.Errorf("got error %v, want one about the name that no file has", err)
	}
}

// TestUnknownEnds: a message lists each unknown word once. With many, they may be names, and none is quoted.
func TestUnknownEnds(t *testing.T) {
	header, _, _ := strings.Cut(ticketsByHand, "\n")
	log := func(words int) string {
		text := header + "\n"
		for i := range 100 {
			text += fmt.Sprintf("t%d,p%d,2026-03-14T12:00:00Z,2026-03-14T12:00:09Z,word%d,,,,1,1,1\n", i, i, i%words)
		}
		return text
	}
	for words, want := range map[int]string{
		2:  `log:2: end: "word0" in 50 rows, "word1" in 50 rows: expected matched, cancelled, expired, declined or failed, or for each word what it means: --map-end word0=END --map-end word1=END`,
		50: "log:2: end: more than 20 words that are no ends: expected matched",
	} {
		_, err := read(options(), files{log: log(words)})
		if err == nil || !strings.Contains(err.Error(), want) || words > 20 && strings.Contains(err.Error(), "word1") || strings.Contains(err.Error(), "malformed") {
			t.Errorf("%d words: got error %v, want %q", words, err, want)
		}
	}
}

func TestSkewedClocks(t *testing.T) {
	for text, want := range map[string]string{
		"t4,eve,2026-03-14T12:00:10Z,2026-03-14T12:00:08Z,CANCELED": "",
		"t4,eve,2026-03-14T12:00:10Z,2026-03-14T12:00:07Z,CANCELED": "ended is 3s before created",
	} {
		l, err := read(options(), files{log: strings.Replace(ticketsByHand, "t4,eve,2026-03-14T12:00:10Z,2026-03-14T12:00:40Z,CANCELED", text, 1)})
		switch {
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: got error %v, want %s", text, err, want)
		case want == "" && (err != nil || l.Counts.Skewed != 1 || searchesOf(l)[3] != fmt.Sprint("1 0s ", Cancelled)):
			t.Errorf("%s: got %v and error %v, want 1 skewed wait of 0", text, l, err)
		}
	}
}

// TestBadFiles: what is wrong with a file as a whole, or with the file of players or of matches.
func TestBadFiles(t *testing.T) {
	events := byHand(t)
	with := func(change func(f *files)) files {
		f := events
		change(&f)
		return f
	}
	second := strings.Replace(events.log, "configuration/ranked", "configuration/casual", 1)
	late := time.Date(2026, time.March, 20, 0, 0, 0, 0, time.UTC)
	for want, c := range map[string]struct {
		f       files
		options func(o *Options)
	}{
		"players.csv:8: player_id: another row has the same":                         {f: with(func(f *files) { f.players += "ann,1,1,1\n" })},
		"matches.csv:3: match_id: another row has the same":                          {f: with(func(f *files) { f.matches += "m1,2026-03-14T12:05:20Z\n" })},
		"matches.csv:2: ended is 10s before the match was made":                      {f: with(func(f *files) { f.matches = "match_id,ended\nm1,2026-03-14T12:00:10Z\n" })},
		"none of 1 match in the file of matches is in the log":                       {f: with(func(f *files) { f.matches = "match_id,ended\nm9,2026-03-14T12:05:20Z\n" })},
		"players.csv:2: no column player_id: expected it":                            {f: with(func(f *files) { f.players = "name,latitude,longitude\nann,1,1\n" })},
		"the events of FlexMatch say nothing about places: expected --players":       {f: with(func(f *files) { f.players = "" })},
		"expected --players only with them":                                          {f: files{log: ticketsByHand, players: events.players}},
		"of 2 matchmaking configurations: expected --configuration with one of":      {f: with(func(f *files) { f.log = second })},
		`--configuration: got "duel", which no event has: expected one of casual, r`: {f: with(func(f *files) { f.log = second }), options: func(o *Options) { o.Configuration = "duel" }},
		`--configuration: got "duel", which no event has: the log has no matchmaki`:  {f: files{log: ticketsByHand}, options: func(o *Options) { o.Configuration = "duel" }},
		"log:8: time is 5s before the startTime of a ticket that ends": {f: with(func(f *files) {
			f.log = strings.Replace(f.log, `"2026-03-14T12:00:40.000Z"`, `"2026-03-14T12:00:05.000Z"`, 1)
		})},
		"log:8: time: expected a time such as":                                       {f: with(func(f *files) { f.log = strings.Replace(f.log, `"2026-03-14T12:00:40.000Z"`, `"yesterday"`, 1) })},
		"log:8: the text is no JSON from here on":                                    {f: with(func(f *files) { f.log = f.log[:4000] })},
		"columns of measured RTTs to datacenters that are not in the list: rtt:mars": {f: files{log: strings.Replace(ticketsByHand, "mmr", "rtt:mars", 1)}},
		"rtt_ms: expected milliseconds above 0 and at most 4000":                     {f: files{log: strings.Replace(strings.Replace(ticketsByHand, "mmr", "rtt_ms", 1), "1702", "-3", 1)}},
		"log:2: country: expected an ISO 3166 code":                                  {f: files{log: strings.Replace(ticketsByHand, "mmr", "country", 1)}},
		"0 finished matches in the window: expected at least 1":                      {f: files{log: ticketsByHand}, options: func(o *Options) { o.From, o.To = late, late }},
		"no whole day from 2026-03-14 12:00:00":                                      {f: files{log: ticketsByHand}, options: func(o *Options) { o.From, o.To = time.Time{}, time.Time{} }},
	} {
		o := options()
		if c.options != nil {
			c.options(o)
		}
		if _, err := read(o, c.f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}

// TestCountriesOnly: a row without a position gets a town of its country, which depends neither on names
// nor on the order of lines.
func TestCountriesOnly(t *testing.T) {
	text := strings.NewReplacer("latitude,longitude,mmr", "country", "50.11,8.68,1500", "DE", "48.85,2.35,1610", "FR", "48.86,2.34,1580", "FR",
		"53.35,-6.26,1444", "Ireland", "52.52,13.40,1702", "DE", "41.39,2.17,1390", "ES").Replace(ticketsByHand)
	l, err := read(options(), files{log: text})
	if err != nil {
		t.Fatal(err)
	}
	day := dayOf(t, l)
	boxes := map[string][4]float64{ // latitudes and longitudes of the mainland and islands of a country
		"DE": {47.2, 55.1, 5.8, 15.1}, "FR": {41.3, 51.2, -5.2, 9.7}, "IE": {51.3, 55.5, -10.7, -5.9}, "ES": {27.5, 43.9, -18.3, 4.4},
	}
	rows := strings.Split(strings.TrimSpace(day), "\n")[1:]
	if len(rows) != 7 {
		t.Fatalf("got day\n%swant 7 joins", day)
	}
	for _, row := range rows {
		var latitude, longitude float64
		cells := strings.Split(row, ",")
		if _, err := fmt.Sscan(cells[1]+" "+cells[2], &latitude, &longitude); err != nil {
			t.Fatal(err)
		}
		box, ok := boxes[cells[3]]
		if !ok || latitude < box[0] || latitude > box[1] || longitude < box[2] || longitude > box[3] {
			t.Errorf("got row %s, want a position in its country", row)
		}
	}
	header, rest, _ := strings.Cut(strings.NewReplacer("ann", "zoe", "bob", "Q1").Replace(text), "\n")
	lines := strings.Split(strings.TrimSpace(rest), "\n")
	slices.Reverse(lines)
	l, err = read(options(), files{log: header + "\n" + strings.Join(lines, "\n") + "\n"})
	if err != nil {
		t.Fatal(err)
	}
	if got := dayOf(t, l); got != day {
		t.Errorf("got day\n%sfrom other names and lines, want\n%s", got, day)
	}
}

// eventOf returns an event of FlexMatch about one ticket.
func eventOf(id, at, kind, ticket, start, player, more string) string {
	return fmt.Sprintf(`{"id":%q,"time":"2026-03-14T%sZ","resources":["x/ranked"],"detail":{"type":%q,"tickets":[{"ticketId":%q,"startTime":"2026-03-14T%sZ","players":[{"playerId":%q%s}]}]%s}}`+"\n",
		id, at, kind, ticket, start, player, map[bool]string{true: `,"accepted":true`}[strings.Contains(more, "yes")], strings.TrimPrefix(more, "yes"))
}

// TestDeclined: a ticket that cancels after a failed proposal is declined unless it had accepted.
func TestDeclined(t *testing.T) {
	f := byHand(t)
	failed := func(ticket, player string, accept string) string {
		return eventOf(ticket+"1", "14:00:00", "MatchmakingSearching", ticket, "14:00:00", player, "") +
			eventOf(ticket+"2", "14:00:05", "AcceptMatch", ticket, "14:00:00", player, accept+`,"matchId":"p"`) +
			eventOf(ticket+"3", "14:00:20", "AcceptMatchCompleted", ticket, "14:00:00", player, `,"matchId":"p","acceptance":"TimedOut"`) +
			eventOf(ticket+"4", "14:00:21", "MatchmakingCancelled", ticket, "14:00:00", player, "")
	}
	f.log += failed("u1", "dan", "") + failed("u2", "eve", "yes")
	l, err := read(options(), f)
	if err != nil {
		t.Fatal(err)
	}
	got := searchesOf(l)
	want := []string{fmt.Sprint("1 21s ", Cancelled), fmt.Sprint("1 21s ", Declined)}
	got = got[len(got)-2:]
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestTicketIDsBeginAgain: t4 begins again after its end, and searches twice before it.
func TestTicketIDsBeginAgain(t *testing.T) {
	f := byHand(t)
	f.log += eventOf("a", "12:00:15", "MatchmakingSearching", "t4", "12:00:15", "eve", "") + // after a failed proposal
		eventOf("b", "13:00:00", "MatchmakingSearching", "t4", "13:00:00", "eve", "") +
		eventOf("c", "13:00:09", "MatchmakingCancelled", "t4", "13:00:00", "eve", "")
	l, err := read(options(), f)
	if err != nil {
		t.Fatal(err)
	}
	got := searchesOf(l)
	if l.Counts.Reused != 1 || l.Counts.Tickets != 8 || got[3] != fmt.Sprint("1 30s ", Cancelled) || got[6] != fmt.Sprint("1 9s ", Cancelled) {
		t.Errorf("got counts %+v and searches %v, want 8 tickets, one of them with the id of another", l.Counts, got)
	}
}

// TestLeftEarly: ann searches before her match ended. The return has no pause.
func TestLeftEarly(t *testing.T) {
	l, err := read(options(), files{log: strings.Replace(ticketsByHand, "t6,ann,2026-03-14T12:06:00Z", "t6,ann,2026-03-14T12:05:00Z", 1)})
	if err != nil {
		t.Fatal(err)
	}
	if got := searchesOf(l)[0]; l.Counts.LeftEarly != 1 || !strings.HasSuffix(got, "again after 0s") {
		t.Errorf("got counts %+v and search %s, want 1 that left early, again after 0s", l.Counts, got)
	}
}

// TestEndsAssumed: without ends of matches, they last as long as the configuration says.
func TestEndsAssumed(t *testing.T) {
	l, err := read(options(), files{log: strings.ReplaceAll(ticketsByHand, "2026-03-14T12:05:20Z", "")})
	if err != nil {
		t.Fatal(err)
	}
	if got := searchesOf(l)[0]; !l.Counts.EndsAssumed || !strings.HasSuffix(got, "again after 40s") {
		t.Errorf("got counts %+v and search %s, want assumed ends, again after 40s", l.Counts, got)
	}
}

// TestQueues: the column queue, or the matchmaking configuration, tells the queue of each ticket.
func TestQueues(t *testing.T) {
	o := func() *Options {
		o := options()
		o.Queues, o.AssumedLength = []string{"ranked", "casual"}, []time.Duration{5 * time.Minute, time.Minute}
		return o
	}
	withQueues := func(names ...string) string { // of the rows
		lines := strings.Split(strings.TrimSpace(ticketsByHand), "\n")
		lines[0] += ",queue"
		for i := range lines[1:] {
			lines[i+1] += "," + names[i]
		}
		return strings.Join(lines, "\n") + "\n"
	}
	good := []string{"ranked", "ranked", "ranked", "ranked", "casual", "casual", "casual", "ranked"}
	check := func(name string, f files) {
		t.Helper()
		l, err := read(o(), f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var queues []int
		for s := range l.Searches {
			queues = append(queues, s.Queue)
		}
		if want := []int{0, 0, 0, 1, 1, 1, 0}; !slices.Equal(queues, want) {
			t.Errorf("%s: got searches in queues %v, want %v", name, queues, want)
		}
		for queue := range l.MatchLengths {
			if queue != 0 {
				t.Errorf("%s: got a match in queue %d, want 0", name, queue)
			}
		}
		// eve and fay join in casual, although fewer than 20 players do.
		day := dayOf(t, l)
		if !strings.HasPrefix(day, "time,latitude,longitude,party_id,queue,mmr\n") || !strings.Contains(day, "12:00:10,52.50,13.40,,casual,1702\n") || strings.Count(day, ",ranked,") != 5 {
			t.Errorf("%s: got day\n%swant a column of the queue, 5 times ranked and 2 times casual", name, day)
		}
	}
	check("tickets", files{log: withQueues(good...)})
	events := byHand(t)
	lines := strings.Split(strings.TrimSpace(events.log), "\n")
	for i, line := range lines {
		for _, ticket := range []string{"t4", "t5", "t6"} {
			if strings.Contains(line, `"`+ticket) || strings.Contains(line, `\"`+ticket) {
				lines[i] = strings.ReplaceAll(line, "matchmakingconfiguration/ranked", "matchmakingconfiguration/casual")
			}
		}
	}
	events.log = strings.Join(lines, "\n")
	check("events", events)
	for want, f := range map[string]files{
		`log:6: queue: "other", expected one of ranked, casual`:              {log: withQueues("ranked", "ranked", "ranked", "ranked", "other", "casual", "casual", "ranked")},
		"log:4: another row of this ticket has a different":                  {log: withQueues("ranked", "ranked", "casual", "ranked", "casual", "casual", "casual", "ranked")},
		"log:5: another row of this match has a different queue":             {log: withQueues("ranked", "ranked", "ranked", "casual", "casual", "casual", "casual", "ranked")},
		"no column queue: expected it":                                       {log: ticketsByHand},
		"no queues: duel; expected one of ranked, casual":                    {strings.ReplaceAll(events.log, "configuration/casual", "configuration/duel"), events.players, events.matches},
		"no name of a matchmaking configuration in resources: expected the ": {strings.ReplaceAll(events.log, "arn:aws:gamelift:eu-central-1:123456789012:matchmakingconfiguration/casual", ""), events.players, events.matches},
	} {
		if _, err := read(o(), f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}

// TestCancelAndAskAgain: a search after a match is a return once. Who cancels it and asks again joins.
func TestCancelAndAskAgain(t *testing.T) {
	text := strings.Replace(ticketsByHand, "t6,ann,2026-03-14T12:06:00Z,,", "t6,ann,2026-03-14T12:06:00Z,2026-03-14T12:06:05Z,cancelled", 1)
	l, err := read(options(), files{log: text + "t8,ann,2026-03-14T12:06:10Z,,,,,,50.11,8.68,1500\n"})
	if err != nil {
		t.Fatal(err)
	}
	if c := l.Counts; c.Joins != 8 || c.Returns != 1 {
		t.Errorf("got %d joins and %d returns, want 8 and 1", c.Joins, c.Returns)
	}
}

func TestRareTextsAndPositions(t *testing.T) {
	var b strings.Builder
	b.WriteString("ticket_id,player_id,created,ended,end,match_id,match_ended,latitude,longitude,build,maps\n")
	for i := range 45 {
		build, maps := "stable", "dust;mill"
		if i >= 20 {
			build = fmt.Sprintf("mine-%d", i)
		}
		if i >= 21 {
			maps = "dust;port;pier"
		}
		if i > 40 {
			build, maps = "", ""
		}
		fmt.Fprintf(&b, "t%d,p%d,2026-03-14T12:00:00Z,2026-03-14T12:00:09Z,matched,m,2026-03-14T12:09:00Z,-0.26,%d.5,%s,%s\n", i, i, i, build, maps)
	}
	o := options()
	o.Position = 100
	l, err := read(o, files{log: b.String()})
	if err != nil {
		t.Fatal(err)
	}
	day := dayOf(t, l)
	// 20 players have stable, 21 have dust;mill, and 20 have port and pier. A build of one player is other.
	for text, want := range map[string]int{",stable,": 20, ",other,": 21, "mine": 0, ",dust;mill\n": 21, ",dust;port;pier\n": 20, ",-0.50,44.50,,\n": 1} {
		if got := strings.Count(day, text); got != want {
			t.Errorf("got %q %d times, want %d:\n%s", text, got, want, day)
		}
	}
}

func TestWholeDays(t *testing.T) {
	row := func(id int, at string) string {
		return fmt.Sprintf("t%d,p%d,2026-03-%sZ,,,,,,1,1,1\n", id, id, at)
	}
	header, _, _ := strings.Cut(ticketsByHand, "\n")
	o := options()
	o.From, o.To, o.MinMatches = time.Time{}, time.Time{}, 0
	text := header + "\n" + row(1, "12T23:30:00") + row(2, "13T00:59:59") + row(3, "13T23:00:00") + row(4, "14T00:10:00") + row(5, "14T23:59:59") + row(6, "15T00:00:00")
	l, err := read(o, files{log: text})
	if err != nil || l.Days != 2 || l.From != time.Date(2026, time.March, 13, 0, 0, 0, 0, time.UTC).UnixMilli() || l.Counts.Joins != 4 {
		t.Errorf("got %+v and error %v, want the 13th and 14th with 4 joins", l, err)
	}
	if _, err := read(o, files{log: header + "\n" + row(1, "13T00:30:00") + row(2, "13T22:00:00")}); err == nil || !strings.Contains(err.Error(), "no whole day from 2026-03-13 00:30:00") {
		t.Errorf("got error %v, want one about no whole day", err)
	}
}
