package config

import (
	"slices"

	"mmsim/cmd/mmsim/yamltree"
)

// FileNames are the settings that name a file or folder, of all queues too. A caller that
// changes them does so in a configuration of its own: see Clone.
func (c *Config) FileNames() []*string {
	names := []*string{&c.Dataset.File, &c.Dataset.Builtin.Countries, &c.Datacenters, &c.Latency.Maps, &c.Rules}
	for i := range c.Queues {
		names = append(names, &c.Queues[i].Rules)
	}
	return names
}

// Clone is a configuration whose FileNames are its own.
func (c *Config) Clone() *Config {
	clone := *c
	clone.Queues = slices.Clone(c.Queues)
	return &clone
}

// LoadText resolves a configuration as Load does, from the text of a file in a folder.
// Before any other file is opened, rename may change the names of files or refuse them.
func LoadText(text []byte, name, folder string, rename func(*Config) error) (*Config, error) {
	root, err := yamltree.Parse(text, &yamltree.Source{Name: name, Folder: folder})
	if err != nil {
		return nil, err
	}
	l := newLoader()
	if err := l.apply("", root); err != nil {
		return nil, err
	}
	if err := l.finish(); err != nil {
		return nil, err
	}
	if err := rename(l.config); err != nil {
		return nil, err
	}
	return l.config, l.config.settle()
}
