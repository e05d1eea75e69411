package config

import (
	"slices"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker"
)

// FileNames lists the names of the files and folders in a configuration, as messages show them, and the files
// in the commands of its matchmakers. Standard input is not among them.
func FileNames(c *Config) []string {
	var list []string
	// The function never fails, so RenameFiles does not either.
	_ = RenameFiles(Clone(c), func(name string) (string, error) {
		if name != input.Stdin {
			list = append(list, input.Shown(name))
		}
		return name, nil
	})
	for _, q := range queuesOf(c) {
		if q.External.AsksProgram() {
			for _, name := range q.External.Reads() {
				list = append(list, input.Shown(name))
			}
		}
	}
	return append(list, c.Events.Files()...)
}

// RenameFiles replaces each file or folder name in c with the result of rename.
func RenameFiles(c *Config, rename func(name string) (string, error)) error {
	names := []*string{&c.Dataset.File, &c.Dataset.GeoIP, &c.Dataset.Builtin.CountryFile, &c.Latency.Maps, &c.Fleet.Prices}
	queues := queuesOf(c)
	for _, q := range queues {
		names = append(names, &q.Rules)
	}
	for _, name := range names {
		if *name == "" {
			continue
		}
		var err error
		if *name, err = rename(*name); err != nil {
			return err
		}
	}
	if err := c.Datacenters.Rename(rename); err != nil {
		return err
	}
	for _, q := range queues {
		if err := q.External.RenameFiles(rename); err != nil {
			return err
		}
	}
	return nil
}

// RunProgramsIn makes each matchmaker program run in the result of folder, overriding matcher.folder
// and the folder of the file that names the program. An empty result clears both.
func RunProgramsIn(c *Config, folder func(*matchmaker.External) (string, error)) error {
	for _, q := range queuesOf(c) {
		name, err := folder(&q.External)
		if err != nil {
			return err
		}
		q.External.RunIn(name)
	}
	return nil
}

// queuesOf returns c.Queue, which has the defaults, and all elements of c.Queues.
func queuesOf(c *Config) []*Queue {
	queues := []*Queue{&c.Queue}
	for i := range c.Queues {
		queues = append(queues, &c.Queues[i])
	}
	return queues
}

// Clone returns a copy of c. RenameFiles can change the copy without changing c.
func Clone(c *Config) *Config {
	clone := *c
	clone.Queues = slices.Clone(c.Queues)
	return &clone
}
