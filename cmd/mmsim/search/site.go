package search

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/latencymap"
	pictures "mmsim/reports/figure/decision"
	"mmsim/reports/judge"
	"mmsim/reports/present"
	"mmsim/reports/present/decision"
	"mmsim/reports/result"
)

// A site search is a sweep over datacenters.use whose plan has a siteSection. After the sweep, the
// cheapest set that meets every limit is simulated without each of its datacenters.

// siteRemovals are the sets without one datacenter of a set, as a plan of their own.
type siteRemovals struct {
	Of   string          `json:"of"` // the set
	List []judge.Removal `json:"removed"`
	Plan *plan           `json:"plan,omitempty"` // nil if no datacenter can be removed
}

// countriesShown is the number of countries that say where the players of a datacenter are.
const countriesShown = 3

// siteOf returns the results of a site search from those of its points and of its removals. The latter
// may be nil if no datacenter can be removed.
func (p *plan) siteOf(found, without *judge.Sweep) *judge.Site {
	s := &judge.Site{Sweep: found, Goals: p.Site.Goals, Bounds: p.Site.Bounds}
	if r := p.Site.Removals; r != nil {
		s.Removals = slices.Clone(r.List)
	}
	next := 0
	for i := range s.Removals {
		if s.Removals[i].Reason == "" {
			s.Removals[i].Runs, next = without.Points[next].Runs, next+1
		}
	}
	return s
}

// remove simulates the cheapest set of a site search that meets every limit, without each of its
// datacenters. It returns the results of the search.
func (s *session) remove(ctx context.Context, p *plan, found *judge.Sweep) (*judge.Site, error) {
	p.Site.Removals = nil
	site := p.siteOf(found, nil)
	best := site.Cheapest()
	if best < 0 {
		return site, nil
	}
	r, err := p.removals(found.Points[best].Set, s.cache)
	p.Site.Removals = r
	var without *judge.Sweep
	if err == nil && r.Plan != nil {
		var todo map[job]bool
		if todo, err = s.todo(r.Plan); err == nil {
			without, err = s.finish(ctx, r.Plan, todo)
		}
	}
	if err != nil {
		return nil, err
	}
	return p.siteOf(found, without), nil
}

// mapOf simulates run 0 of a set again, because jobs do not keep where the players live, and returns
// its map. Without a set, which is -1, there is none.
func (w *Sweep) mapOf(ctx context.Context, p *plan, point int, cache *experiment.Cache) (cells []result.Cell, err error) {
	if point < 0 {
		return nil, nil
	}
	c := p.configs[point]
	progress := terminal.NewProgress(w.Streams, w.Quiet, c.Simulated(1), 1)
	defer progress.Finish()
	e := experiment.Experiment{Arms: []experiment.Arm{{Config: c}}, Runs: experiment.FirstRuns(1)}
	err = e.Run(ctx, experiment.Options{Cache: cache, Progress: progress, Messages: w.Err, Measure: func(ctx context.Context, r *experiment.Replication, p experiment.Progress) (*result.Result, error) {
		found, err := r.Measure(ctx, p)
		if found != nil {
			cells = found.Map
		}
		return found, err
	}})
	if err == nil && ctx.Err() != nil {
		err = p.interrupted()
	}
	return cells, err
}

// command returns the name of the command that makes the plan.
func (p *plan) command() string {
	if p.Site != nil {
		return "site"
	}
	return "sweep"
}

// takeRemovals gives the plan of a site search the removals that the directory's finished plan has. It
// reports whether their jobs are done, and not younger than that plan.
func (w *Sweep) takeRemovals(p *plan, written time.Time) bool {
	before, err := readPlanFile(filepath.Join(w.Dir, PlanFile))
	if err != nil || before.Site == nil || before.Site.Removals == nil {
		return false
	}
	p.Site.Removals = before.Site.Removals
	if p.Site.Removals.Plan == nil {
		return true
	}
	for j := range p.Site.Removals.Plan.jobs() {
		if at, err := w.jobs().Written(p.Site.Removals.Plan.hash(j)); err != nil || at.After(written) {
			return false
		}
	}
	return true
}

// removals plans the removals from a set, and says whose nearest datacenter each of them is.
func (p *plan) removals(of *judge.SiteSet, cache *experiment.Cache) (*siteRemovals, error) {
	from, err := p.spec.base()
	if err != nil {
		return nil, err
	}
	a := &p.spec.axes[0]
	in, _, err := p.spec.wholeList(a, from, cache)
	if err != nil {
		return nil, err
	}
	d, err := demandOf(in)
	if err != nil {
		return nil, err
	}
	sites := siteList(in.Datacenters)
	set := sites.set(of.Datacenters)
	r := &siteRemovals{Of: of.Name}
	left := axis{key: a.key}
	for _, name := range of.Datacenters {
		site := sites.set([]string{name})
		one := d.removal(set, site)
		one.Datacenter = name
		if set == site {
			one.Reason = "it is the only datacenter"
		} else if region := sites.lostRegion(in.Config.Regions, set&^site); region != "" {
			one.Reason = "the region " + region + " has no other datacenter"
		} else {
			names := sites.names(set &^ site)
			left.values, left.sets = append(left.values, a.best.node(names)), append(left.sets, &judge.SiteSet{Name: "without " + name, Datacenters: names})
		}
		r.List = append(r.List, one)
	}
	if len(left.values) > 0 {
		spec := *p.spec
		spec.axes, spec.site = []axis{left}, nil
		if r.Plan, _, err = spec.plan(cache); err != nil {
			return nil, err
		}
		r.Plan.spec, r.Plan.part, r.Plan.Complete, r.Plan.without = &spec, shard{1, 1}, true, " without one of the datacenters"
	}
	return r, nil
}

// removal says what happens to the players whose nearest datacenter of a set is a site: how many they
// are, where, and how much farther the next one is.
func (d *demand) removal(set, site siteSet) judge.Removal {
	var r judge.Removal
	steps := int64(0)
	countries := map[string]int64{}
	for place, players := range d.players {
		row := d.rtts.Row(place)
		if before, after := lowestIn(row, set), lowestIn(row, set&^site); after > before && players > 0 {
			r.Players += players
			if set != site {
				steps += players * int64(after-before)
			}
			countries[d.setup.Countries[d.setup.Places[place].Country]] += players
		}
	}
	for country := range countries {
		r.Countries = append(r.Countries, country)
	}
	slices.SortFunc(r.Countries, func(a, b string) int {
		return cmp.Or(cmp.Compare(countries[b], countries[a]), cmp.Compare(a, b))
	})
	r.Countries = r.Countries[:min(countriesShown, len(r.Countries))]
	if r.Players > 0 {
		r.BestRTT = judge.Optional(float64(steps) / latencymap.StepsPerMS / float64(r.Players))
	}
	return r
}

// lowestIn returns the lowest RTT to a site of a set.
func lowestIn(row []uint16, set siteSet) uint16 {
	lowest := ^uint16(0)
	for site, rtt := range row {
		if set.Has(site) {
			lowest = min(lowest, rtt)
		}
	}
	return lowest
}

// found has the results of a sweep. If it is a site search, site has them, too.
type found struct {
	*judge.Sweep
	site  *judge.Site
	cells []result.Cell // map of the chosen set, for the page
}

// found reads the results of all jobs.
func (p *plan) found(ctx context.Context, jobs experiment.Folder) (*found, error) {
	sweep, err := p.results(ctx, jobs)
	if err != nil || p.Site == nil {
		return &found{Sweep: sweep}, err
	}
	var without *judge.Sweep
	if r := p.Site.Removals; r != nil && r.Plan != nil {
		if without, err = r.Plan.results(ctx, jobs); err != nil {
			return nil, err
		}
	}
	return &found{Sweep: sweep, site: p.siteOf(sweep, without)}, nil
}

// page describes the results. from and setLine may be nil.
func (f *found) page(from *decision.Sources, setLine func(point int) string) *present.Page {
	if f.site != nil {
		var maps []present.Item
		if f.cells != nil {
			maps = present.Pictures(pictures.SiteMap(f.site, f.cells, results.Coast()))
		}
		return decision.Site(f.site, from, setLine, maps...)
	}
	return decision.Sweep(f.Sweep, from, setLine)
}

// results returns what writes the results.
func (f *found) results() interface {
	Write(io.Writer) error
	WriteCSV(w io.Writer, marks func(all judge.Choices, choice int) []string) error
} {
	if f.site != nil {
		return f.site
	}
	return f.Sweep
}

// configName returns the name of the file with the configuration of a set.
func configName(set *judge.SiteSet) string { return set.Name + ".yaml" }

// files lists the files of the results that not every sweep has.
func (p *plan) files() (names []string) {
	if p.writesSpec {
		names = append(names, specFile)
		if len(p.spec.overrides) > 0 {
			names = append(names, baseFile)
		}
	}
	if p.Site != nil {
		for _, point := range p.Points {
			names = append(names, configName(point.Set))
		}
	}
	return names
}

// writeConfigs writes the configuration of every set.
func (p *plan) writeConfigs(create result.Create) error {
	for i, point := range p.Points {
		text, err := p.configs[i].Resolved(p.spec.dir)
		if err != nil {
			return err
		}
		if err := create.Text(configName(point.Set), fmt.Sprintf("# set %s of mmsim site\n%s", point.Set.Name, text)); err != nil {
			return err
		}
	}
	return nil
}
