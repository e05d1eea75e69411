package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// The model makes the same decisions in a pass as the released AccelByte service. It is written
// only from the specification and does not use the engine. It decodes case files with
// encoding/json, reads every ticket every time, and keeps no state between searches. The tests
// compare its decisions with those of package accelservice.

// modelCase is a case file.
type modelCase struct {
	Name     string          `json:"name"`
	Rules    json.RawMessage `json:"rules"`
	At       float64         `json:"at"`
	Tickets  []*modelTicket  `json:"tickets"`
	Sessions []*modelSession `json:"sessions"`
	Expect   *modelOutcome   `json:"expect,omitempty"`
}

type modelAlliance struct {
	MinNumber       int `json:"min_number"`
	MaxNumber       int `json:"max_number"`
	PlayerMinNumber int `json:"player_min_number"`
	PlayerMaxNumber int `json:"player_max_number"`
}

type modelRule struct {
	Duration         float64  `json:"duration"`
	Attribute        string   `json:"attribute"`
	Criteria         string   `json:"criteria"`
	Reference        float64  `json:"reference"`
	NormalizationMax float64  `json:"normalizationMax"`
	Weight           *float64 `json:"weight"`
	IsForBalancing   *bool    `json:"isForBalancing"`
}

type modelOption struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

type modelRules struct {
	Alliance        modelAlliance `json:"alliance"`
	AllianceFlexing []struct {
		Duration float64 `json:"duration"`
		modelAlliance
	} `json:"alliance_flexing_rule"`
	MatchingRule []modelRule `json:"matching_rule"`
	FlexingRule  []modelRule `json:"flexing_rule"`
	MatchOptions struct {
		Options []modelOption `json:"options"`
	} `json:"match_options"`
	Referred         bool     `json:"match_options_referred_for_backfill"`
	InitialRange     float64  `json:"region_latency_initial_range_ms"`
	ExpansionRange   float64  `json:"region_expansion_range_ms"`
	ExpansionRate    float64  `json:"region_expansion_rate_ms"`
	MaxLatency       float64  `json:"region_latency_max_ms"`
	RegionWeight     *float64 `json:"region_latency_rule_weight"`
	BidirectionalOff float64  `json:"disable_bidirectional_latency_after_ms"`
	Blocked          string   `json:"blocked_player_option"`
	Rebalance        *bool    `json:"rebalance_enable"`
	RebalanceVersion *int     `json:"rebalance_version"`
}

type modelPlayer struct {
	ID         string             `json:"id"`
	Attributes map[string]any     `json:"attributes,omitempty"`
	Latencies  map[string]float64 `json:"latencies,omitempty"`
}

type modelTicket struct {
	ID         string         `json:"id"`
	CreatedAt  float64        `json:"created_at"`
	Players    []modelPlayer  `json:"players"`
	Attributes map[string]any `json:"attributes,omitempty"`
}

type modelTeam struct {
	Name    string        `json:"name"`
	Players []modelPlayer `json:"players"`
}

type modelSession struct {
	ID         string         `json:"id"`
	CreatedAt  float64        `json:"created_at"`
	Region     string         `json:"region,omitempty"`
	Attributes map[string]any `json:"attributes,omitempty"`
	Teams      []*modelTeam   `json:"teams"`
}

// modelMatch is a new match, or the tickets that joined a session.
type modelMatch struct {
	Session string     `json:"session,omitempty"`
	Tickets []string   `json:"tickets"`
	Teams   [][]string `json:"teams,omitempty"`
	Region  *string    `json:"region,omitempty"`
}

type modelOutcome struct {
	Error     string       `json:"error,omitempty"`
	Matches   []modelMatch `json:"matches"`
	Backfills []modelMatch `json:"backfills"`
	Unmatched []string     `json:"unmatched"`
}

// model has the rules and the state of one pass.
type model struct {
	modelRules
	at   float64
	core bool           // set for a build of the service that does not rebalance teams
	list []*modelTicket // tickets still in the pool: in the order of the scene during backfill, by age during pass
	out  *modelOutcome
}

// runModel makes one pass over a scene and returns its outcome.
func runModel(c *modelCase) (*modelOutcome, error) {
	m := &model{at: c.At, out: &modelOutcome{}}
	if err := json.Unmarshal(c.Rules, &m.modelRules); err != nil {
		return nil, err
	}
	if m.BidirectionalOff < 0 {
		return nil, errors.New("disable_bidirectional_latency_after_ms is negative")
	}
	m.core = m.Rebalance != nil && !*m.Rebalance
	widest := 0.0
	for _, f := range m.FlexingRule {
		if f.Criteria == "distance" {
			widest = max(widest, f.Reference)
		}
	}
	for i := range m.MatchingRule {
		if r := &m.MatchingRule[i]; r.Criteria == "distance" && r.NormalizationMax == 0 {
			r.NormalizationMax = max(r.Reference, widest)
		}
	}
	m.list = slices.Clone(c.Tickets)
	m.backfill(c.Sessions) // backfill reads the tickets in the order of the scene, unlike pass
	slices.SortStableFunc(m.list, func(a, b *modelTicket) int { return int(math.Floor(a.CreatedAt) - math.Floor(b.CreatedAt)) })
	m.pass()
	for _, t := range c.Tickets {
		if !m.out.took(t.ID) {
			m.out.Unmatched = append(m.out.Unmatched, t.ID)
		}
	}
	return m.out, nil
}

func (o *modelOutcome) took(id string) bool {
	in := func(m modelMatch) bool { return slices.Contains(m.Tickets, id) }
	return slices.ContainsFunc(o.Matches, in) || slices.ContainsFunc(o.Backfills, in)
}

func (m *model) age(createdAt float64) float64 { return m.at - math.Floor(createdAt) }

// alliance returns the alliance that applies after a wait in seconds.
func (m *model) alliance(age float64) modelAlliance {
	a, longest := m.Alliance, -1.0
	for _, f := range m.AllianceFlexing {
		if age > f.Duration && f.Duration >= longest {
			a, longest = f.modelAlliance, f.Duration
		}
	}
	return a
}

// flexed returns the matching rules that apply after a wait in seconds.
func (m *model) flexed(age float64) []modelRule {
	rules, longest := slices.Clone(m.MatchingRule), map[string]float64{}
	for _, f := range m.FlexingRule {
		if before, counted := longest[f.Attribute]; age <= f.Duration || counted && f.Duration < before {
			continue
		}
		longest[f.Attribute] = f.Duration
		if i := slices.IndexFunc(rules, func(r modelRule) bool { return r.Attribute == f.Attribute }); i >= 0 {
			rules[i].Reference, rules[i].Criteria = f.Reference, f.Criteria
		}
	}
	return rules
}

func players(tickets []*modelTicket) (n int) {
	for _, t := range tickets {
		n += len(t.Players)
	}
	return n
}

// modelMean returns the value of a ticket's attribute, which is the mean over its players.
func modelMean(list []modelPlayer, attribute string) float64 {
	sum := 0.0
	for _, p := range list {
		if x, ok := p.Attributes[attribute].(float64); ok {
			sum += x
		}
	}
	return sum / float64(len(list))
}

// pass makes new matches.
func (m *model) pass() {
	base := m.Alliance
	if base == (modelAlliance{1, 1, 1, 1}) {
		for _, t := range m.list {
			region := ""
			if all := m.regions(t, false); len(all) > 0 {
				region = all[0]
			}
			match := modelMatch{Tickets: []string{t.ID}, Teams: [][]string{idsOf(t.Players)}, Region: &region}
			m.out.Matches = append(m.out.Matches, match)
		}
		return
	}
	flexing := len(m.AllianceFlexing) > 0
	if !flexing && (len(m.list) < base.MinNumber || players(m.list) < base.MinNumber*base.PlayerMinNumber) {
		return
	}
	for len(m.list) > 0 {
		pivot := m.list[0]
		a := m.alliance(m.age(pivot.CreatedAt))
		if m.match(pivot, a) {
			if len(m.list) < a.MinNumber {
				return
			}
			continue
		}
		if len(m.list) < a.MinNumber || !flexing && players(m.list) < a.MinNumber*a.PlayerMinNumber {
			return
		}
		m.list = m.list[1:]
	}
}

// match tries the regions of a pivot one after another, and reports whether it made a match.
func (m *model) match(pivot *modelTicket, a modelAlliance) bool {
	tries := m.regions(pivot, true)
	regionless := len(tries) == 0
	if regionless {
		tries = []string{""}
	}
	for _, region := range tries {
		list := m.candidates(pivot, region)
		if 1+len(list) < a.MinNumber || len(pivot.Players)+players(list) < a.MinNumber*a.PlayerMinNumber {
			continue
		}
		teams := m.teams(append([]*modelTicket{pivot}, list...), a)
		if !m.valid(teams, a) { // the pivot need not be in a team
			continue
		}
		if !m.optionsHold(slices.Concat(teams...)) {
			continue
		}
		if all := m.regions(pivot, false); regionless && len(all) > 0 {
			region = all[0]
		}
		match := modelMatch{Region: &region}
		for _, team := range teams {
			var ids []string
			for _, t := range team {
				match.Tickets, ids = append(match.Tickets, t.ID), append(ids, idsOf(t.Players)...)
			}
			match.Teams = append(match.Teams, ids)
		}
		m.out.Matches = append(m.out.Matches, match)
		m.list = slices.DeleteFunc(m.list, func(t *modelTicket) bool { return slices.Contains(match.Tickets, t.ID) })
		return true
	}
	return false
}

func idsOf(list []modelPlayer) (ids []string) {
	for _, p := range list {
		ids = append(ids, p.ID)
	}
	return ids
}

// latencies returns a ticket's latency for each region: the mean over the players that measured
// any region. A region that one of these players did not measure is left out.
func latencies(list []modelPlayer) map[string]float64 {
	sums, count := map[string]float64{}, 0
	for _, p := range list {
		if len(p.Latencies) == 0 {
			continue
		}
		if count++; count == 1 {
			for region, ms := range p.Latencies {
				sums[region] = ms
			}
			continue
		}
		for region := range sums {
			if ms, ok := p.Latencies[region]; ok {
				sums[region] += ms
			} else {
				delete(sums, region)
			}
		}
	}
	for region := range sums {
		sums[region] /= float64(count)
	}
	return sums
}

// regions returns a ticket's regions in order of latency: only those within reach if inReach is
// set, otherwise all.
func (m *model) regions(t *modelTicket, inReach bool) (list []string) {
	all, lowest := latencies(t.Players), math.Inf(1)
	for _, ms := range all {
		lowest = min(lowest, ms)
	}
	step, rate := m.ExpansionRange, m.ExpansionRate
	if step == 0 {
		step = 50
	}
	if rate == 0 {
		rate = 5000
	}
	steps := max(math.Ceil(m.age(t.CreatedAt)*1000/rate)-1, 0)
	limit := lowest + (m.InitialRange + steps*step)
	for region, ms := range all {
		if !inReach || ms <= limit && (m.MaxLatency == 0 || ms <= m.MaxLatency) {
			list = append(list, region)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		if all[a] != all[b] {
			return int(math.Copysign(1, all[a]-all[b]))
		}
		return strings.Compare(a, b)
	})
	return list
}

// text returns a value of an option as the text that the service compares.
func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return fmt.Sprint(v)
}

// optionOf returns the values of an option, or false if the attribute is missing.
func optionOf(attributes map[string]any, name string) (values []string, has bool) {
	v, ok := attributes[name]
	if !ok || v == nil {
		return nil, false
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, e := range list {
		if s := text(e); !slices.Contains(values, s) {
			values = append(values, s)
		}
	}
	return values, len(values) > 0
}

// modelScan is the state of a scan. Later candidates are tested against it.
type modelScan struct {
	*model
	age        float64
	rules      []modelRule
	value      func(attribute string) float64
	attributes map[string]any
	session    bool
	users      []string            // players of the pivot; no candidate may contain any of them
	wanted     map[string][]string // indexed by option: the values that candidates must have
	members    []string            // players of the pivot and of all admitted tickets
	platforms  []string            // platforms of the members; used only with an option cross_platform of type any
	blocks     []string            // players whom the members block
}

// scanOf starts a scan around a pivot or a session.
func (m *model) scanOf(createdAt float64, list []modelPlayer, attributes map[string]any) *modelScan {
	s := &modelScan{model: m, age: m.age(createdAt), attributes: attributes, users: idsOf(list), members: idsOf(list), wanted: map[string][]string{}}
	s.rules = m.flexed(s.age)
	s.value = func(attribute string) float64 { return modelMean(list, attribute) }
	for _, o := range m.MatchOptions.Options {
		if values, has := optionOf(attributes, o.Name); has && o.Type != "disable" {
			s.wanted[o.Name] = values
		}
	}
	s.blocks, _ = optionOf(attributes, "blocked_players")
	if s.kind("cross_platform") == "any" {
		s.platforms, _ = optionOf(attributes, "current_platform")
	}
	return s
}

// modelRated is an admitted ticket with its score.
type modelRated struct {
	*modelTicket
	score, latency float64
}

// candidates returns the candidates of a pivot in a region, in order of score. If region is "",
// regions are not compared.
func (m *model) candidates(pivot *modelTicket, region string) []*modelTicket {
	s := m.scanOf(pivot.CreatedAt, pivot.Players, pivot.Attributes)
	var admitted []modelRated
	for _, t := range m.list {
		if t == pivot {
			continue
		}
		score, ok := s.passes(t)
		if !ok {
			continue
		}
		if part, reaches := s.region(t, region); reaches {
			admitted = append(admitted, modelRated{t, score + part, 0})
			s.admit(t)
		}
	}
	return ranked(admitted)
}

func ranked(admitted []modelRated) (list []*modelTicket) {
	slices.SortStableFunc(admitted, func(a, b modelRated) int {
		for _, x := range []float64{a.score - b.score, a.latency - b.latency, math.Floor(a.CreatedAt) - math.Floor(b.CreatedAt)} {
			if x != 0 {
				return int(math.Copysign(1, x))
			}
		}
		return 0
	})
	for _, r := range admitted {
		list = append(list, r.modelTicket)
	}
	return list
}

// passes reports whether a candidate passes all tests except the test of its region, and returns
// its score.
func (s *modelScan) passes(t *modelTicket) (score float64, ok bool) {
	if meet(s.users, idsOf(t.Players)) {
		return 0, false
	}
	own := s.flexed(s.model.age(t.CreatedAt))
	for _, r := range s.rules {
		if r.Criteria != "distance" {
			continue
		}
		difference := math.Abs(modelMean(t.Players, r.Attribute) - s.value(r.Attribute))
		if difference > r.Reference {
			return 0, false
		}
		if i := slices.IndexFunc(own, func(o modelRule) bool { return o.Attribute == r.Attribute && o.Criteria == "distance" }); i >= 0 && difference > own[i].Reference {
			return 0, false
		}
		weight := 1.0
		if r.Weight != nil {
			weight = *r.Weight
		}
		if r.NormalizationMax > 0 {
			part := difference / r.NormalizationMax * weight
			score += part
		} else {
			score += difference
		}
	}
	if !s.sameAttributes(t) || s.Blocked == "" && s.blocked(t) || s.Blocked == "blockedPlayerCannotMatch" && s.blocked(t) {
		return 0, false
	}
	if len(s.platforms) > 0 && !s.platformsFit(t) {
		return 0, false
	}
	for name, wanted := range s.wanted {
		values, has := optionOf(t.Attributes, name)
		if !has {
			return 0, false
		}
		switch s.kind(name) {
		case "any":
			ok = meet(wanted, values)
		case "all":
			ok = subset(wanted, values)
		case "unique":
			ok = !meet(wanted, values)
		}
		if !ok {
			return 0, false
		}
	}
	return score, true
}

// platformsFit reports whether a ticket accepts all platforms of the scan's members, and the scan
// accepts all platforms of the ticket.
func (s *modelScan) platformsFit(t *modelTicket) bool {
	theirs, has := optionOf(t.Attributes, "current_platform")
	want, _ := optionOf(t.Attributes, "cross_platform")
	return has && subset(s.platforms, want) && subset(theirs, s.wanted["cross_platform"])
}

func (m *model) kind(option string) string {
	i := slices.IndexFunc(m.MatchOptions.Options, func(o modelOption) bool { return o.Name == option })
	if i < 0 {
		return ""
	}
	return m.MatchOptions.Options[i].Type
}

func meet(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}

func subset(part, whole []string) bool {
	return !slices.ContainsFunc(part, func(x string) bool { return !slices.Contains(whole, x) })
}

// blocked reports whether a ticket blocks a member, or a member blocks a player of the ticket.
func (s *modelScan) blocked(t *modelTicket) bool {
	blocks, _ := optionOf(t.Attributes, "blocked_players")
	return meet(blocks, s.members) || meet(idsOf(t.Players), s.blocks)
}

// untested lists attributes that may differ between tickets.
var untested = []string{"blocked_players", "blocked_players_detail", "new_session_only", "role", "sub_game_mode", "match_attempt", "latencies", "member_attributes"}

// sameAttributes reports whether a ticket has the same attributes as the pivot. It compares only
// those that the pivot has.
func (s *modelScan) sameAttributes(t *modelTicket) bool {
	for key, value := range s.attributes {
		other := t.Attributes[key]
		empty := func(v any) bool { return v == nil || v == "" }
		switch {
		case key == "server_name" || key == "client_version":
			if s.session && empty(value) {
				continue
			}
			if !(empty(value) && empty(other)) && !reflect.DeepEqual(value, other) {
				return false
			}
		case slices.Contains(untested, key) || s.kind(key) != "" || s.Referred || value == "":
		case key == "cross_platform" && len(s.MatchOptions.Options) == 0, key == "current_platform" && !s.core:
		default:
			if !reflect.DeepEqual(value, other) {
				return false
			}
		}
	}
	return true
}

// region reports whether a candidate passes the test of its region, and returns what the region
// adds to its score.
func (s *modelScan) region(t *modelTicket, region string) (score float64, ok bool) {
	if region == "" {
		return 0, true
	}
	off := s.BidirectionalOff > 0 && s.age*1000 > s.BidirectionalOff
	list := s.regions(t, !off)
	if len(list) == 0 {
		return 0, true
	}
	if !slices.Contains(list, region) {
		return 0, false
	}
	if s.MaxLatency == 0 {
		return 0, true
	}
	weight := 1.0
	if s.RegionWeight != nil {
		weight = *s.RegionWeight
	}
	all := latencies(t.Players)
	return (all[region] - all[list[0]]) / s.MaxLatency * weight, true
}

// admit updates the state of the scan after a candidate was admitted.
func (s *modelScan) admit(t *modelTicket) {
	for name, wanted := range s.wanted {
		if s.kind(name) == "any" {
			values, _ := optionOf(t.Attributes, name)
			s.wanted[name] = slices.DeleteFunc(slices.Clone(wanted), func(x string) bool { return !slices.Contains(values, x) })
		}
	}
	if theirs, _ := optionOf(t.Attributes, "current_platform"); len(s.platforms) > 0 {
		s.platforms = append(s.platforms, theirs...)
	}
	blocks, _ := optionOf(t.Attributes, "blocked_players")
	s.members, s.blocks = append(s.members, idsOf(t.Players)...), append(s.blocks, blocks...)
}

// optionsHold reports whether the tickets of a match satisfy all options.
func (m *model) optionsHold(tickets []*modelTicket) bool {
	for _, o := range m.MatchOptions.Options {
		counts := map[string]int{}
		for _, t := range tickets {
			values, _ := optionOf(t.Attributes, o.Name)
			for _, v := range values {
				counts[v]++
			}
		}
		common, twice, everywhere := false, false, true
		for _, n := range counts {
			common, twice, everywhere = common || n == len(tickets), twice || n > 1, everywhere && n == len(tickets)
		}
		switch {
		case len(counts) == 0:
		case o.Type == "all" && !everywhere, o.Type == "any" && !common, o.Type == "unique" && twice:
			return false
		}
	}
	return true
}
