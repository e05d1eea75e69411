package reports

import "math"

// Schema is the version of summary.json: it grows when a key changes its meaning.
const Schema = 1

// Summary is summary.json. Everything is weighted by player unless its name says
// otherwise; statistics of nobody are 0. Waits and players are those of searches
// that began inside the window, except that Players.Matched, Matches and the RTTs
// include the few who were already searching when the window began. Whoever ends a
// search has a wait in exactly one block: matched in Wait, failed or expired in
// FailedWait, sent to bots in BotsWait; those rejected never waited.
type Summary struct {
	Schema      int        `json:"schema"`
	Complete    bool       `json:"complete"` // false: interrupted, the window ends early
	Run         Run        `json:"run"`
	Warnings    []string   `json:"warnings"`
	Players     Players    `json:"players"`
	Wait        WaitStats  `json:"wait_s"`
	WaitFirst   WaitStats  `json:"wait_first_s"`  // first searches only
	WaitRepeat  WaitStats  `json:"wait_repeat_s"` // searches after a match
	FailedWait  WaitStats  `json:"failed_wait_s"` // of those who failed or expired
	BotsWait    WaitStats  `json:"bots_wait_s"`   // of those who fell back to bots
	RTT         RTTStats   `json:"rtt_ms"`
	RTTEstimate *RTTStats  `json:"rtt_estimate_ms,omitempty"` // as the rules saw it; with jitter only
	DeltaRTT    DeltaStats `json:"delta_rtt_ms"`
	Latency     Latency    `json:"latency"`
	Thresholds  Thresholds `json:"thresholds_ms"`
	Matches     Matches    `json:"matches"`
	CCU         CCU        `json:"ccu"`
	States      States     `json:"states"`
	Attributes  Attributes `json:"attributes"`
	Overlaps    Overlaps   `json:"overlaps,omitempty"` // of texts that rules look at

	Rules           *Rules           `json:"rules,omitempty"`
	QueueStatistics *QueueStatistics `json:"queue_statistics,omitempty"`
	Servers         *Servers         `json:"servers,omitempty"` // where players are placed on servers

	ByDatacenter      Datacenters `json:"by_datacenter"` // in the order of the datacenter list
	ByContinent       Groups      `json:"by_continent"`
	ByHour            []Group     `json:"by_hour"` // 24, by the UTC hour in which the search began, even if in the warm-up
	ByPartySize       Groups      `json:"by_party_size"`
	ByAttributeDecile Deciles     `json:"by_attribute_decile"`
	Queues            QueueList   `json:"queues,omitempty"` // where there are several

	Replications *Replications `json:"replications,omitempty"` // of an aggregate only
}

// unmeasured tells whether the run was interrupted before its measured window began: in
// the warm-up period, or before it simulated anything.
func (s *Summary) unmeasured() bool { return !s.Complete && s.Run.Reached == 0 }

// Run says what was run; together with the configuration it reproduces the result.
type Run struct {
	Seed          uint64  `json:"seed"`
	Run           int     `json:"run"`
	Version       string  `json:"version"`
	ConfigSHA256  string  `json:"config_sha256"`
	DatasetSHA256 string  `json:"dataset_sha256"`
	Duration      Seconds `json:"duration_s"`
	Reached       Seconds `json:"reached_s"` // end of the window: the duration unless interrupted; 0: nothing was measured
	Warmup        Seconds `json:"warmup_s"`
}

// Players counts entries, players who began to search, and what became of them:
// entries + searching at start = matched + failed + expired + bots + rejected +
// searching at end.
type Players struct {
	Joins            Count `json:"joins"`
	Returns          Count `json:"returns"`
	Entries          Count `json:"entries"`
	Matched          Count `json:"matched"`
	Failed           Count `json:"failed"`
	Expired          Count `json:"expired"`
	Bots             Count `json:"bots"`
	Rejected         Count `json:"rejected"`
	SearchingAtStart Count `json:"searching_at_start"`
	SearchingAtEnd   Count `json:"searching_at_end"`
}

// Balance is 0 when the conservation law holds: what came in less what went out. It
// is in whole players; the counts of an aggregate are off by thousandths.
func (p *Players) Balance() int {
	return int(math.Round(float64(p.Entries + p.SearchingAtStart -
		(p.Matched + p.Failed + p.Expired + p.Bots + p.Rejected + p.SearchingAtEnd))))
}

// WaitStats describes waits; percentiles are nearest-rank and exact.
type WaitStats struct {
	Count     Count   `json:"count"`
	Mean      Seconds `json:"mean"`
	SD        Seconds `json:"sd"`
	P50       Seconds `json:"p50"`
	P90       Seconds `json:"p90"`
	P95       Seconds `json:"p95"`
	P99       Seconds `json:"p99"`
	Max       Seconds `json:"max"`
	ShareZero Share   `json:"share_zero"` // matched in the very millisecond
}

// RTTStats describes RTTs; percentiles are nearest-rank and exact to 1/16 ms. An RTT
// of 4,095.94 ms stands for that or more: it is the highest that a run can hold.
type RTTStats struct {
	Count         Count  `json:"count"`
	Mean          Millis `json:"mean"`
	SD            Millis `json:"sd"`
	P50           Millis `json:"p50"`
	P90           Millis `json:"p90"`
	P95           Millis `json:"p95"`
	P99           Millis `json:"p99"`
	Max           Millis `json:"max"`
	ShareLE50     Share  `json:"share_le_50"` // at most 50 ms, whatever the thresholds
	ShareLE100    Share  `json:"share_le_100"`
	ShareLEIdeal  Share  `json:"share_le_ideal"` // at most the ideal threshold of this run
	ShareLEExpand Share  `json:"share_le_expand"`
}

// DeltaStats describes the price of the matchmaking in RTT: estimate to the
// match's datacenter less the lowest estimate to any.
type DeltaStats struct {
	Mean Millis `json:"mean"`
	P50  Millis `json:"p50"`
	P90  Millis `json:"p90"`
	P95  Millis `json:"p95"`
	P99  Millis `json:"p99"`
}

// Latency says where the RTTs of players come from, as shares of the pairs of a join
// and a datacenter, and what cleaning took out of the latency maps, in cells.
type Latency struct {
	ShareMeasured Share   `json:"share_measured"`
	ShareMap      Share   `json:"share_map"`
	ShareModel    Share   `json:"share_model"`
	ShareLine     Share   `json:"share_line"`
	ShareFibre    Share   `json:"share_fibre"`
	Cleaned       Cleaned `json:"cleaned"`
}

// Cleaned counts map cells that were dropped, by reason.
type Cleaned struct {
	NullIsland      int `json:"null_island"`
	FasterThanLight int `json:"faster_than_light"`
	NaN             int `json:"nan"`
}

// Thresholds are the RTT limits of the states IDEAL and EXPAND.
type Thresholds struct {
	Ideal  Millis `json:"ideal"`
	Expand Millis `json:"expand"`
}

// Matches counts matches made inside the window; bot matches are no matches.
type Matches struct {
	Count        Count `json:"count"`
	Players      Count `json:"players"`
	Fill         Share `json:"fill"`          // players / (matches x size); of servers, seats taken over time
	WithWarmBody Count `json:"with_warmbody"` // matches with at least one warm body
	RepeatShare  Share `json:"repeat_share"`  // returning players who meet a partner of the match before
}

// CCU counts concurrent users: playing + between + searching. The peak is over
// every instant, means are time integrals over the window.
type CCU struct {
	Peak          Count   `json:"peak"`
	PeakAt        Seconds `json:"peak_at_s"`
	Mean          Average `json:"mean"`
	PlayingMean   Average `json:"playing_mean"`
	BetweenMean   Average `json:"between_mean"`
	SearchingMean Average `json:"searching_mean"`
	BotsMean      Average `json:"bots_mean"` // not part of CCU
}

// States describes the matched by the state in which their search ended.
type States struct {
	Ideal    StateStats `json:"ideal"`
	Expand   StateStats `json:"expand"`
	WarmBody StateStats `json:"warmbody"`
}

// used tells whether anybody was matched in a state: in a pool there are none.
func (s *States) used() bool { return s.Ideal.Matched+s.Expand.Matched+s.WarmBody.Matched > 0 }

// hasStates tells whether there is anything to say about states: players who are placed
// on servers or matched out of a pool are in none.
func (s *Summary) hasStates() bool {
	return s.States.used() || s.Players.Matched == 0 && s.Servers == nil
}

// pooled is the share of the matched who were in no state: in one of several queues.
func (s *Summary) pooled() Share {
	inStates := s.States.Ideal.Matched + s.States.Expand.Matched + s.States.WarmBody.Matched
	return ShareOf(max(0, s.Players.Matched-inStates), s.Players.Matched)
}

// StateStats describes the players matched in one state.
type StateStats struct {
	Matched  Count   `json:"matched"`
	Share    Share   `json:"share"` // of all matched
	WaitMean Seconds `json:"wait_mean_s"`
	RTTMean  Millis  `json:"rtt_mean_ms"`
}

// Attribute describes how alike the players of a match are in one numeric attribute,
// as the match starts: who joins a running one is left out. Spread is max - min over
// the players who have a value, over matches with at least two such players. TeamGap
// is max - min of the team means of the same matches; one without sides is one team,
// whose gap is 0.
type Attribute struct {
	Name        string   `json:"-"`
	Rules       []string `json:"rules,omitempty"` // those that look at it
	Matches     Count    `json:"matches"`         // those that have a spread
	SpreadMean  Value    `json:"spread_mean"`
	SpreadP95   Value    `json:"spread_p95"`
	TeamGapMean Value    `json:"team_gap_mean"`
}

// Overlap describes what the players of a match have in common of one attribute that
// is a text or a list of texts, over matches as they start with at least two players
// who have a value. Of a text ShareAny is the share of matches in which all are equal.
type Overlap struct {
	Name       string   `json:"-"`
	Rules      []string `json:"rules"` // those that look at it
	Matches    Count    `json:"matches"`
	SharedMean Average  `json:"shared_mean"` // elements that all have
	ShareAny   Share    `json:"share_any"`   // matches with at least one such element
}

// Served describes the players matched of one group.
type Served struct {
	Players Count `json:"players"`
	// Matches counts a match once, in the group of its player who waited longest (the
	// first of equals), so that the groups of a division add up to all matches. It is
	// not the number of matches in which a player of the group took part.
	Matches  Count   `json:"matches"`
	WaitMean Seconds `json:"wait_mean_s"`
	WaitP95  Seconds `json:"wait_p95_s"`
	RTTMean  Millis  `json:"rtt_mean_ms"`
	RTTP95   Millis  `json:"rtt_p95_ms"`
}

// Datacenter describes the matches of one datacenter.
type Datacenter struct {
	Name      string  `json:"-"`
	Latitude  Degrees `json:"latitude"`
	Longitude Degrees `json:"longitude"`
	Served
}

// Group describes one group of players: those matched, those who began to search
// and those whose search ended without a match. The groups of a division (by
// continent, hour or party size) add up to Players.
type Group struct {
	Name string `json:"-"`
	Served
	Entries  Count `json:"entries"`
	Failed   Count `json:"failed"`
	Expired  Count `json:"expired"`
	Bots     Count `json:"bots"`
	Rejected Count `json:"rejected"`
}

func (g *Group) waitMean() float64 { return float64(g.WaitMean) }
func (g *Group) rttMean() float64  { return float64(g.RTTMean) }

// worst returns the index of the group with the highest mean, -1 if there is none,
// among those with enough of the matched players to be no accident.
func worst(groups []Group, matched Count, mean func(*Group) float64) int {
	found, enough := -1, max(100, matched/200)
	for i := range groups {
		if groups[i].Players >= enough && (found < 0 || mean(&groups[i]) > mean(&groups[found])) {
			found = i
		}
	}
	return found
}

// Decile is a tenth of the matched by the value of one attribute. Equal values
// are never torn apart, so that with few distinct values deciles differ in size or
// are missing; an attribute nobody has leaves none.
//
// Deciles of up to 255 distinct values are cut exactly. Of more, the rows of the
// dataset are sorted into 255 bins of equal size and deciles are made of whole bins:
// From and To are values that rows have, and a cut is off by half a bin, 0.2 % of
// the rows, at most. P95s are within 0.4 %, everything else is exact.
type Decile struct {
	From       Value `json:"from"`        // lowest value
	To         Value `json:"to"`          // highest value
	SpreadMean Value `json:"spread_mean"` // of the matches of its players, once for each of them
	Group
}

// values names the values of the decile's players, which may be one.
func (d *Decile) values(spell func(Value) string) string {
	if d.From == d.To {
		return spell(d.From)
	}
	return spell(d.From) + " to " + spell(d.To)
}

// AttributeDeciles are the deciles of one attribute, lowest first.
type AttributeDeciles struct {
	Name    string
	Deciles []Decile
}

// Lists that are objects in JSON, in the order of the list.
type (
	// Attributes are in the order of the dataset's columns.
	Attributes []Attribute
	// Overlaps are in the order of the rules that look at them.
	Overlaps []Overlap
	// Datacenters are in the order of the datacenter list.
	Datacenters []Datacenter
	// Groups are in the order of their kind: continents by code, sizes ascending.
	Groups []Group
	// Deciles are in the order of the dataset's columns.
	Deciles []AttributeDeciles
)
