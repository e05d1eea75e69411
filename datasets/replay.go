package datasets

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

	"mmsim/datasets/internal/draws"
)

// ReplayOptions control how the rows of a day become the joins of a simulated day.
type ReplayOptions struct {
	// Days is the number of sample days that were merged into the rows, at least 1. Each row is
	// kept with probability 1/Days.
	Days int

	// Scale multiplies the joins. It must be above 0 and at most MaxScale. Every kept row joins
	// floor(Scale) times, and once more with a probability equal to the fraction. Every copy except
	// the first is moved by up to 30 s and within its 1° cell. Parties in the data are kept or
	// copied as a whole, according to the draws for their last row.
	Scale float64

	// Resample takes each row a random number of times, distributed by Poisson with mean 1. Days and
	// Scale then apply to each take. This is the Poisson bootstrap: replays with other draws vary as
	// if other players had been drawn from the population from which the rows come. The expected
	// number of joins does not change. Every take except the first is moved by up to 15 minutes and
	// within its 1° cell. Parties in the data are taken as a whole, according to the draws for their
	// last row. All days of a run have the same takes, because repeating the rows adds no
	// information about the population.
	Resample bool

	// ByPlayer makes Resample take players instead of rows: all rows with the same player_id are
	// taken the same number of times, and those of one take move by the same time. Rows of one player
	// are alike, so that taking each by itself would make the replays vary too little. It would also
	// let the searches of a player overlap.
	ByPlayer bool

	// Spread moves a join without a fraction of a second to a uniform instant within its second. If
	// Spread is not set, all such joins are at the beginning of their second.
	Spread bool

	// Parties has the shares of generated parties by size: entry i is the share of parties with i+1
	// players. The sum must be 1. nil means no parties. It is not used if the data contains
	// parties.
	Parties []float64

	// From is the start of the replay in milliseconds since midnight UTC. Earlier arrivals are
	// skipped at no cost. Later ones do not change.
	From uint32

	Draws Draws
}

// MaxScale is the maximum value of ReplayOptions.Scale.
const MaxScale = 1 << 17

// Validate returns an error that names the first option that is out of range.
func (o ReplayOptions) Validate() error {
	if o.Days < 1 {
		return fmt.Errorf("days %d: expected at least 1", o.Days)
	}
	if !(o.Scale > 0 && o.Scale <= MaxScale) {
		return fmt.Errorf("scale %v: expected more than 0, at most %d (MaxScale)", o.Scale, MaxScale)
	}
	if len(o.Parties) > MaxPartySize {
		return fmt.Errorf("parties of %d: expected at most %d members (MaxPartySize)", len(o.Parties), MaxPartySize)
	}
	sum := 0.0
	for i, share := range o.Parties {
		if !(share >= 0 && share <= 1) {
			return fmt.Errorf("share %v of parties of %d: expected 0 to 1", share, i+1)
		}
		sum += share
	}
	if o.Parties != nil && math.Abs(sum-1) > 1e-6 {
		return fmt.Errorf("shares of party sizes add up to %v: expected 1", sum)
	}
	if o.From >= MillisPerDay {
		return fmt.Errorf("from %d ms: expected an instant of the day, below %d", o.From, MillisPerDay)
	}
	return nil
}

// Warnings returns warnings about the options in combination with the day.
func (o ReplayOptions) Warnings(d *Day) []string {
	if d.hasParties() && len(o.Parties) > 1 {
		return []string{"the data names parties (party_id): players.parties is not used"}
	}
	return nil
}

// Arrival is a party, or a player alone, at the time of joining.
type Arrival struct {
	MS      uint32   // since midnight UTC
	Members []Member // at least one
}

// Member is a player in an arrival. Row, Copy and Index together identify the player within a day.
type Member struct {
	Row   uint32
	Copy  uint32 // number of the copy of the row, from 0
	Place uint32
	Index uint32 // index in a generated party, from 0
}

// Replay yields the arrivals of one day in the order of (millisecond, row, copy). Every draw is
// keyed by row, day and copy, so choices about one join do not affect others. A Replay keeps the
// arrivals of one second in memory, of a minute if Scale is above 1, or of half an hour with
// Resample. The cost is 20 to 50 ns per join.
type Replay struct {
	day    *Day
	number uint64 // number of the day in the upper 32 bits, as a part of every key
	o      ReplayOptions

	keep    draws.Chance // chance that a take of a row is kept
	copies  uint32       // certain copies of each kept take
	another draws.Chance // chance that a kept take has one more copy
	starts  draws.Chance // chance that a copy starts a generated party
	sizes   sizeDraws
	ahead   int // seconds by which joins may move

	joins   []Join   // joins of the day
	players []uint32 // number of each row's player, or 0; nil without ByPlayer
	next    int      // index into joins
	second  int      // the current second
	window  window
	current []entry // remaining entries of the current second, in order
	members []Member
}

// Replay begins the replay of a day, counted from 0. Day -1 is the day of the warm-up period. If
// the run has more days than the data, the days of the data repeat. Replay panics if the options
// are invalid.
func (d *Day) Replay(day int, o ReplayOptions) *Replay {
	if err := o.Validate(); err != nil {
		panic("datasets: " + err.Error())
	}
	whole, fraction := math.Modf(o.Scale)
	r := &Replay{
		day:     d,
		joins:   d.joinsOf(day),
		number:  uint64(uint32(int32(day))) << 32,
		o:       o,
		keep:    draws.NewChance(1 / float64(o.Days)),
		copies:  uint32(whole),
		another: draws.NewChance(fraction),
		second:  int(o.From/1000) - 1,
	}
	if ids, ok := d.Column(ColumnPlayer); ok && o.ByPlayer {
		r.players = ids.Texts
	}
	seconds := copySeconds
	if o.Scale > 1 {
		r.ahead = jitterSeconds
	}
	if o.Resample {
		r.ahead += takeSeconds
		seconds = resampledSeconds
	}
	r.window.seconds = make([][]entry, seconds)
	earliest := (r.second + 1 - r.ahead) * 1000 // time of the earliest join that may still arrive at From or later
	r.next = sort.Search(len(r.joins), func(i int) bool { return int(r.joins[i].MS()) >= earliest })
	for len(o.Parties) > 1 && o.Parties[len(o.Parties)-1] == 0 {
		o.Parties = o.Parties[:len(o.Parties)-1]
	}
	if !d.hasParties() && len(o.Parties) > 1 {
		r.sizes, r.starts = partySizes(o.Parties)
	}
	return r
}

// partySizes prepares the draws of party sizes. A copy starts a party with probability 1 /
// mean size, so that the number of players is the same as without parties.
func partySizes(shares []float64) (sizes sizeDraws, starts draws.Chance) {
	mean, sum := 0.0, 0.0
	sizes = make([]draws.Chance, len(shares))
	for i, share := range shares {
		mean += float64(share * float64(i+1))
		sum += share
		sizes[i] = draws.NewChance(min(sum, 1))
	}
	return sizes, draws.NewChance(1 / mean)
}

// sizeDraws has the chance that a generated party has at most i+1 players.
type sizeDraws []draws.Chance

// of returns the size of a party for a draw.
func (s sizeDraws) of(draw uint64) int {
	size := 1
	for size < len(s) && !s[size-1].Holds(draw) {
		size++
	}
	return size
}

// Next returns the next arrival. Its Members are valid until the next call.
func (r *Replay) Next() (Arrival, bool) {
	for len(r.current) == 0 {
		if r.second+1 == secondsPerDay {
			return Arrival{}, false
		}
		r.second++
		r.fill()
		r.current = r.window.take(r.second)
	}
	e := r.current[0]
	r.current = r.current[1:]
	return Arrival{MS: uint32(r.second)*1000 + e.ms(), Members: r.party(e)}, true
}

// fill moves joins into the window until no more joins can fall into the current second.
func (r *Replay) fill() {
	joins, limit := r.joins, uint32(r.second+r.ahead+1)*1000
	for ; r.next < len(joins) && joins[r.next].MS() < limit; r.next++ {
		j := joins[r.next]
		if r.day.follows(j) {
			continue
		}
		entity := r.number | uint64(j.Row)
		takes := uint32(1)
		if r.o.Resample {
			takes = uint32(draws.Poisson(r.o.Draws.Resample(r.taken(j), 0)))
		}
		for take := range takes {
			if r.o.Days > 1 && !r.keep.Holds(r.o.Draws.Thin(entity, uint64(take))) {
				continue
			}
			copies := r.copies
			if r.another > 0 && r.another.Holds(r.o.Draws.Copies(entity, uint64(take))) {
				copies++
			}
			for i := range copies {
				r.add(j, take, i, i*takes+take)
			}
		}
	}
}

// add adds a join to the window: copy i of a take, which is copy c of the row.
func (r *Replay) add(j Join, take, i, c uint32) {
	if r.sizes != nil && !r.starts.Holds(r.o.Draws.Party(r.number|uint64(j.Row), 2*uint64(c))) {
		return
	}
	ms := r.instant(j, c)
	if take > 0 {
		ms = moved(ms, r.o.Draws.Resample(r.taken(j), uint64(take)), takeSeconds)
	}
	if i > 0 {
		ms = moved(ms, r.o.Draws.Jitter(r.number|uint64(j.Row), 2*uint64(c)), jitterSeconds)
	}
	if ms >= r.o.From {
		r.window.add(ms, entry{newEntryKey(j.Row, c), r.place(j, c)})
	}
}

// taken returns the key of the draws that decide how often to take a row, and when.
func (r *Replay) taken(j Join) uint64 {
	if r.players != nil && r.players[j.Row] != 0 {
		return 1<<32 | uint64(r.players[j.Row]) // beyond all rows
	}
	return uint64(j.Row)
}

// follows reports whether the join belongs to a party but is not its last member. A party joins
// with its last member.
func (d *Day) follows(j Join) bool {
	if d.partyOf == nil || d.partyOf[j.Row] == 0 {
		return false
	}
	members := d.parties[d.partyOf[j.Row]-1]
	return members[len(members)-1].Row != j.Row
}

// instant returns the time at which a copy of a row joins before it is moved, in milliseconds since
// midnight.
func (r *Replay) instant(j Join, c uint32) uint32 {
	ms := r.spread(j, c)
	if p := r.day.partyWith(j); p != nil {
		for _, member := range p {
			ms = max(ms, r.spread(member, c)) // spreading may put another member after the last one if both are in the same second
		}
	}
	return ms
}

// partyWith returns the members of the party that a join belongs to, or nil if the player joins
// alone.
func (d *Day) partyWith(j Join) []Join {
	if d.partyOf == nil || d.partyOf[j.Row] == 0 {
		return nil
	}
	return d.parties[d.partyOf[j.Row]-1]
}

// spread returns the time of a join in ms. If the file gives times in whole seconds and
// ReplayOptions.Spread is set, it adds a random fraction of a second.
func (r *Replay) spread(j Join, c uint32) uint32 {
	if !r.o.Spread || !j.WholeSecond() {
		return j.MS()
	}
	return j.MS() + uint32(draws.Below(r.o.Draws.Spread(r.number|uint64(j.Row), uint64(c)), 1000))
}

// moved returns a time that a draw moves by up to reach seconds in either direction. A time outside
// the day is reflected at midnight.
func moved(ms uint32, draw uint64, reach int) uint32 {
	by := draws.Below(draw, 2*1000*uint64(reach)+1)
	to := int64(ms) + int64(by) - 1000*int64(reach)
	if to < 0 {
		to = -to
	}
	if to >= MillisPerDay {
		to = 2*MillisPerDay - 1 - to
	}
	return uint32(to)
}

// place returns the place where a copy of a row joins. The first copy joins at the row's place, and
// others at any known place in the same 1° cell, so a larger scale does not invent places. If the
// place has data of its own, all copies join there.
func (r *Replay) place(j Join, c uint32) uint32 {
	if c == 0 || r.day.Places[j.Place].own() {
		return j.Place
	}
	near := r.day.neighbours.of(r.day.Places[j.Place])
	return near[draws.Below(r.o.Draws.Jitter(r.number|uint64(j.Row), 2*uint64(c)+1), uint64(len(near)))]
}

// party returns the players who join together.
func (r *Replay) party(e entry) []Member {
	row, c := e.row(), e.copy()
	r.members = append(r.members[:0], Member{Row: row, Copy: c, Place: e.place})
	switch {
	case r.sizes != nil:
		size := r.sizes.of(r.o.Draws.Party(r.number|uint64(row), 2*uint64(c)+1))
		for i := 1; i < size; i++ {
			r.members = append(r.members, Member{Row: row, Copy: c, Place: e.place, Index: uint32(i)})
		}
	case r.day.partyOf != nil && r.day.partyOf[row] != 0:
		r.members = r.members[:0]
		for _, j := range r.day.parties[r.day.partyOf[row]-1] {
			r.members = append(r.members, Member{Row: j.Row, Copy: c, Place: r.place(j, c)})
		}
	}
	return r.members
}

// PartyShares converts shares by party size to a list: entry i is for parties of i+1 players. The
// shares add up to 1.
func PartyShares(parties map[int]float64) []float64 {
	sizes := slices.Sorted(maps.Keys(parties))
	shares := make([]float64, sizes[len(sizes)-1])
	sum := 0.0
	for _, size := range sizes {
		shares[size-1] = parties[size]
		sum += parties[size]
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares
}
