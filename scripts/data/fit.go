package main

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mmsim/latencymap"
)

const (
	// cellsMin is the minimum number of cells needed to fit the factor of a pair. The table has no
	// factor for a pair with fewer cells.
	cellsMin = 9
	// pathMinKM is the minimum path length, in km, of the cells to fit. Closer to the datacenter,
	// the factor is mostly noise from access networks.
	pathMinKM  = 50
	factorMax  = 8
	iterations = 6
)

// pair identifies a factor by the cluster of the datacenter and the area of the player.
type pair struct{ cluster, area string }

// fit finds the factors that minimise the absolute error over the samples. The model smooths
// factors across the borders of areas, so the best factor of an area depends on the factors of its
// neighbours. Therefore fit starts with a uniform factor and repeatedly corrects every pair by the
// weighted median of the corrections that its samples need. The first round applies the whole
// correction, and later rounds apply half of it.
type fit struct {
	areas, clusters []byte // the tables as read
	stretch         *latencymap.Stretch
	pairs           []pair
	samples         map[pair][]sample
	factors         map[pair]float64
}

func newFit(tables string, samples []sample) (*fit, error) {
	f := &fit{samples: make(map[pair][]sample), factors: make(map[pair]float64)}
	var err error
	if f.areas, err = os.ReadFile(filepath.Join(tables, "stretch_areas.csv")); err != nil {
		return nil, err
	}
	if f.clusters, err = os.ReadFile(filepath.Join(tables, "stretch_clusters.csv")); err != nil {
		return nil, err
	}
	if err := f.parse(); err != nil {
		return nil, err
	}
	for _, s := range samples {
		if p := (pair{f.stretch.Cluster(s.datacenter), f.stretch.Area(s.place)}); p.area != "" {
			f.samples[p] = append(f.samples[p], s)
		}
	}
	for p, s := range f.samples {
		if len(s) >= cellsMin {
			f.pairs = append(f.pairs, p)
			f.factors[p] = latencymap.SilentStretch
		}
	}
	slices.SortFunc(f.pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.area, b.area))
	})
	return f, f.parse()
}

// parse rebuilds the stretch model from the current factors.
func (f *fit) parse() (err error) {
	f.stretch, err = latencymap.ParseStretch(
		bytes.NewReader(f.areas), bytes.NewReader(f.clusters), strings.NewReader(f.table()))
	return err
}

func (f *fit) iterate() error {
	for round := range iterations {
		for _, p := range f.pairs {
			wanted := f.wanted(p)
			if round > 0 {
				wanted = (wanted + f.factors[p]) / 2
			}
			f.factors[p] = min(max(wanted, 1), factorMax)
		}
		if err := f.parse(); err != nil {
			return err
		}
	}
	return nil
}

// wanted returns the factor of a pair for which half of the samples, by weight, are estimated too
// low and half too high. An extra imaginary sample with the usual stretch keeps the factors of
// pairs with few samples moderate.
func (f *fit) wanted(p pair) float64 {
	var votes []vote
	total := 0.0
	for _, s := range f.samples[p] {
		if s.pathKM < pathMinKM {
			continue
		}
		needed := (s.rttMS - latencymap.AccessMS) / (s.pathKM / 100)
		correction := needed - f.stretch.Factor(s.place, s.datacenter)
		// Weight the factor by the path length, because an error in the factor causes an error in
		// milliseconds that is proportional to the path length.
		votes = append(votes, vote{f.factors[p] + correction, s.weight * s.pathKM})
		total += float64(s.weight * s.pathKM)
	}
	if len(votes) == 0 {
		return latencymap.SilentStretch
	}
	usual := total / float64(len(votes))
	return weightedMedian(append(votes, vote{latencymap.SilentStretch, usual}), total+usual)
}

type vote struct{ factor, weight float64 }

func weightedMedian(votes []vote, total float64) float64 {
	slices.SortStableFunc(votes, func(a, b vote) int { return cmp.Compare(a.factor, b.factor) })
	sum := 0.0
	for _, v := range votes {
		if sum += v.weight; sum >= total/2 {
			return v.factor
		}
	}
	return votes[len(votes)-1].factor
}
