package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mmsim/latencymap"
)

// fitStretch fits the stretch factors of the latency model to real latency maps and writes
// latencymap/data/stretch_factors.csv. It needs a folder with maps and their datacenters.csv, and
// the repository's list of cities.
//
// With -holdout, it fits only every second cell, prints the error for the other cells and writes
// nothing. This shows how good the model is for cells that it was not fitted to.
func fitStretch(arguments []string) error {
	flags := flag.NewFlagSet("stretch", flag.ExitOnError)
	maps := flags.String("maps", "", "folder of latency maps with their datacenters.csv")
	cities := flags.String("cities", "datasets/atlas/data/cities.csv", "list of cities, for the weight of a cell")
	tables := flags.String("tables", "latencymap/data", "folder of the model's tables")
	holdout := flags.Bool("holdout", false, "fit half of the cells, print the error on the other half, write nothing")
	_ = flags.Parse(arguments) // exits at an error
	return writeStretch(*maps, *cities, *tables, *holdout, os.Stdout)
}

func writeStretch(maps, cities, tables string, holdout bool, stdout io.Writer) error {
	datacenters, err := readDatacenters(filepath.Join(maps, "datacenters.csv"))
	if err != nil {
		return err
	}
	population, err := readPopulation(cities)
	if err != nil {
		return err
	}
	samples, err := readSamples(maps, datacenters, population)
	if err != nil {
		return err
	}
	known, unseen := samples, samples
	if holdout {
		known, unseen = split(samples)
	}
	fit, err := newFit(tables, known)
	if err != nil {
		return err
	}
	if err := fit.iterate(); err != nil {
		return err
	}
	median, p90 := fit.errors(unseen)
	fmt.Fprintf(stdout, "%d factors from %d cells; error on %d cells: median %.2f ms, p90 %.2f ms\n",
		len(fit.factors), len(known), len(unseen), median, p90)
	if holdout {
		return nil
	}
	return os.WriteFile(filepath.Join(tables, "stretch_factors.csv"), []byte(fit.table()), 0o644)
}

// readRows reads a whole CSV file into memory. All input files of the program are small.
func readRows(path string) ([][]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rows, nil
}

func readDatacenters(path string) ([]latencymap.Datacenter, error) {
	rows, err := readRows(path)
	if err != nil {
		return nil, err
	}
	var out []latencymap.Datacenter
	for _, row := range rows {
		lat, errLat := strconv.ParseFloat(row[2], 64)
		lon, errLon := strconv.ParseFloat(row[3], 64)
		if errLat != nil || errLon != nil {
			return nil, fmt.Errorf("%s: %q has no position", path, row)
		}
		out = append(out, latencymap.Datacenter{Name: row[1], Lat: lat, Lon: lon})
	}
	return out, nil
}

// readPopulation returns the population of the cities in each cell.
func readPopulation(path string) (*[latencymap.Cells]float64, error) {
	rows, err := readRows(path)
	if err != nil {
		return nil, err
	}
	population := new([latencymap.Cells]float64)
	for _, row := range rows[1:] {
		lat, errLat := strconv.ParseFloat(row[2], 64)
		lon, errLon := strconv.ParseFloat(row[3], 64)
		people, errPeople := strconv.ParseFloat(row[4], 64)
		if errLat != nil || errLon != nil || errPeople != nil {
			return nil, fmt.Errorf("%s: %q is no city", path, row)
		}
		population[latencymap.CellOf(lat, lon)] += people
	}
	return population, nil
}

// sample is a clean cell of a map.
type sample struct {
	place, datacenter latencymap.Position
	rttMS, pathKM     float64
	weight            float64
}

func readSamples(maps string, datacenters []latencymap.Datacenter, population *[latencymap.Cells]float64) ([]sample, error) {
	set, err := latencymap.Open(os.DirFS(maps), maps, datacenters, latencymap.Options{Clean: true, Fallback: latencymap.Line})
	if err != nil {
		return nil, err
	}
	var samples []sample
	for dc, d := range datacenters {
		at := latencymap.Position{Lat: d.Lat, Lon: d.Lon}
		for cell := range latencymap.Cells {
			place := latencymap.CellCentre(cell)
			ms, source := set.Lookup(dc, place.Lat, place.Lon)
			if source != latencymap.SourceMap {
				continue
			}
			samples = append(samples, sample{
				place: place, datacenter: at, rttMS: ms, pathKM: latencymap.PathKM(place, at),
				// The weight of a cell increases with its population, but less than proportionally,
				// so that a single city does not determine a whole area.
				weight: 1 + 0.5*math.Sqrt(population[cell]/1e5),
			})
		}
	}
	return samples, nil
}

// split divides the samples into two groups. Neighbouring cells are in different groups, like the
// squares of a chessboard.
func split(samples []sample) (black, white []sample) {
	for _, s := range samples {
		if cell := latencymap.CellOf(s.place.Lat, s.place.Lon); (cell/latencymap.Cols+cell)%2 == 0 {
			black = append(black, s)
		} else {
			white = append(white, s)
		}
	}
	return black, white
}

// quantile returns a nearest-rank quantile of a sorted slice.
func quantile(sorted []float64, share float64) float64 {
	rank := int(math.Ceil(share*float64(len(sorted)))) - 1
	return sorted[max(rank, 0)]
}

// errors returns the median and the 90th percentile of the absolute error.
func (f *fit) errors(samples []sample) (median, p90 float64) {
	var absolute []float64
	for _, s := range samples {
		estimate := latencymap.AccessMS + float64(s.pathKM/100*f.stretch.Factor(s.place, s.datacenter))
		absolute = append(absolute, math.Abs(estimate-s.rttMS))
	}
	slices.Sort(absolute)
	return quantile(absolute, 0.5), quantile(absolute, 0.9)
}

// table returns the factors in the format that latencymap.ParseStretch reads.
func (f *fit) table() string {
	var b strings.Builder
	b.WriteString("cluster,area,factor,cells\n")
	for _, p := range f.pairs {
		fmt.Fprintf(&b, "%s,%s,%.3f,%d\n", p.cluster, p.area, f.factors[p], len(f.samples[p]))
	}
	return b.String()
}
