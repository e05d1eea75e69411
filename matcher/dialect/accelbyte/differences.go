package accelbyte

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// differences lists how the service deviates from its documentation, if that may change the
// outcome under this ruleset.
func (r *Ruleset) differences() []jsontree.Warning {
	d := differences{set: r, pivot: r.Rules.Pivot}
	d.keys()
	d.times()
	d.distances()
	d.options()
	d.regions()
	d.teams()
	d.sessions()
	return d.list
}

type differences struct {
	set   *Ruleset
	pivot *matcher.PivotRules
	list  []jsontree.Warning
}

// add adds a difference that a key causes, if the key is present.
func (d *differences) add(key, format string, args ...any) {
	if v, ok := member(d.set.value, key); ok {
		d.at(v, key+": "+format, args...)
	}
}

func (d *differences) at(v jsontree.Value, format string, args ...any) {
	w := jsontree.Warning{Place: v.Place(), Message: "service and documentation differ: " + fmt.Sprintf(format, args...)}
	if !slices.Contains(d.list, w) {
		d.list = append(d.list, w)
	}
}

// keys adds differences about keys that the service or the documentation does not know.
func (d *differences) keys() {
	const never, version = "disable_bidirectional_latency_after_ms", "rebalance_version"
	if v, _ := member(d.set.value, never); v.Kind() == jsontree.Number && strings.HasPrefix(v.String(), "-") {
		d.at(v, "%s: the service refuses a ruleset with a negative one", never)
	}
	if v, _ := member(d.set.value, version); v.Kind() == jsontree.Number && strings.ContainsAny(v.String(), ".eE") {
		d.at(v, "%s: the service refuses a ruleset with a decimal point there", version)
	}
	for _, list := range []string{"matching_rule", "flexing_rule"} {
		rules, _ := member(d.set.value, list)
		for i, rule := range rules.Elements() {
			for _, key := range []string{"max", "is_for_balancing"} {
				if v, ok := member(rule, key); ok {
					d.at(v, "%s[%d]: %s: the service does not know this key", list, i, key)
				}
			}
		}
	}
}

// times adds differences about the times at which entries become active.
func (d *differences) times() {
	d.at(d.set.value, "the service cuts times of creation down to the second, and orders tickets by them")
	for _, key := range []string{"flexing_rule", "alliance_flexing_rule"} {
		if v, _ := member(d.set.value, key); len(v.Elements()) > 0 {
			d.at(v, "%s: at the service an entry holds once its duration has passed, not when it is reached", key)
		}
	}
	if len(d.pivot.Sizes) > 1 {
		d.add("alliance_flexing_rule", "at the service a ticket that asks for more teams than tickets are left ends the pass for all behind it")
	}
}

// distances adds differences about flexing_rule.
func (d *differences) distances() {
	first := map[matcher.Column]bool{}
	for i := range d.pivot.Distances {
		rule := &d.pivot.Distances[i]
		if len(rule.Max) > 1 && first[rule.Column] || len(rule.Max) == 1 && first[rule.Column] && len(d.set.flexing) > 0 {
			d.add("flexing_rule", "at the service it relaxes the first rule for an attribute only; %s has two", rule.Name)
		}
		first[rule.Column] = true
		for _, stage := range rule.Max {
			if stage.Absent {
				d.add("flexing_rule", "at the service %s is tested for neither side while the older ticket's is not about distance", rule.Name)
				break
			}
		}
	}
}

// options adds differences about match options and attributes.
func (d *differences) options() {
	options, _ := member(d.set.value, "match_options")
	list, _ := member(options, "options")
	for i, option := range list.Elements() {
		v, _ := member(option, "type")
		text := map[string]string{
			"any":    "every candidate that the service admits narrows the values for all behind it, also if it is not chosen",
			"all":    "the service admits a candidate with more values than the oldest ticket, and then gives up the whole match",
			"unique": "the service admits candidates that share a value with each other, and then gives up the whole match",
		}[v.Text()]
		if text != "" {
			d.at(v, "match_options.options[%d]: %s; one that the oldest ticket lacks is not asked for until then", i, text)
		}
	}
	if !d.set.freeOthers {
		d.at(d.set.value, "other attributes are compared at the service if the oldest ticket has them, and not the other way round")
	}
	if d.pivot.Blocking == matcher.KeepApart {
		d.at(d.set.value, "blocked_player_option: at the service players who are admitted and not chosen keep others away too")
	}
}

// regions adds differences about round-trip times.
func (d *differences) regions() {
	if !d.set.HasRegionRule() {
		return
	}
	initial, _ := member(d.set.value, "region_latency_initial_range_ms")
	if ms, _ := initial.Float(); ms > 0 {
		d.at(initial, "region_latency_initial_range_ms: the service counts it from a ticket's own nearest region, the documentation from 0")
	}
	d.at(d.set.value, "region latency: at the service the range grows once region_expansion_rate_ms has passed, not when it is reached")
	d.add("region_latency_max_ms", "at the service a ticket that reaches no region may be matched in any")
	if d.pivot.Region.OneWayAfterMS != matcher.Never {
		d.add("disable_bidirectional_latency_after_ms", "the service then ignores region_latency_max_ms for candidates")
	}
}

// teams adds differences about the division of tickets into teams.
func (d *differences) teams() {
	alliance := d.set.alliance[0]
	sizes := d.pivot.Sizes[0]
	if sizes.MaxPlayers > 1 {
		d.at(alliance, "alliance: the service fills teams by first fit and tries no other packing of parties")
	}
	if sizes.MaxTeams > 1 && sizes.MinPlayers < sizes.MaxPlayers {
		d.at(alliance, "alliance: at the service tickets fill up one team after the other, also where that leaves a party without a seat")
	}
	if d.pivot.Balance && sizes.MaxTeams > 1 && sizes.MaxTeams*sizes.MaxPlayers > 12 {
		d.at(alliance, "rebalance_enable: of more than 12 tickets the service looks at 1000 divisions into teams")
	}
}

// sessions adds differences about running matches.
func (d *differences) sessions() {
	if d.pivot.Backfill {
		d.add("auto_backfill", "at the service a session behind one that fills up may be passed over for the pass")
		return
	}
	d.at(d.set.value, "auto_backfill: the service fills the open sessions of a scene, whatever this says")
}
