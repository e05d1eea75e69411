// Package filenames finds the files and folders that a configuration names, including those
// of its queues and their matchmakers.
package filenames

import (
	"slices"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
)

// Of lists the files and folders that a configuration names, in the form that messages show.
func Of(c *config.Config) []string {
	var list []string
	// Collecting cannot fail.
	_ = Rename(Clone(c), func(name string) (string, error) {
		list = append(list, input.Shown(name))
		return name, nil
	})
	return list
}

// Rename replaces the names of the files and folders of a configuration.
func Rename(c *config.Config, rename func(name string) (string, error)) error {
	names := []*string{&c.Dataset.File, &c.Dataset.Builtin.Countries, &c.Datacenters, &c.Latency.Maps}
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
	for _, q := range queues {
		if err := q.External.RenameFiles(rename); err != nil {
			return err
		}
	}
	return nil
}

// RunProgramsIn sets the folder in which matchmakers that are programs run, whatever the
// configuration says; "" is none.
func RunProgramsIn(c *config.Config, folder string) {
	for _, q := range queuesOf(c) {
		q.External.RunIn(folder)
	}
}

// queuesOf returns the queues and their defaults.
func queuesOf(c *config.Config) []*config.Queue {
	queues := []*config.Queue{&c.Queue}
	for i := range c.Queues {
		queues = append(queues, &c.Queues[i])
	}
	return queues
}

// Clone returns a copy of a configuration in which names of files and folders can be changed.
func Clone(c *config.Config) *config.Config {
	clone := *c
	clone.Queues = slices.Clone(c.Queues)
	return &clone
}
