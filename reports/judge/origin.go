package judge

import "mmsim/reports/outcome"

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
}

// Origin returns the origin of the sample.
func (s *Sample) Origin() Origin {
	first := &s.Runs[0].Run
	o := Origin{
		Name: s.Name, Seed: first.Seed, Runs: []int{}, Replications: s.Replications(), Version: first.Version,
		ConfigSHA256: first.ConfigSHA256, DatasetSHA256: first.DatasetSHA256, Duration: first.Duration, Warmup: first.Warmup,
	}
	if !s.isAggregate() {
		for _, run := range s.Runs {
			o.Runs = append(o.Runs, run.Run.Run)
		}
	}
	return o
}
