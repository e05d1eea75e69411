package results

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// IsFolder reports whether an argument is a result directory and not a configuration file.
func IsFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// LoadSample reads the summaries in a result directory. These are the summaries of the
// replications in runs/ or, if there are none, summary.json. It skips interrupted replications
// and returns a warning about them. Every error is a bad input error.
func LoadSample(dir string) (*judge.Sample, []string, error) {
	all, err := loadSummaries(dir)
	if err != nil {
		return nil, nil, err
	}
	sample := &judge.Sample{Name: dir, Matters: mattersIn(dir), Runs: keepIf(all, isComplete)}
	left := len(all) - len(sample.Runs)
	switch {
	case len(sample.Runs) == 0:
		return nil, nil, input.Badf("%s: is the partial result of an interrupted run, expected a complete one", dir)
	case left > 0:
		return sample, []string{dir + ": " + input.Counted(left, "interrupted replication") + " left out"}, nil
	}
	return sample, nil, nil
}

// runFolders returns the folders of the replications in a result directory or, if there are none, the
// directory itself.
func runFolders(dir string) ([]string, error) {
	numbers, err := replicationsIn(dir)
	if err != nil {
		return nil, input.Bad(err)
	}
	if len(numbers) == 0 {
		return []string{dir}, nil
	}
	var folders []string
	for _, n := range numbers {
		folders = append(folders, filepath.Join(dir, RunsFolder, strconv.Itoa(n)))
	}
	return folders, nil
}

// replicationsIn lists the numbers of the replications in a result directory in ascending
// order. The list is empty if the directory contains a single run.
func replicationsIn(dir string) ([]int, error) {
	entries, err := os.ReadDir(filepath.Join(dir, RunsFolder))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, input.Error(filepath.Join(dir, RunsFolder), err)
	}
	var numbers []int
	for _, entry := range entries {
		if n, err := strconv.Atoi(entry.Name()); err == nil && n >= 0 && strconv.Itoa(n) == entry.Name() {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

// mattersIn returns report.matters of a result directory's configuration, or nil if that cannot be
// read: it does not affect the results, so they can be used without it.
func mattersIn(dir string) judge.MattersList {
	c, err := configIn(dir)
	if err != nil {
		return nil
	}
	return c.Matters.List()
}

// configIn reads the configuration of a result directory.
func configIn(dir string) (*config.Config, error) {
	file := filepath.Join(dir, ConfigFile)
	if err := input.CheckRegular(file); err != nil {
		return nil, err
	}
	return config.Read(file, nil)
}

// loadSummaries reads the summaries in the folders of runFolders.
func loadSummaries(dir string) (list []*outcome.Summary, err error) {
	folders, err := runFolders(dir)
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		summary, err := loadSummary(folder)
		if err != nil {
			return nil, err
		}
		list = append(list, summary)
	}
	return list, nil
}

func loadSummary(folder string) (*outcome.Summary, error) {
	summary, err := outcome.LoadSummary(input.Folder(folder))
	if err != nil {
		if detail, is := errors.AsType[*fs.PathError](err); is {
			return nil, input.Bad(input.Error(filepath.Join(folder, detail.Path), err))
		}
		return nil, input.Badf("%s%c%w", folder, filepath.Separator, err)
	}
	return result.ConcealedSummary(summary), nil
}

// Pairs lists the settings that differ between the configurations of two result directories.
// File names are relative to folder. If a configuration is missing or this version cannot read
// it, Pairs returns a warning instead.
func Pairs(a, b, folder string) ([]judge.SettingPair, []string) {
	var configs [2]*config.Config
	for i, dir := range []string{a, b} {
		var err error
		if configs[i], err = configIn(dir); err != nil {
			return nil, []string{"settings cannot be compared: " + err.Error()}
		}
	}
	return configs[0].Differences(configs[1], folder), nil
}

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
