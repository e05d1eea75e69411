package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/value"
)

// Resolved writes the configuration in full, defaults included. Loaded
// again from a file in that folder it gives the same configuration and so the same
// results: files are named from there, so that equal inputs are equal bytes in any place;
// for the folder "" their names are absolute. output.dir is left out, because it
// says nothing about the run.
func (c *Config) Resolved(folder string) ([]byte, error) {
	return c.yaml(folder, func(path string) bool { return path == "output.dir" }, nil)
}

// Hash identifies what the configuration means for a run. It leaves output
// out, and contents names the content of every file setting in place of its
// name ("" where there is none), so that a moved file is the same file.
func (c *Config) Hash(contents map[string]string) (string, error) {
	text, err := c.yaml("", func(path string) bool { return strings.HasPrefix(path, "output.") }, contents)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// yaml writes all settings but those that omit names, with the values of
// instead where it has one, for a file in a folder. Limits of reports are left out where
// none is given, as in results of versions that did not know them.
func (c *Config) yaml(folder string, omit func(path string) bool, instead map[string]string) ([]byte, error) {
	var tree yaml.MapSlice
	usual := c.Limits == usualLimits()
	for _, s := range leaves(c) {
		if omit(s.Path) || usual && strings.HasPrefix(s.Path, limitsSection+".") {
			continue
		}
		written := s.WriteFrom(folder)
		if replacement, ok := instead[s.Path]; ok {
			written = replacement
		}
		if s.Path == "queues" {
			written = c.writtenQueues(folder, instead)
		}
		tree = insert(tree, strings.Split(s.Path, "."), written)
	}
	text, err := yaml.Marshal(tree)
	if err != nil {
		return nil, fmt.Errorf("writing the configuration: %w", err)
	}
	return text, nil
}

// leaves lists the settings that make up the configuration, each part of it once:
// match.length is left out, since match.length.mean and match.length.sd follow.
func leaves(c *Config) []Setting { return ends(Settings(c)) }

// ends lists the settings that have no part that follows.
func ends(all []Setting) []Setting {
	var list []Setting
	for i, s := range all {
		if i+1 == len(all) || !strings.HasPrefix(all[i+1].Path, s.Path+".") {
			list = append(list, s)
		}
	}
	return list
}

// Agrees tells whether two configurations have the same values for some settings,
// and for all below those.
func (c *Config) Agrees(other *Config, paths ...string) bool {
	return len(c.Differs(other, paths...)) == 0
}

// Differs lists the settings at or below some paths that are not as in another
// configuration.
func (c *Config) Differs(other *Config, paths ...string) []string {
	var list []string
	theirs := leaves(other)
	for i, s := range leaves(c) {
		asked := slices.ContainsFunc(paths, func(path string) bool {
			return s.Path == path || strings.HasPrefix(s.Path, path+".")
		})
		if asked && value.Flow(s.Write()) != value.Flow(theirs[i].Write()) {
			list = append(list, s.Path)
		}
	}
	return list
}

// A Difference is a setting that two configurations have with different values.
type Difference struct{ Key, A, B string }

// Differences lists the settings in which two configurations differ and that may
// change results, as a file in a folder writes them.
func (c *Config) Differences(other *Config, folder string) []Difference {
	theirs := leaves(other)
	var list []Difference
	for i, s := range leaves(c) {
		a, b := c.flow(&s, folder), other.flow(&theirs[i], folder)
		if a != b && s.Path != "run" && !strings.HasPrefix(s.Path, "output.") {
			list = append(list, Difference{s.Path, a, b})
		}
	}
	return list
}

// flow writes a setting in one line, for a file in a folder.
func (c *Config) flow(s *Setting, folder string) string {
	if s.Path == "queues" {
		return value.Flow(c.writtenQueues(folder, nil))
	}
	return value.Flow(s.WriteFrom(folder))
}

// insert puts a value under a dotted path. Settings of a section stand
// together, so only the last entry can be the section a path goes into.
func insert(tree yaml.MapSlice, path []string, written any) yaml.MapSlice {
	if len(path) == 1 {
		return append(tree, yaml.MapItem{Key: path[0], Value: written})
	}
	last := len(tree) - 1
	if last < 0 || tree[last].Key != path[0] {
		tree = append(tree, yaml.MapItem{Key: path[0], Value: yaml.MapSlice(nil)})
		last++
	}
	section := tree[last].Value.(yaml.MapSlice)
	tree[last].Value = insert(section, path[1:], written)
	return tree
}

// Keys lists the keys that make up a configuration, in the order of the resolved text.
func Keys() []string {
	var keys []string
	for _, s := range leaves(Default()) {
		keys = append(keys, s.Path)
	}
	return keys
}
