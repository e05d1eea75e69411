package search

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets"
	"mmsim/reports/judge"
)

// bestSets says which sets of datacenters mmsim chooses as values of datacenters.use:
//
//	datacenters.use: {best: {count: {from: 3, to: 8}, candidates: 4, always: [frankfurt]}}
//
// Every datacenter but those in never, and the configuration's own datacenters.use, are further
// values.
type bestSets struct {
	from, to   int // numbers of datacenters
	candidates int // sets of each number
	always     []yamltree.Node
	never      []yamltree.Node
	by         []string // metrics of bestBy
	at         yamltree.Node
	countAt    yamltree.Node
}

// Limits and defaults of bestSets.
const (
	defaultCandidates = 4
	candidatesMax     = 50
)

// byMean is the metric by which candidates are always chosen: the mean over the joins of the lowest RTT.
const byMean = "rtt_ms.mean"

// sharesOfRTT are the other metrics by which candidates can be chosen, with their limits of the RTT.
var sharesOfRTT = []struct {
	metric string
	limit  float64 // ms
}{{"rtt_ms.share_le_50", 50}, {"rtt_ms.share_le_100", 100}}

// bestBy lists the metrics by which candidates can be chosen.
func bestBy() []string {
	list := []string{byMean}
	for _, s := range sharesOfRTT {
		list = append(list, s.metric)
	}
	return list
}

// newBestSets returns the defaults of bestSets.
func newBestSets() *bestSets { return &bestSets{candidates: defaultCandidates, by: []string{byMean}} }

// value returns the Value of {best: {…}}.
func (b *bestSets) value() value.Value {
	return value.Mapping(value.Named("best", "sets of datacenters near the players, found without simulating", value.Needed(value.At(&b.at, b.object().Value()))))
}

func (b *bestSets) object() *value.Object {
	return &value.Object{Keys: append(b.keys(),
		value.Named("by", "what is best: rtt_ms.mean, the lowest RTT to the set, and shares of players near it such as rtt_ms.share_le_100, by which half of the sets are chosen", b.byValue()))}
}

// keys has the keys that site files have, too.
func (b *bestSets) keys() []value.Key {
	names := func(p *[]yamltree.Node) value.Value {
		return value.ListOf(p, "a list of datacenters such as [frankfurt, ashburn]", func(n *yamltree.Node) value.Value {
			return value.At(n, value.Text(new(string)))
		})
	}
	return []value.Key{
		value.Named("count", "how many datacenters a set has: a number, or a range such as {from: 3, to: 8}", value.Needed(value.At(&b.countAt, b.count()))),
		value.Named("candidates", "number of sets for each number of datacenters", value.Whole(&b.candidates, 1, candidatesMax)),
		value.Named("always", "datacenters that are in every set", names(&b.always)),
		value.Named("never", "datacenters that are in no set", names(&b.never)),
	}
}

// count returns the Value of a number of datacenters, or of a range of numbers.
func (b *bestSets) count() value.Value {
	whole := func(p *int) value.Value { return value.Whole(p, 1, datasets.MaxDatacenters) }
	one := whole(&b.from).Then(func() { b.to = b.from })
	v := one.Or(value.Object{
		Keys: []value.Key{value.Named("from", "", value.Needed(whole(&b.from))), value.Named("to", "", value.Needed(whole(&b.to)))},
		Check: func() error {
			if b.to < b.from {
				return errors.New("expected a range that ends (to) at or above its start (from)")
			}
			return nil
		},
	}.Value())
	v.Expects = one.Expects + ", or a range such as {from: 3, to: 8}"
	return v
}

// byValue returns the Value of the metrics by which sets are chosen.
func (b *bestSets) byValue() value.Value {
	return value.NotEmpty(value.ListOf(&b.by, "a list of "+input.Either(bestBy()), func(metric *string) value.Value {
		return value.Choice(metric, bestBy())
	}))
}

// choose replaces the request for the best sets of an axis by its values. The other axes have their
// first values meanwhile. The cost is that of reading or generating the day, of locating its places,
// which the simulation needs anyway, and of about ten passes over the places for each number of
// datacenters.
func (s *sweepSpec) choose(from *config.Base, cache *experiment.Cache) error {
	for i := range s.axes {
		a := &s.axes[i]
		if a.best == nil {
			continue
		}
		in, own, err := s.wholeList(a, from, cache)
		if err != nil {
			return err
		}
		if err := a.best.fill(a, in, own); err != nil {
			return err
		}
	}
	return nil
}

// wholeList loads the configuration with all datacenters of the list. It also returns the
// configuration's own datacenters.use, after a check.
func (s *sweepSpec) wholeList(a *axis, from *config.Base, cache *experiment.Cache) (in *experiment.Inputs, own []string, err error) {
	var keys, values []yamltree.Node
	for _, other := range s.axes {
		if other.best == nil {
			keys, values = append(keys, other.key), append(values, other.values[0])
		}
	}
	c, _, err := from.LoadWith(s.dir, keys, values)
	if err != nil {
		return nil, nil, err
	}
	if _, err = experiment.Load(c, cache); err != nil {
		return nil, nil, err
	}
	own = c.Datacenters.Use
	if c, _, err = from.LoadWith(s.dir, append(keys, a.key), append(values, a.best.node(nil))); err != nil {
		return nil, nil, err
	}
	in, err = experiment.Load(c, cache)
	return in, own, err
}

// fill sets the values of an axis. own is the configuration's datacenters.use.
func (b *bestSets) fill(a *axis, in *experiment.Inputs, own []string) error {
	sites := siteList(in.Datacenters)
	always, err := sites.named("always", b.always)
	if err != nil {
		return err
	}
	never, err := sites.named("never", b.never)
	if err != nil {
		return err
	}
	if err := b.check(sites, always, never); err != nil {
		return err
	}
	d, err := demandOf(in)
	if err != nil {
		return err
	}
	rtts := d.problem(itself)
	chosen, err := b.whole(a, sites, in.Config.Regions, b.candidateSets(d, rtts, always, never))
	if err != nil {
		return err
	}
	special := map[siteSet]string{}
	add := func(s siteSet, is string) {
		if !slices.Contains(chosen, s) {
			chosen = append(chosen, s)
		}
		if special[s] == "" {
			special[s] = is
		}
	}
	whole := siteSet(math.MaxUint64 >> (sitesMax - len(sites)))
	add(whole&^never, judge.SetAll)
	ownSet := whole
	if len(own) > 0 {
		ownSet = sites.set(own)
	}
	add(ownSet, judge.SetOwn)
	slices.SortStableFunc(chosen, func(a, b siteSet) int { return a.Len() - b.Len() })
	number := map[int]int{}
	for _, s := range chosen {
		number[s.Len()]++
		set := &judge.SiteSet{Name: fmt.Sprintf("%d-%d", s.Len(), number[s.Len()]), Datacenters: sites.names(s), Is: special[s]}
		set.MeanBestRTT = d.mean(rtts.Cost(s))
		a.sets, a.values = append(a.sets, set), append(a.values, b.node(set.Datacenters))
	}
	return nil
}

// whole returns the sets that leave every region a datacenter, and notes the others in the axis. It is
// an error if there are only others.
func (b *bestSets) whole(a *axis, sites siteList, regions map[string][]string, sets []siteSet) (whole []siteSet, err error) {
	for _, s := range sets {
		lost := sites.lostRegion(regions, s)
		if lost == "" {
			whole = append(whole, s)
			continue
		}
		a.dropped = append(a.dropped, fmt.Sprintf("%s: the region %s has none of these datacenters (regions.%s: %s)",
			strings.Join(sites.names(s), " "), lost, lost, strings.Join(regions[lost], ", ")))
	}
	if len(whole) == 0 {
		return nil, b.at.Errorf("every set leaves a region without a datacenter, such as %s; expected larger sets, or always", a.dropped[0])
	}
	return whole, nil
}

// node returns the value of datacenters.use, at the place in the file that asked for it.
func (b *bestSets) node(names []string) yamltree.Node {
	list := yamltree.Node{Kind: yamltree.List, From: b.at.From, Line: b.at.Line, Column: b.at.Column}
	for _, name := range names {
		list.Elements = append(list.Elements, yamltree.Node{Kind: yamltree.Text, Text: name, From: b.at.From, Line: b.at.Line, Column: b.at.Column})
	}
	return list
}

// check returns an error if no set is possible.
func (b *bestSets) check(sites siteList, always, never siteSet) error {
	left := len(sites) - never.Len()
	switch {
	case always&never != 0:
		return b.at.Errorf("%s is in always and in never, expected it in one of them", sites.names(always & never)[0])
	case b.from < always.Len():
		return b.countAt.Errorf("sets of %s, expected at least the %d in always", input.Counted(b.from, "datacenter"), always.Len())
	case b.to > left:
		return b.countAt.Errorf("sets of %s, expected at most the %d of the list that never leaves", input.Counted(b.to, "datacenter"), left)
	}
	return nil
}

// candidateSets returns the sets that a search finds for each number of datacenters. If they are
// chosen by shares of RTTs, too, half of them, rounded down, come from these.
func (b *bestSets) candidateSets(d *demand, rtts *pMedian, always, never siteSet) (chosen []siteSet) {
	var shares []*pMedian
	for _, s := range sharesOfRTT {
		if slices.Contains(b.by, s.metric) {
			shares = append(shares, d.problem(above(s.limit)))
		}
	}
	for k := b.from; k <= b.to; k++ {
		var sets []siteSet
		take := func(p *pMedian, n int) {
			for _, s := range p.Candidates(k, len(sets)+n, always, never) { // at most all in sets are repeated
				if n > 0 && !slices.Contains(sets, s) {
					sets, n = append(sets, s), n-1
				}
			}
		}
		left := b.candidates / 2
		if len(shares) == 0 {
			left = 0
		}
		take(rtts, b.candidates-left)
		for i, p := range shares {
			n := left / (len(shares) - i)
			take(p, n)
			left -= n
		}
		if left = b.candidates - len(sets); left > 0 { // a search by shares has found too few
			take(rtts, left)
		}
		chosen = append(chosen, sets...)
	}
	return chosen
}

// siteList is the list of datacenters, whose order is that of the bits of a set.
type siteList []datasets.Datacenter

// names lists the names of the datacenters in a set.
func (l siteList) names(s siteSet) (names []string) {
	for i, dc := range l {
		if s.Has(i) {
			names = append(names, dc.Name)
		}
	}
	return names
}

// set returns the datacenters with these names.
func (l siteList) set(names []string) (s siteSet) {
	for i, dc := range l {
		if slices.Contains(names, dc.Name) {
			s = s.With(i)
		}
	}
	return s
}

// lostRegion returns a region that has no datacenter in a set, or "".
func (l siteList) lostRegion(regions map[string][]string, s siteSet) string {
	for _, region := range slices.Sorted(maps.Keys(regions)) {
		if l.set(regions[region])&s == 0 {
			return region
		}
	}
	return ""
}

// named returns the datacenters that a key lists. The error lists all mistakes.
func (l siteList) named(key string, nodes []yamltree.Node) (s siteSet, err error) {
	var faults []error
	all := l.names(math.MaxUint64)
	for _, n := range nodes {
		n.Path = key
		switch at := slices.Index(all, n.Text); {
		case at < 0:
			faults = append(faults, n.Errorf("got %s%s, expected datacenters in the list: %s", n, input.DidYouMean(n.Text, all), strings.Join(all, ", ")))
		case s.Has(at):
			faults = append(faults, n.Errorf("got %s twice, expected it once", n))
		default:
			s = s.With(at)
		}
	}
	return s, value.Joined(faults)
}
