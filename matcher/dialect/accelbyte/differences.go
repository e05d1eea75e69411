package accelbyte

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// differences lists the differences between the service and its documentation that may change the
// results of this ruleset. Each becomes a warning at the key that causes it.
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

// add adds a difference at a key of the ruleset, if the key is present.
func (d *differences) add(key, format string, args ...any) {
	if v, ok := member(d.set.value, key); ok {
		d.at(v, key+": "+format, args...)
	}
}

// at adds a difference at a value.
func (d *differences) at(v jsontree.Value, format string, args ...any) {
	w := jsontree.Warning{Position: v.Position(), Message: "the service and its documentation differ: " + fmt.Sprintf(format, args...)}
	if !slices.Contains(d.list, w) {
		d.list = append(d.list, w)
	}
}

// keys adds differences about keys that only the service or only the documentation accepts.
func (d *differences) keys() {
	const never, version = "disable_bidirectional_latency_after_ms", "rebalance_version"
	if v, _ := member(d.set.value, never); v.Kind() == jsontree.Number && strings.HasPrefix(v.String(), "-") {
		d.at(v, "%s: the service refuses a ruleset with a negative value here", never)
	}
	if v, _ := member(d.set.value, version); v.Kind() == jsontree.Number && strings.ContainsAny(v.String(), ".eE") {
		d.at(v, "%s: the service refuses a ruleset with a decimal point or an exponent here", version)
	}
	for _, list := range []string{"matching_rule", "flexing_rule"} {
		rules, _ := member(d.set.value, list)
		for i, rule := range rules.Elements() {
			for _, key := range []string{"max", "is_for_balancing"} {
				if v, ok := member(rule, key); ok {
					d.at(v, "%s[%d]: %s: the service ignores this key", list, i, key)
				}
			}
		}
	}
}

// times adds differences about the times at which entries become active.
func (d *differences) times() {
	d.at(d.set.value, "the service rounds the creation times of tickets down to whole seconds")
	for _, key := range []string{"flexing_rule", "alliance_flexing_rule"} {
		if v, _ := member(d.set.value, key); len(v.Elements()) > 0 {
			d.at(v, "%s: the service applies an entry when the wait exceeds its duration, the documentation when the wait reaches it", key)
		}
	}
	if len(d.pivot.Sizes) > 1 {
		d.add("alliance_flexing_rule", "if a ticket needs more teams than there are tickets left, the service ends the pass for all newer tickets too")
	}
}

// distances adds differences about flexing_rule.
func (d *differences) distances() {
	first := map[matcher.Column]bool{}
	for i := range d.pivot.Distances {
		rule := &d.pivot.Distances[i]
		if len(rule.Max) > 1 && first[rule.Column] || len(rule.Max) == 1 && first[rule.Column] && len(d.set.flexing) > 0 {
			d.add("flexing_rule", "the service relaxes only the first of several rules for the same attribute, such as %s", rule.Name)
		}
		first[rule.Column] = true
		for _, stage := range rule.Max {
			if math.IsInf(stage.Value, 1) {
				d.add("flexing_rule", "while the criteria of %s for the older ticket is not distance, the service tests the rule for neither ticket", rule.Name)
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
			"any":    "a candidate that the service admits narrows the allowed values for later candidates, even if it does not join the match",
			"all":    "the service admits a candidate that has more values than the oldest ticket, and then discards the whole match",
			"unique": "the service admits candidates that share a value with each other, and then discards the whole match",
		}[v.Text()]
		if text != "" {
			d.at(v, "match_options: options[%d]: %s; if the oldest ticket lacks the option, the service checks it only in the complete match", i, text)
		}
	}
	if !d.set.freeOthers {
		d.at(d.set.value, "the service compares an attribute that is not in match_options only if the oldest ticket has it")
	}
	if d.pivot.Blocking == matcher.KeepApart {
		d.at(d.set.value, "blocked_player_option: the service also applies the blocks of candidates that it admitted but did not put into the match")
	}
}

// regions adds differences about round-trip times.
func (d *differences) regions() {
	if !d.set.HasRegionRule() {
		return
	}
	initial, _ := member(d.set.value, "region_latency_initial_range_ms")
	if ms, _ := initial.Float(); ms > 0 {
		d.at(initial, "region_latency_initial_range_ms: the service adds the range to the latency of the ticket's nearest region, the documentation to 0 ms")
	}
	d.at(d.set.value, "region_expansion_rate_ms: the service expands the range when the wait exceeds the rate, the documentation when the wait reaches it")
	d.add("region_latency_max_ms", "the service may match a ticket without a region in range in any region")
	if d.pivot.Region.OneWayAfterMS != matcher.Never {
		d.add("disable_bidirectional_latency_after_ms", "after this wait, the service ignores region_latency_max_ms for candidates")
	}
}

// teams adds differences about the division of tickets into teams.
func (d *differences) teams() {
	alliance := d.set.alliance[0]
	sizes := d.pivot.Sizes[0]
	if sizes.MaxPlayers > 1 {
		d.at(alliance, "alliance: the service puts parties into teams by first fit and tries no other division")
		d.at(alliance, "alliance: if the oldest ticket finds no seat, the service makes the match without it")
	}
	if sizes.MaxTeams > 1 && sizes.MinPlayers < sizes.MaxPlayers {
		d.at(alliance, "alliance: the service fills one team after another, even if that leaves no seat for a party")
	}
	if d.pivot.Blocking == matcher.OtherTeams {
		d.add("blocked_player_option", "the service never puts a ticket that blocks one of its own players into a team")
	}
	if d.pivot.Balance && sizes.MaxTeams > 1 && sizes.MaxTeams*sizes.MaxPlayers > 12 {
		d.at(alliance, "rebalance_enable: for a match of more than 12 tickets, the service tries only 1000 divisions into teams")
	}
}

// sessions adds differences about running matches.
func (d *differences) sessions() {
	if d.pivot.Backfill {
		d.add("auto_backfill", "when a session becomes full, the service may skip the next session in this pass")
		return
	}
	d.at(d.set.value, "auto_backfill: the service fills the open sessions of a scene even without auto_backfill")
}
