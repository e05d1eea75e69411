package results

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"mmsim/cmd/mmsim/input"
	"mmsim/reports/judge"
	"mmsim/reports/result"
)

// LoadDistributions adds the distributions of the runs to a sample from LoadSample. Every error is a bad
// input error.
func LoadDistributions(dir string, s *judge.Sample) error {
	numbers, err := replicationsIn(dir)
	if err != nil {
		return input.Bad(err)
	}
	for _, run := range s.Runs {
		folder := dir
		if len(numbers) > 0 {
			folder = filepath.Join(dir, RunsFolder, strconv.Itoa(run.Run.Run))
		}
		list, err := result.LoadDistributions(os.DirFS(folder))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return input.Badf("%s: has no distributions.csv, which max_distance needs: expected the directory of a run, or of replications with the folder %s", folder, RunsFolder)
		case err != nil:
			return input.Badf("%s: %w", folder, err)
		}
		s.Distributions = append(s.Distributions, list)
	}
	return nil
}
