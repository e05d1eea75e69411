package outcome

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// structsOf calls check for every struct type in a summary. check returns the field types to
// visit next.
func structsOf(of reflect.Type, seen map[reflect.Type]bool, check func(reflect.Type) []reflect.Type) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || seen[of] {
		return
	}
	seen[of] = true
	for _, field := range check(of) {
		structsOf(field, seen, check)
	}
}

// Every number in a summary is declared as a metric or excluded with meaning:"-".
func TestEveryNumberIsDeclared(t *testing.T) {
	structsOf(reflect.TypeFor[Summary](), map[reflect.Type]bool{}, func(of reflect.Type) (next []reflect.Type) {
		for field := range of.Fields() {
			if !holdsMetrics(field) {
				continue
			}
			quantity := field.Type
			if quantity.Kind() == reflect.Pointer {
				quantity = quantity.Elem()
			}
			if isNumber(quantity) && (field.Tag.Get("meaning") == "" || quantityOf(quantity).unit == UnitNone && quantity != reflect.TypeFor[Value]() && field.Tag.Get("unit") == "") {
				t.Errorf("%s.%s: want the tags meaning and, without a unit, what it counts", of.Name(), field.Name)
			}
			next = append(next, field.Type)
		}
		return next
	})
}

// The time of an extremum directly follows the extremum, because Aggregate and MetricValues rely
// on it, and its key ends in _at_s. The tags when and keys only name entries of conditions and
// knownKeys.
func TestTags(t *testing.T) {
	structsOf(reflect.TypeFor[Summary](), map[reflect.Type]bool{}, func(of reflect.Type) (next []reflect.Type) {
		before := ""
		for field := range of.Fields() {
			if extremum := field.Tag.Get("instant"); extremum != "" && (extremum != before || keyOf(field) != before+"_at_s") {
				t.Errorf("%s.%s: got instant of %q, want that of the field before, %q, with the key %s_at_s", of.Name(), field.Name, extremum, before, before)
			}
			before = keyOf(field)
			if keys := field.Tag.Get("keys"); keys != "" && knownKeys[keys] == nil {
				t.Errorf("%s.%s: keys %q are not in knownKeys", of.Name(), field.Name, keys)
			}
			for condition := range strings.SplitSeq(field.Tag.Get("when"), ", ") {
				if condition != "" && conditions[condition] == nil {
					t.Errorf("%s.%s: condition %q is not in the table conditions", of.Name(), field.Name, condition)
				}
			}
			next = append(next, field.Type)
		}
		return next
	})
}

// Every declaration is complete: no star is left in a meaning, every base is declared and counts
// something, and no two metrics have the same name.
func TestDeclarations(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Metrics() {
		if seen[m.Name] {
			t.Errorf("%s is declared twice", m.Name)
		}
		seen[m.Name] = true
		if m.Meaning == "" || strings.Contains(m.Meaning, "*") || strings.Contains(m.Meaning, "  ") || strings.HasSuffix(m.Meaning, ".") || strings.HasSuffix(m.Meaning, " ") ||
			m.Meaning[0] < '0' || m.Meaning[0] > 'Z' {
			t.Errorf("metric %s: got meaning %q, want one sentence without a full stop, a star or two spaces", m.Name, m.Meaning)
		}
		if strings.Contains(string(m.Better)+string(m.Unit), "*") || m.Better != BetterNot && m.Better != BetterLower && m.Better != BetterHigher {
			t.Errorf("metric %s: got direction %q and unit %q, want a known direction and no star", m.Name, m.Better, m.Unit)
		}
		if m.Base == "" {
			continue
		}
		for base := range strings.SplitSeq(m.Base, " - ") {
			if of, is := Find(base); !is || of.Unit.Sign() != "" || of.Unit == UnitNone || of.Base != "" {
				t.Errorf("metric %s: base %s is not a declared count", m.Name, base)
			}
		}
	}
}

// A mean, percentile or share without a base would be 0 if there is nothing to measure, and would
// then hold a limit max of a gate. Metrics without a base are listed here, each with a reason.
func TestMeansHaveABase(t *testing.T) {
	for _, m := range Metrics() {
		key := m.Name[strings.LastIndexByte(m.Name, '.')+1:]
		describes := m.Unit == UnitSeconds || m.Unit == UnitMillis || m.Unit == UnitShare || key == "mean" || strings.HasSuffix(key, "_mean")
		switch {
		case !describes, m.Base != "":
		case m.Whole != "": // a part of a whole that is missing is 0
		case strings.HasPrefix(m.Name, "latency.share_"): // of the joins, which are counted at the start
		case strings.HasPrefix(m.Name, "ccu."), m.Name == "servers.mean", m.Name == "fleet.machines_mean": // over time, not over players
		default:
			t.Errorf("%s has no base", m.Name)
		}
	}
}

// A family is declared once, and Find accepts any key in its names.
func TestFind(t *testing.T) {
	for name, want := range map[string]Metric{
		"wait_s.p95":                                        {Name: "wait_s.p95", Unit: UnitSeconds, Better: BetterLower, Base: "wait_s.count", Meaning: "95th percentile of the wait of all searches that ended in a match"},
		"by_datacenter.sao.paulo.rtt_mean_ms":               {Name: "by_datacenter.sao.paulo.rtt_mean_ms", Unit: UnitMillis, Better: BetterLower, Base: "by_datacenter.sao.paulo.players", Meaning: "Mean RTT of matched players in one datacenter"},
		"by_attribute_decile.mmr.now.3.spread_mean":         {Name: "by_attribute_decile.mmr.now.3.spread_mean", Better: BetterLower, Base: "by_attribute_decile.mmr.now.3.players", Meaning: "Mean spread (highest minus lowest value of the attribute) in the player's match, over matched players in one decile of an attribute"},
		"queues.duel.rules.relaxation.skill.stages.2.share": {Name: "queues.duel.rules.relaxation.skill.stages.2.share", Unit: UnitShare, Whole: "queues.duel.rules.relaxation.skill", When: "several queues, a ruleset", Meaning: "Share of matches that start at one stage of the rule's expansion"},
		"rules.relaxation.skill.share_relaxed":              {Name: "rules.relaxation.skill.share_relaxed", Unit: UnitShare, Better: BetterLower, Base: "rules.matches", When: "one queue, a ruleset", Meaning: "Share of matches for which the rule was relaxed"},
		"rules.expiry.too_few.share":                        {Name: "rules.expiry.too_few.share", Unit: UnitShare, Base: "rules.expiry.explained", When: "one queue, a ruleset", Meaning: "Share of tickets that found no match because too few players were waiting for a match"},
		"servers.metrics.age_difference.p90":                {Name: "servers.metrics.age_difference.p90", Better: BetterLower, Base: "servers.metrics.age_difference.count", When: "players on servers", Meaning: "90th percentile of the measure that the key names, over placed players with a value"},
		"servers.score_mean":                                {Name: "servers.score_mean", Base: "servers.placed - servers.opening", When: "players on servers", Meaning: "Mean score of the chosen servers, over players who had at least one running server to choose"},
	} {
		got, is := Find(name)
		got.Matters, got.Step, got.phrase = Matters{}, Step{}, "" // TestMatters, TestStep and TestInWords test them
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Metric{})); !is || diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for _, name := range []string{"", "wait_s", "wait_s.p59", "by_datacenter.rtt_mean_ms", "by_datacenter..rtt_mean_ms", "run.seed", "thresholds_ms.ideal", "ccu.peak_at_s", "by_datacenter.a.latitude"} {
		if m, is := Find(name); is {
			t.Errorf("Find(%q): got %+v, want no metric", name, m)
		}
	}
}

func TestBetterOf(t *testing.T) {
	for better, names := range map[Better][]string{
		BetterLower: {"servers.metrics.age_difference.p90", "wait_s.p95", "wait_first_s.mean", "rtt_ms.max", "delta_rtt_ms.p50", "rtt_estimate_ms.mean",
			"by_datacenter.sao.paulo.rtt_p95_ms", "by_hour.3.wait_mean_s", "by_continent.EU.failed", "players.expired",
			"attributes.mmr.spread_mean", "matches.repeat_share", "ccu.searching_mean", "states.warmbody.share"},
		BetterHigher: {"servers.preferred_player_match_ratio", "servers.metrics.common_language_ratio.avg", "rtt_ms.share_le_50", "wait_s.share_zero", "matches.fill"},
		BetterNot: {"servers.opened", "servers.metrics.age_difference.count", "servers.metrics.occupancy_ratio.avg", "failed_wait_s.mean", "failed_wait_s.share_zero", "bots_wait_s.p95", "wait_s.count", "players.matched", "ccu.peak", "states.ideal.share",
			"states.ideal.wait_mean_s", "rtt_ms.share_le_ideal", "latency.share_map", "by_hour.3.players", "by_attribute_decile.mmr.0.from"},
	} {
		for _, name := range names {
			if got := BetterOf(name); got != better {
				t.Errorf("%s: got %q, want %q", name, got, better)
			}
		}
	}
}

func TestPlayersOf(t *testing.T) {
	for name, want := range map[string]string{
		"by_continent.EU.rtt_mean_ms": "by_continent.EU.players", "by_hour.3.failed": "by_hour.3.players",
		"wait_s.p95": "wait_s.count", "wait_s.count": "wait_s.count", "delta_rtt_ms.mean": "rtt_ms.count", "matches.fill": "matches.players",
		"states.ideal.rtt_mean_ms": "states.ideal.matched", "servers.metrics.ping_ms.p90": "servers.metrics.ping_ms.count",
		"by_attribute_decile.mmr.now.3.spread_mean": "by_attribute_decile.mmr.now.3.players",
		"players.expired": "players.expired", "queues.eu.players.failed": "queues.eu.players.failed", "ccu.peak": "",
		"attributes.mmr.spread_mean": "", "rules.share_relaxed": "", "latency.share_map": "", "x": "",
	} {
		if got := PlayersOf(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// Runs have the metrics of the blocks that they are configured with, with the keys known before a
// run.
func TestExpected(t *testing.T) {
	plain := Expected{Datacenters: []string{"sao.paulo"}, Continents: []string{"EU"}, Attributes: []string{"mmr"}, Queues: []ExpectedQueue{{Name: "only"}}}
	ranked := Expected{Queues: []ExpectedQueue{{Ruleset: true, Rules: []string{"skill"}}}}
	reported := Expected{Queues: []ExpectedQueue{{Ruleset: true, Statistics: true}}}
	several := Expected{Attributes: []string{"mmr"}, Queues: []ExpectedQueue{{Name: "duel"}, {Name: "team", Ruleset: true, Rules: []string{"skill"}}}, Facts: Facts{Jitter: true}}
	for name, test := range map[string]struct {
		of   Expected
		want bool
	}{
		"by_datacenter.sao.paulo.rtt_mean_ms": {plain, true}, "by_datacenter.*.rtt_mean_ms": {plain, false}, "by_hour.23.failed": {plain, true}, "by_hour.24.failed": {plain, false},
		"by_party_size.*.players": {plain, true}, "by_attribute_decile.mmr.*.from": {plain, true}, "attributes.mmr.matches": {plain, true}, "attributes.*.matches": {plain, false},
		"rules.matches": {plain, false}, "servers.opened": {plain, false}, "queues.only.wait_s.mean": {plain, false}, "rtt_estimate_ms.mean": {plain, false}, "overlaps.*.matches": {plain, false},
		"queues.duel.wait_s.mean": {several, true}, "queues.duel.attributes.mmr.matches": {several, true}, "queues.duel.rules.share_relaxed": {several, false},
		"queues.team.rules.relaxation.skill.stages.*.count": {several, true}, "queues.team.queue_statistics.players_matching": {several, false},
		"rtt_estimate_ms.sd": {several, true}, "overlaps.*.share_any": {several, true}, "rules.share_relaxed": {several, false},
		"rules.fill_at_start": {ranked, true}, "rules.relaxation.skill.share_relaxed": {ranked, true}, "rules.relaxation.*.share_relaxed": {ranked, false}, "queue_statistics.players_matching": {ranked, false},
		"queue_statistics.time_to_match_s.p50": {reported, true}, "servers.metrics.*.avg": {Expected{Servers: true}, true},
	} {
		if got := slices.Contains(Names(test.of.Metrics()), name); got != test.want {
			t.Errorf("%s: got listed %v of %+v, want the opposite", name, got, test.of)
		}
	}
}

// A file may have an item with an empty name.
func TestEmptyName(t *testing.T) {
	s := &Summary{ByContinent: Groups{{Served: Served{Players: 7}}}}
	for _, v := range s.MetricValues() {
		if v.Name == "by_continent..players" && v.Value == 7 {
			return
		}
	}
	t.Error("got no metric of the group without a name")
}

// Keys may contain stars and dots, because they are names from data files.
func TestNamesOfItems(t *testing.T) {
	s := &Summary{ByAttributeDecile: Deciles{{Name: "a*b", Deciles: []Decile{{From: 7}}}}}
	for _, v := range s.MetricValues() {
		if v.Name == "by_attribute_decile.a*b.0.from" && v.Value == 7 {
			return
		}
	}
	t.Error("the metrics do not contain the decile of the attribute a*b")
}
