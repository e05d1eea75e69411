// Package filenames knows which files and folders a configuration names, those of its queues and of
// their matchmakers too.
package filenames

import (
	"slices"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
)

// Of lists the files and folders that a configuration names, as messages show them.
func Of(c *config.Config) []string {
	var list []string
	// Collecting does not fail.
	_ = Rename(Clone(c), func(name string) (string, error) {
		list = append(list, input.Shown(name))
		return name, nil
	})
	return list
}

// Rename puts other names in place of those of the files and folders.
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

// RunProgramsIn lets matchmakers that are programs be run in a folder, whatever the
// configuration says; "" is none.
func RunProgramsIn(c *config.Config, folder string) {
	for _, q := range queuesOf(c) {
		q.External.RunIn(folder)
	}
}

// queuesOf are the queues, and what they do not say otherwise.
func queuesOf(c *config.Config) []*config.Queue {
	queues := []*config.Queue{&c.Queue}
	for i := range c.Queues {
		queues = append(queues, &c.Queues[i])
	}
	return queues
}

// Clone is a configuration in which a caller may change the names of files and folders.
func Clone(c *config.Config) *config.Config {
	clone := *c
	clone.Queues = slices.Clone(c.Queues)
	return &clone
}
