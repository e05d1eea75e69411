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

// Resolved returns the complete configuration, defaults included. Loaded again from a file in
// that folder, it gives the same configuration and so the same results. File names are
// relative to the folder, so that equal inputs give equal bytes in any place; for the folder
// "" they are absolute. output.dir is left out, because it does not affect the run.
func (c *Config) Resolved(folder string) ([]byte, error) {
	return c.yaml(folder, func(path string) bool { return path == "output.dir" }, nil)
}

// Hash returns a hash of everything in the configuration that can affect a run. It leaves out
// the output section. contents has the content hash of every file setting, which replaces the
// file's name ("" if there is none), so a moved file does not change the hash.
func (c *Config) Hash(contents map[string]string) (string, error) {
	text, err := c.yaml("", func(path string) bool { return strings.HasPrefix(path, "output.") }, contents)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// yaml writes all settings except those that omit names, with the values of instead for the
// keys that it contains, for a file in a folder. Limits of reports are left out if none is
// set, so that the text equals that of versions without them.
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

// leaves lists the settings that make up the configuration, each part once: match.length is
// left out, because match.length.mean and match.length.sd contain it.
func leaves(c *Config) []Setting { return ends(Settings(c)) }

// ends lists the settings that are not followed by parts of their own.
func ends(all []Setting) []Setting {
	var list []Setting
	for i, s := range all {
		if i+1 == len(all) || !strings.HasPrefix(all[i+1].Path, s.Path+".") {
			list = append(list, s)
		}
	}
	return list
}

// Agrees reports whether two configurations have the same values for some settings, and for
// all settings below those.
func (c *Config) Agrees(other *Config, paths ...string) bool {
	return len(c.Differs(other, paths...)) == 0
}

// Differs lists the settings at or below some paths whose values differ from another
// configuration's.
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

// A Difference is a setting with different values in two configurations.
type Difference struct{ Key, A, B string }

// Differences lists the settings that differ between two configurations and may change
// results, in the form that a file in a folder has.
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

// insert inserts a value at a dotted path. The settings of a section are adjacent, so only
// the last entry can be the section of the path.
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
