package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A twin checks small days on servers. It is written from the specification and shares no code
// with the program: it scores every server for every join in the simplest way, and must find the
// same server and the same metrics.

// visitor is a player in the file of the day.
type visitor struct {
	at, stay        int // ms
	party           string
	rtt             []float64 // by datacenter
	age, elo        float64   // NaN: none
	language, mood  string    // "": none
	groups, friends []string
	name, household string
}

// hall is a running server.
type hall struct {
	id, datacenter int
	mode           string
	level          float64
	guests         []*visitor
}

// opinion is a signal: its value for a server and a visitor, and the measure for its metric;
// NaN: there is no measure.
type opinion struct {
	name, form, metric string
	weight             float64
	of                 func(v *visitor, h *hall, known bool) (value, measure float64)
}

// nearTo returns a value from 1 for equal numbers to 0 for a difference of most or more, and the
// difference. If a number is missing, the value is 0 and the difference NaN.
func nearTo(a, b, most float64) (value, measure float64) {
	difference := math.Abs(a - b)
	if math.IsNaN(difference) {
		return 0, math.NaN()
	}
	return 1 - min(difference/most, 1), difference
}

// numbersOf returns the numbers of the guests that have one, in ascending order.
func (h *hall) numbersOf(number func(*visitor) float64) (list []float64) {
	for _, g := range h.guests {
		if x := number(g); !math.IsNaN(x) {
			list = append(list, x)
		}
	}
	slices.Sort(list)
	return list
}

// shareOf returns the share of the guests for which holds is true; 0 and NaN without guests.
func (h *hall) shareOf(holds func(*visitor) bool) (value, measure float64) {
	if len(h.guests) == 0 {
		return 0, math.NaN()
	}
	n := 0.0
	for _, g := range h.guests {
		if holds(g) {
			n++
		}
	}
	n /= float64(len(h.guests))
	return n, n
}

const (
	seats     = 4
	recentNow = "2026-08" // in this revision, Latency is relative to the best RTT
	custom    = `, "type": "%s", "playerAttribute": "Elo", "aggregation": "%s", "compareTo": "%s", "maxRelevantDifference": %s`
)

// serviceOpinions returns the service's own signals. If the visitor lacks the attribute, there is
// no measure.
func serviceOpinions(revision string) []opinion {
	return []opinion{
		{"Friends", "", "", 0, func(_ *visitor, _ *hall, known bool) (float64, float64) {
			if known {
				return 1, 1
			}
			return 0, 0
		}},
		{"Latency", "", "ping_ms", 0, func(v *visitor, h *hall, _ bool) (float64, float64) {
			if revision == recentNow {
				value, _ := nearTo(v.rtt[h.datacenter], slices.Min(v.rtt), 100)
				return value, v.rtt[h.datacenter]
			}
			return nearTo(v.rtt[h.datacenter], 0, 250)
		}},
		{"Occupancy", "", "occupancy_ratio", 0, func(_ *visitor, h *hall, _ bool) (float64, float64) {
			full := float64(len(h.guests)) / seats
			return full, full
		}},
		{"Age", `, "normalizingFactor": 30`, "age_difference", 0, func(v *visitor, h *hall, _ bool) (float64, float64) {
			ages := h.numbersOf(func(v *visitor) float64 { return v.age })
			return nearTo(sum(ages)/float64(len(ages)), v.age, 30)
		}},
		{"Language", "", "common_language_ratio", 0, func(v *visitor, h *hall, _ bool) (float64, float64) {
			value, measure := h.shareOf(func(g *visitor) bool { return g.language == v.language })
			if v.language == "" {
				return 0, math.NaN()
			}
			return value, measure
		}},
		{"Text Chat", "", "common_chat_group_ratio", 0, func(v *visitor, h *hall, _ bool) (float64, float64) {
			value, measure := h.shareOf(func(g *visitor) bool {
				return slices.ContainsFunc(v.groups, func(group string) bool { return slices.Contains(g.groups, group) })
			})
			if len(v.groups) == 0 {
				return 0, math.NaN()
			}
			return value, measure
		}},
	}
}

// customOpinions returns custom signals of a game. A player without a value has the default.
func customOpinions() []opinion {
	elo := func(v *visitor) float64 {
		if math.IsNaN(v.elo) {
			return 1000
		}
		return v.elo
	}
	mood := func(v *visitor) string {
		if v.mood == "" {
			return "calm"
		}
		return v.mood
	}
	return []opinion{
		{"Skill", fmt.Sprintf(custom, "PlayerNumerical", "Median", "JoiningPlayer", "600"), "Skill", 0, func(v *visitor, h *hall, _ bool) (float64, float64) {
			list := h.numbersOf(elo)
			if len(list) == 0 {
				return 0, math.NaN()
			}
			return nearTo((list[len(list)/2]+list[(len(list)-1)/2])/2, elo(v), 600)
		}},
		{"Power", fmt.Sprintf(custom, "PlayerNumerical", "Sum", "Constant", `3000, "constantValue": 4000`), "Power", 0, func(v *visitor, h *hall, _ bool) (float64, float64) {
			return nearTo(sum(h.numbersOf(elo))+elo(v), 4000, 3000)
		}},
		{"Mix", `, "type": "PlayerCategorical", "playerAttribute": "Mood", "distribution": "Diversify"`, "Mix", 0, func(v *visitor, h *hall, _ bool) (float64, float64) {
			_, alike := h.shareOf(func(g *visitor) bool { return mood(g) == mood(v) })
			if math.IsNaN(alike) {
				return 0, alike
			}
			return 1 - alike, alike
		}},
		{"Grade", `, "type": "ServerNumerical", "serverAttribute": "Level", "compareTo": "JoiningPlayer", "playerAttribute": "Elo", "maxRelevantDifference": 800`, "Grade", 0,
			func(v *visitor, h *hall, _ bool) (float64, float64) { return nearTo(h.level, elo(v), 800) }},
		{"Style", `, "type": "ServerCategorical", "serverAttribute": "Mode", "compareTo": "JoiningPlayer", "playerAttribute": "Mood"`, "Style", 0, func(v *visitor, h *hall, _ bool) (float64, float64) {
			if h.mode == mood(v) {
				return 1, 1
			}
			return 0, 0
		}},
	}
}

// judgement is the result of the twin.
type judgement struct {
	halls    []*hall // by id
	hosts    []*hall // by row
	friends  int
	contests int
	decided  map[string]int
	measures map[string][]float64
}

// rival is a server that a visitor may join.
type rival struct {
	*hall
	score float64
	parts []float64
}

// bestOf returns the index of the best server and the highest score. Of servers whose scores are
// equal to it up to rounding, the oldest is the best, then the one with the lowest id; this is
// the order of the list. -1: the list is empty.
func bestOf(rivals []rival) (place int, highest float64) {
	highest = math.Inf(-1)
	for _, r := range rivals {
		highest = max(highest, r.score)
	}
	return slices.IndexFunc(rivals, func(r rival) bool { return r.score >= highest-1e-9*max(1, highest) }), highest
}

// serversTrial is a random day and the rules of its servers.
type serversTrial struct {
	visitors []*visitor
	opinions []opinion
	minScore float64
	kept     int
}

// knows reports whether a visitor prefers a server because of a guest: one of the two lists the
// other as a friend, or they have the same household or party.
func (w *serversTrial) knows(v *visitor, h *hall) bool {
	return slices.ContainsFunc(h.guests, func(g *visitor) bool {
		return slices.Contains(v.friends, g.name) || slices.Contains(g.friends, v.name) ||
			v.household != "" && v.household == g.household || v.party != "" && v.party == g.party
	})
}

// judge places all visitors in the order of joining.
func (w *serversTrial) judge() *judgement {
	j := &judgement{decided: map[string]int{}, measures: map[string][]float64{}}
	for _, v := range w.visitors {
		for _, h := range j.halls {
			h.guests = slices.DeleteFunc(h.guests, func(g *visitor) bool { return g.at+g.stay <= v.at })
		}
		var rivals []rival
		for _, h := range j.halls {
			known := w.knows(v, h)
			if n := len(h.guests); n == 0 || n >= seats || n >= seats-w.kept && !known {
				continue
			}
			r := rival{hall: h}
			for _, o := range w.opinions {
				value, _ := o.of(v, h, known)
				r.parts = append(r.parts, o.weight*value)
				r.score += o.weight * value
			}
			rivals = append(rivals, r)
		}
		j.settle(w, v, rivals)
	}
	return j
}

// settle puts a visitor on the best server, or on a new one.
func (j *judgement) settle(w *serversTrial, v *visitor, rivals []rival) {
	best, highest := bestOf(rivals)
	if highest < w.minScore {
		site := slices.Index(v.rtt, slices.Min(v.rtt))
		h := &hall{id: len(j.halls), datacenter: site, mode: "calm", level: []float64{800, 1500, 1500}[site], guests: []*visitor{v}}
		j.halls, j.hosts = append(j.halls, h), append(j.hosts, h)
		j.measures["ping_ms"] = append(j.measures["ping_ms"], v.rtt[site])
		return
	}
	winner := rivals[best]
	known := w.knows(v, winner.hall)
	if known {
		j.friends++
	}
	for _, o := range w.opinions {
		if _, measure := o.of(v, winner.hall, known); !math.IsNaN(measure) {
			j.measures[o.metric] = append(j.measures[o.metric], measure)
		}
	}
	rest := slices.Delete(slices.Clone(rivals), best, best+1)
	if second, _ := bestOf(rest); second >= 0 {
		j.contests++
		if runnerUp := rest[second]; math.Abs(winner.score-runnerUp.score) > 1e-9*max(1, winner.score) {
			most, name := 0.0, ""
			for i, o := range w.opinions {
				if d := winner.parts[i] - runnerUp.parts[i]; d > most+1e-9 {
					most, name = d, o.name
				}
			}
			j.decided[name]++
		}
	}
	winner.guests = append(winner.guests, v)
	j.hosts = append(j.hosts, winner.hall)
}

// randomTrial draws a trial; in half of them values repeat, so that scores tie.
func randomTrial(r *rand.Rand) (w *serversTrial, revision string) {
	revision = []string{"2025-12", recentNow}[r.IntN(2)]
	w = &serversTrial{minScore: float64(max(0, r.IntN(6)-3)), kept: max(0, r.IntN(5)-2)}
	for _, o := range slices.Concat(serviceOpinions(revision), customOpinions()) {
		if o.weight = []float64{0.1, 1, 3}[r.IntN(3)]; r.IntN(2) == 0 {
			w.opinions = append(w.opinions, o)
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
		v := &visitor{at: at, stay: 1000 * int(number(20, 900)), name: strconv.Itoa(i), age: number(8, 60), elo: number(500, 2500),
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
		if i > 0 && r.IntN(4) == 0 { // joins together with the previous visitor
			other := w.visitors[i-1]
			if v.at, at = other.at, other.at; other.party == "" {
				other.party = "with " + v.name
			}
			v.party = other.party
		}
		w.visitors = append(w.visitors, v)
	}
	return w, revision
}

// stage returns the trial's day and rules in the form that the program reads.
func (w *serversTrial) stage(revision string) stage {
	var signals []string
	for _, o := range w.opinions {
		signals = append(signals, fmt.Sprintf(`{"signal": %q, "weight": %g%s}`, o.name, o.weight, o.form))
	}
	number := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return fmt.Sprint(x)
	}
	return stage{
		datacenters: measuredDatacenters(3),
		columns:     measuredColumns(3) + ",player_id,party_id,session_length,age,Elo,language,Mood,ip,friends,textChatGroups",
		day: func(yield func(float64, string) bool) {
			for _, v := range w.visitors {
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
		f := w.stage(revision).simulate(t)
		want := w.judge()
		records := f.records(t)
		if len(records) != len(w.visitors) {
			t.Fatalf("seed %d: %d players on servers, want %d", seed, len(records), len(w.visitors))
		}
		for _, record := range records {
			row, _ := strconv.Atoi(record["row"])
			if id := strconv.Itoa(want.hosts[row].id); record["match_id"] != id {
				t.Fatalf("seed %d: player %d is on server %s, want %s", seed, row, record["match_id"], id)
			}
		}
		want.compare(t, fmt.Sprint("seed ", seed), w, f.Servers)
		if t.Failed() {
			return
		}
	}
}

// compare compares the twin's metrics with those of the summary.
func (j *judgement) compare(t *testing.T, what string, w *serversTrial, got *placed) {
	joins := float64(len(w.visitors))
	equal := func(name string, got, want, within float64) {
		t.Helper()
		if !(math.Abs(got-want) <= within) {
			t.Errorf("%s: %s is %v, want %v", what, name, got, want)
		}
	}
	equal("placed", got.Placed, joins, 0)
	equal("opened", got.Opened, float64(len(j.halls)), 0)
	equal("contests", got.Contests, float64(j.contests), 0)
	equal("friends", got.Friends, float64(j.friends)/joins, 1e-5)
	for _, o := range w.opinions {
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
