package judge

import (
	"slices"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// An Origin identifies the runs of a sample.
type Origin struct {
	Name          string          `json:"name"`
	Seed          uint64          `json:"seed"`
	Runs          []int           `json:"runs"`         // run numbers; empty for an aggregate
	Replications  int             `json:"replications"` // the number of runs
	Version       string          `json:"version"`
	ConfigSHA256  string          `json:"config_sha256"`  // ConfigSHA256 and the fields below are those of the first run
	DatasetSHA256 string          `json:"dataset_sha256"` // differs between runs if the day is generated
	Duration      outcome.Seconds `json:"duration_s"`
	Warmup        outcome.Seconds `json:"warmup_s"`
	Production    bool            `json:"production,omitempty"` // whether a production log reports the run
}

// Origin returns the origin of the sample.
func (s *Sample) Origin() Origin {
	first := &s.Runs[0].Run
	o := Origin{
		Name: s.Name, Seed: first.Seed, Runs: []int{}, Replications: s.Replications(), Version: first.Version,
		ConfigSHA256: first.ConfigSHA256, DatasetSHA256: first.DatasetSHA256, Duration: first.Duration, Warmup: first.Warmup, Production: first.Production,
	}
	if !s.isAggregate() {
		o.Runs = words.Each(s.Runs, func(run *outcome.Summary) int { return run.Run.Run })
	}
	return o
}

// joinsOf returns how the joins of the runs are related in every sample. If it differs between the
// samples, the result is the relation that shows less: an interval covers only what both samples
// vary. It is empty if a sample has only one run, because there is no interval.
func joinsOf(samples ...*Sample) outcome.Joins {
	if len(samples) == 2 && withProduction(samples[0], samples[1]) { // production has no noise of its own
		samples = slices.DeleteFunc(samples, (*Sample).isProduction)
	}
	var found outcome.Joins
	for _, s := range samples {
		if s.Replications() < 2 {
			return ""
		}
	}
	for _, s := range samples {
		switch joins := outcome.JoinsOf(s.Runs); joins {
		case outcome.JoinsReplayed:
			return joins
		case outcome.JoinsResampled:
			found = joins
		}
	}
	return found
}
