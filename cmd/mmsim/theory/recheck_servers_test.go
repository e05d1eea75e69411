package theory_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// These tests check small days on servers against an independent implementation, the twin. It
// shares no code with mmsim. For every join, it scores every server in the simplest way. It
// must find the same server and the same metrics as mmsim.

// twinPlayer is a player in the file of the day.
type twinPlayer struct {
	at, stay        int // in ms
	party           string
	rtt             []float64 // by datacenter
	age, elo        float64   // NaN if missing
	language, mood  string    // "" if missing
	groups, friends []string
	name, household string
}

// twinServer is a running server.
type twinServer struct {
	id, datacenter int
	mode           string
	level          float64
	players        []*twinPlayer
}

// twinSignal is a signal. It has a value for a server and a player, and a measure for its
// metric, which is NaN if there is none.
type twinSignal struct {
	name, form, metric string
	weight             float64
	of                 func(v *twinPlayer, h *twinServer, known bool) (value, measure float64)
}

// nearTo returns the difference of two numbers, and a value that falls from 1 if they are
// equal to 0 if they differ by most or more. If a number is missing, the value is 0 and the
// difference is NaN.
func nearTo(a, b, most float64) (value, measure float64) {
	difference := math.Abs(a - b)
	if math.IsNaN(difference) {
		return 0, math.NaN()
	}
	return 1 - min(difference/most, 1), difference
}

// numbersOf returns the numbers of the server's players in ascending order. It skips players
// without one.
func (h *twinServer) numbersOf(number func(*twinPlayer) float64) (list []float64) {
	for _, g := range h.players {
		if x := number(g); !math.IsNaN(x) {
			list = append(list, x)
		}
	}
	slices.Sort(list)
	return list
}

// shareOf returns the share of the server's players for which holds returns true. Without
// players, the value is 0 and the measure NaN.
func (h *twinServer) shareOf(holds func(*twinPlayer) bool) (value, measure float64) {
	if len(h.players) == 0 {
		return 0, math.NaN()
	}
	n := 0.0
	for _, g := range h.players {
		if holds(g) {
			n++
		}
	}
	n /= float64(len(h.players))
	return n, n
}

const (
	seats     = 4
	recentNow = "2026-08" // in this revision, Latency is relative to the best RTT
	custom    = `, "type": "%s", "playerAttribute": "Elo", "aggregation": "%s", "compareTo": "%s", "maxRelevantDifference": %s`
)

// serviceSignals returns the service's own signals. If the player lacks an attribute, there is
// no measure.
func serviceSignals(revision string) []twinSignal {
	return []twinSignal{
		{"Friends", "", "", 0, func(_ *twinPlayer, _ *twinServer, known bool) (float64, float64) {
			if known {
				return 1, 1
			}
			return 0, 0
		}},
		{"Latency", "", "ping_ms", 0, func(v *twinPlayer, h *twinServer, _ bool) (float64, float64) {
			if revision == recentNow {
				value, _ := nearTo(v.rtt[h.datacenter], slices.Min(v.rtt), 100)
				return value, v.rtt[h.datacenter]
			}
			return nearTo(v.rtt[h.datacenter], 0, 250)
		}},
		{"Occupancy", "", "occupancy_ratio", 0, func(_ *twinPlayer, h *twinServer, _ bool) (float64, float64) {
			full := float64(len(h.players)) / seats
			return full, full
		}},
		{"Age", `, "normalizingFactor": 30`, "age_difference", 0, func(v *twinPlayer, h *twinServer, _ bool) (float64, float64) {
			ages := h.numbersOf(func(v *twinPlayer) float64 { return v.age })
			return nearTo(sum(ages)/float64(len(ages)), v.age, 30)
		}},
		{"Language", "", "common_language_ratio", 0, func(v *twinPlayer, h *twinServer, _ bool) (float64, float64) {
			value, measure := h.shareOf(func(g *twinPlayer) bool { return g.language == v.language })
			if v.language == "" {
				return 0, math.NaN()
			}
			return value, measure
		}},
		{"Text Chat", "", "common_chat_group_ratio", 0, func(v *twinPlayer, h *twinServer, _ bool) (float64, float64) {
			value, measure := h.shareOf(func(g *twinPlayer) bool {
				return slices.ContainsFunc(v.groups, func(group string) bool { return slices.Contains(g.groups, group) })
			})
			if len(v.groups) == 0 {
				return 0, math.NaN()
			}
			return value, measure
		}},
	}
}

// customSignals returns custom signals of a game. A player without a value has the default.
func customSignals() []twinSignal {
	elo := func(v *twinPlayer) float64 {
		if math.IsNaN(v.elo) {
			return 1000
		}
		return v.elo
	}
	mood := func(v *twinPlayer) string {
		if v.mood == "" {
			return "calm"
		}
		return v.mood
	}
	return []twinSignal{
		{"Skill", fmt.Sprintf(custom, "PlayerNumerical", "Median", "JoiningPlayer", "600"), "Skill", 0, func(v *twinPlayer, h *twinServer, _ bool) (float64, float64) {
			list := h.numbersOf(elo)
			if len(list) == 0 {
				return 0, math.NaN()
			}
			return nearTo((list[len(list)/2]+list[(len(list)-1)/2])/2, elo(v), 600)
		}},
		{"Power", fmt.Sprintf(custom, "PlayerNumerical", "Sum", "Constant", `3000, "constantValue": 4000`), "Power", 0, func(v *twinPlayer, h *twinServer, _ bool) (float64, float64) {
			return nearTo(sum(h.numbersOf(elo))+elo(v), 4000, 3000)
		}},
		{"Mix", `, "type": "PlayerCategorical", "playerAttribute": "Mood", "distribution": "Diversify"`, "Mix", 0, func(v *twinPlayer, h *twinServer, _ bool) (float64, float64) {
			_, alike := h.shareOf(func(g *twinPlayer) bool { return mood(g) == mood(v) })
			if math.IsNaN(alike) {
				return 0, alike
			}
			return 1 - alike, alike
		}},
		{"Grade", `, "type": "ServerNumerical", "serverAttribute": "Level", "compareTo": "JoiningPlayer", "playerAttribute": "Elo", "maxRelevantDifference": 800`, "Grade", 0,
			func(v *twinPlayer, h *twinServer, _ bool) (float64, float64) { return nearTo(h.level, elo(v), 800) }},
		{"Style", `, "type": "ServerCategorical", "serverAttribute": "Mode", "compareTo": "JoiningPlayer", "playerAttribute": "Mood"`, "Style", 0, func(v *twinPlayer, h *twinServer, _ bool) (float64, float64) {
			if h.mode == mood(v) {
				return 1, 1
			}
			return 0, 0
		}},
	}
}

// twinResult is the result of the twin.
type twinResult struct {
	servers  []*twinServer // by id
	hosts    []*twinServer // by row
	friends  int
	contests int
	decided  map[string]int
	measures map[string][]float64
}

// candidate is a server that a player may join.
type candidate struct {
	*twinServer
	score float64
	parts []float64
}

// bestOf returns the index of the best server, and the highest score. If several scores are
// equal except for rounding, the oldest server is the best, and then the server with the
// lowest id. The list is in this order. The index is -1 if the list is empty.
func bestOf(candidates []candidate) (place int, highest float64) {
	highest = math.Inf(-1)
	for _, r := range candidates {
		highest = max(highest, r.score)
	}
	return slices.IndexFunc(candidates, func(r candidate) bool { return r.score >= highest-1e-9*max(1, highest) }), highest
}

// serversTrial is a random day with rules for its servers.
type serversTrial struct {
	players  []*twinPlayer
	signals  []twinSignal
	minScore float64
	kept     int
}

// knows reports whether a player prefers a server because of another player there: one of the
// two lists the other as a friend, or both have the same household or party.
func (w *serversTrial) knows(v *twinPlayer, h *twinServer) bool {
	return slices.ContainsFunc(h.players, func(g *twinPlayer) bool {
		return slices.Contains(v.friends, g.name) || slices.Contains(g.friends, v.name) ||
			v.household != "" && v.household == g.household || v.party != "" && v.party == g.party
	})
}

// simulate places all players in the order in which they join.
func (w *serversTrial) simulate() *twinResult {
	j := &twinResult{decided: map[string]int{}, measures: map[string][]float64{}}
	for _, v := range w.players {
		for _, h := range j.servers {
			h.players = slices.DeleteFunc(h.players, func(g *twinPlayer) bool { return g.at+g.stay <= v.at })
		}
		var candidates []candidate
		for _, h := range j.servers {
			known := w.knows(v, h)
			if n := len(h.players); n == 0 || n >= seats || n >= seats-w.kept && !known {
				continue
			}
			r := candidate{twinServer: h}
			for _, o := range w.signals {
				value, _ := o.of(v, h, known)
				r.parts = append(r.parts, o.weight*value)
				r.score += o.weight * value
			}
			candidates = append(candidates, r)
		}
		j.place(w, v, candidates)
	}
	return j
}

// place puts a player on the best server, or on a new one.
func (j *twinResult) place(w *serversTrial, v *twinPlayer, candidates []candidate) {
	best, highest := bestOf(candidates)
	if highest < w.minScore {
		datacenter := slices.Index(v.rtt, slices.Min(v.rtt))
		h := &twinServer{id: len(j.servers), datacenter: datacenter, mode: "calm", level: []float64{800, 1500, 1500}[datacenter], players: []*twinPlayer{v}}
		j.servers, j.hosts = append(j.servers, h), append(j.hosts, h)
		j.measures["ping_ms"] = append(j.measures["ping_ms"], v.rtt[datacenter])
		return
	}
	winner := candidates[best]
	known := w.knows(v, winner.twinServer)
	if known {
		j.friends++
	}
	for _, o := range w.signals {
		if _, measure := o.of(v, winner.twinServer, known); !math.IsNaN(measure) {
			j.measures[o.metric] = append(j.measures[o.metric], measure)
		}
	}
	rest := slices.Delete(slices.Clone(candidates), best, best+1)
	if second, _ := bestOf(rest); second >= 0 {
		j.contests++
		if runnerUp := rest[second]; math.Abs(winner.score-runnerUp.score) > 1e-9*max(1, winner.score) {
			most, name := 0.0, ""
			for i, o := range w.signals {
				if d := winner.parts[i] - runnerUp.parts[i]; d > most+1e-9 {
					most, name = d, o.name
				}
			}
			j.decided[name]++
		}
	}
	winner.players = append(winner.players, v)
	j.hosts = append(j.hosts, winner.twinServer)
}

// randomTrial returns a random trial. In half of the trials, values repeat, so that scores
// tie.
func randomTrial(r *rand.Rand) (w *serversTrial, revision string) {
	revision = []string{"2025-12", recentNow}[r.IntN(2)]
	w = &serversTrial{minScore: float64(max(0, r.IntN(6)-3)), kept: max(0, r.IntN(5)-2)}
	for _, o := range slices.Concat(serviceSignals(revision), customSignals()) {
		if o.weight = []float64{0.1, 1, 3}[r.IntN(3)]; r.IntN(2) == 0 {
			w.signals = append(w.signals, o)
		}
	}
	few := r.IntN(2) == 0
	number := func(from, to int) float64 {
		if few {
			return float64(from + (to-from)*r.IntN(3)/3)
		}
		return float64(from + r.IntN(to-from))
	}
	oneOf := func(words ...string) string { return words[r.IntN(len(words))] }
	at := 0
	for i := range 150 {
		at += r.IntN(3) * r.IntN(9_000)
		v := &twinPlayer{at: at, stay: 1000 * int(number(20, 900)), name: strconv.Itoa(i), age: number(8, 60), elo: number(500, 2500),
			language: oneOf("", "fr", "en"), mood: oneOf("", "calm", "wild"), household: oneOf("", "", strconv.Itoa(r.IntN(60)))}
		for range 3 {
			v.rtt = append(v.rtt, number(10, 300))
		}
		if r.IntN(5) == 0 {
			v.age, v.elo = math.NaN(), math.NaN()
		}
		for range r.IntN(3) {
			v.friends = append(v.friends, strconv.Itoa(r.IntN(150)))
			if group := oneOf("a", "b", "c"); !slices.Contains(v.groups, group) {
				v.groups = append(v.groups, group)
			}
		}
		if i > 0 && r.IntN(4) == 0 { // joins at the same time as the previous player
			other := w.players[i-1]
			if v.at, at = other.at, other.at; other.party == "" {
				other.party = "with " + v.name
			}
			v.party = other.party
		}
		w.players = append(w.players, v)
	}
	return w, revision
}

// theoryRun returns the trial's day and rules in the form that mmsim reads.
func (w *serversTrial) theoryRun(revision string) theoryRun {
	var signals []string
	for _, o := range w.signals {
		signals = append(signals, fmt.Sprintf(`{"signal": %q, "weight": %g%s}`, o.name, o.weight, o.form))
	}
	number := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return fmt.Sprint(x)
	}
	return theoryRun{
		datacenters: measuredDatacenters(3),
		columns:     measuredColumns(3) + ",player_id,party_id,session_length,age,Elo,language,Mood,ip,friends,textChatGroups",
		day: func(yield func(float64, string) bool) {
			for _, v := range w.players {
				cells := []string{home}
				for _, rtt := range v.rtt {
					cells = append(cells, number(rtt))
				}
				cells = append(cells, v.name, v.party, fmt.Sprint(v.stay/1000), number(v.age), number(v.elo), v.language, v.mood, v.household,
					strings.Join(v.friends, ";"), strings.Join(v.groups, ";"))
				if !yield((float64(v.at)+0.5)/1000, strings.Join(cells, ",")) {
					return
				}
			}
		},
		rules: fmt.Sprintf(`{"revision": %q, "deployLimits": false, "minScore": %g, "signals": [%s],
			"place": {"maxPlayerCount": %d, "socialSlotType": "Custom", "customSocialSlotsCount": %d},
			"attributes": {"player": [{"name": "Elo", "dataType": "Number", "defaultValue": 1000}, {"name": "Mood", "dataType": "String", "defaultValue": "calm"}],
				"server": [{"name": "Mode", "dataType": "String", "defaultValue": "calm"}, {"name": "Level", "dataType": "Number", "defaultValue": 1500}]}}`,
			revision, w.minScore, strings.Join(signals, ", "), seats, w.kept),
		settings: []string{"placement=servers", "clock.warmup=0s", "clock.duration=2h", "output.records=csv", "servers.attributes={Level: {pool0: 800}}",
			"dataset.columns={language: text, Mood: text, textChatGroups: list}"},
	}
}

func TestRecheckServers(t *testing.T) {
	t.Parallel()
	for seed := range uint64(25) {
		w, revision := randomTrial(rand.New(rand.NewPCG(5, seed)))
		f := w.theoryRun(revision).simulate(t)
		want := w.simulate()
		records := f.records(t)
		if len(records) != len(w.players) {
			t.Fatalf("seed %d: got %d players on servers, want %d", seed, len(records), len(w.players))
		}
		for _, record := range records {
			row, _ := strconv.Atoi(record["row"])
			if id := strconv.Itoa(want.hosts[row].id); record["match_id"] != id {
				t.Fatalf("seed %d: player %d: got server %s, want %s", seed, row, record["match_id"], id)
			}
		}
		want.compare(t, fmt.Sprint("seed ", seed), w, f.Servers)
		if t.Failed() {
			return
		}
	}
}

// compare compares the twin's metrics with those in the summary.
func (j *twinResult) compare(t *testing.T, label string, w *serversTrial, got *placed) {
	joins := float64(len(w.players))
	equal := func(name string, got, want, within float64) {
		t.Helper()
		if !(math.Abs(got-want) <= within) {
			t.Errorf("%s: %s: got %v, want %v", label, name, got, want)
		}
	}
	equal("placed", got.Placed, joins, 0)
	equal("opened", got.Opened, float64(len(j.servers)), 0)
	equal("contests", got.Contests, float64(j.contests), 0)
	equal("friends", got.Friends, float64(j.friends)/joins, 1e-5)
	for _, o := range w.signals {
		equal("decided by "+o.name, got.Signals[o.name]["decided"], float64(j.decided[o.name])/max(1, float64(j.contests)), 1e-5)
		list := slices.Sorted(slices.Values(j.measures[o.metric]))
		if o.metric == "" || len(list) == 0 {
			continue
		}
		metric := got.Metrics[o.metric]
		equal(o.metric+" count", metric["count"], float64(len(list)), 0)
		equal(o.metric+" avg", metric["avg"], mean(list), 1e-5*max(1, mean(list)))
		for _, percent := range []int{10, 50, 90} {
			p := list[(percent*len(list)+99)/100-1]
			equal(fmt.Sprintf("%s p%d", o.metric, percent), metric[fmt.Sprint("p", percent)], p, 1e-4*max(1, p))
		}
	}
}
