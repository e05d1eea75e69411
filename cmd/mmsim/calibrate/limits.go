package calibrate

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// limitLine is a line of limitsFile. Its limits are relative to production.
type limitLine struct {
	metric     string  // or the measure of a distribution
	most       float64 // in percent, unless the noise of a run is larger
	minPlayers int
}

// limitLines are the lines of limitsFile, as far as production has what they are about.
var limitLines = []limitLine{
	{result.MeasureWaitFirst.String(), 5, 0},
	{result.MeasureRTT.String(), 5, 0},
	{"wait_first_s.mean", 10, 0},
	{"matches.count", 2, 0},
	{"players.expired", 15, 100},
	{"by_hour.*.wait_mean_s", 25, 1000},
	{"by_datacenter.*.players", 10, 1000},
}

// noisesPerLimit is how many times the noise of a run a limit is at least.
const noisesPerLimit = 3

// limitsText returns the content of limitsFile.
func limitsText(production, simulation *judge.Sample) string {
	var b strings.Builder
	b.WriteString("# How far a simulation may be from production; yours to edit (mmsim help gate).\n")
	b.WriteString("# mmsim check " + prodFile + " --gate " + limitsFile + " --baseline " + productionFolder + " --runs 8\n")
	for _, line := range limitLines {
		if m, isMeasure := result.MeasureNamed(line.metric); isMeasure && len(simulation.Runs[0].Queues) > 0 {
			d := result.Distribution{Measure: m, Queue: "*"} // rules of one queue say nothing about another
			line.metric = d.Name()
		}
		b.WriteString(line.text(production, simulation))
	}
	return b.String()
}

// text returns the line, with the noise of a run as a comment. It is "" if production has nothing to compare.
func (l *limitLine) text(production, simulation *judge.Sample) string {
	noise, is := l.noise(production, simulation)
	if !is {
		return ""
	}
	most := l.most
	if x := math.Ceil(noisesPerLimit * 100 * noise); x > most {
		most = x
	}
	percent := strconv.FormatFloat(most, 'f', -1, 64) + "%"
	limits := "max_increase: " + percent + ", max_decrease: " + percent
	if _, is := result.DistributionNamed(l.metric); is {
		limits = "max_distance: " + strconv.FormatFloat(min(most, 100), 'f', -1, 64) + "%"
	}
	if l.minPlayers > 0 {
		limits += fmt.Sprintf(", min_players: %d", l.minPlayers)
	}
	comment := ""
	if !math.IsNaN(noise) {
		comment = " # noise of one run: " + words.Quantity(outcome.UnitShare, noise, words.Decimals(outcome.UnitShare, noise/10), false)
	}
	return l.metric + ": {" + limits + "}" + comment + "\n"
}

// noise returns the noise of a run as a share of production: of several groups, that of the noisiest. It is
// NaN if it is not known. is is false if production has nothing to compare.
func (l *limitLine) noise(production, simulation *judge.Sample) (noise float64, is bool) {
	noise = math.NaN()
	if d, isDistribution := result.DistributionNamed(l.metric); isDistribution {
		return noiseOf(&d, production, simulation)
	}
	before, ranges := production.Ranges(), simulation.Ranges()
	for _, m := range production.Metrics() {
		of := before[m.Name].Mean
		if !outcome.MatchesPattern(l.metric, m.Name) || math.IsNaN(of) {
			continue
		}
		players := outcome.PlayersOf(m.Name)
		if outcome.IsGroup(m.Name) && before[players].Mean < float64(l.minPlayers) || of == 0 && ranges[m.Name].Mean == 0 {
			continue
		}
		is = true
		if share := ranges[m.Name].Noise / math.Abs(of); of != 0 && !(share <= noise) && !math.IsNaN(share) {
			noise = share
		}
	}
	return noise, is
}

// noiseOf returns the noise of the distance of a distribution: with the queue *, that of the noisiest queue. is
// is false if production does not have the distribution.
func noiseOf(d *result.Distribution, production, simulation *judge.Sample) (noise float64, is bool) {
	noise = math.NaN()
	for _, of := range production.Distributions[0] {
		if of.Measure != d.Measure || of.Queue != d.Queue && (d.Queue != "*" || of.Queue == "") || len(of.Bins) == 0 {
			continue
		}
		is = true
		if n := judge.NoiseOf(simulation.Bins(of.Name())); !(n <= noise) && !math.IsNaN(n) {
			noise = n
		}
	}
	return noise, is
}
