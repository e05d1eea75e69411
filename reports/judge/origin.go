package judge

import "mmsim/reports/outcome"

// An Origin describes the runs from which numbers come.
type Origin struct {
	Name          string          `json:"name"`
	Seed          uint64          `json:"seed"`
	Runs          []int           `json:"runs"`         // their numbers; unknown for an aggregate
	Replications  int             `json:"replications"` // how many runs there are
	Version       string          `json:"version"`
	ConfigSHA256  string          `json:"config_sha256"`  // of the first run, like the fields below
	DatasetSHA256 string          `json:"dataset_sha256"` // differs from run to run if the day is generated
	Duration      outcome.Seconds `json:"duration_s"`
	Warmup        outcome.Seconds `json:"warmup_s"`
}

// Origin describes the runs of a sample.
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
