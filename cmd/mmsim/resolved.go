package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/value"
)

// resolvedYAML writes the configuration in full, defaults included. Loaded
// again it gives the same configuration and so the same results, from whatever
// folder: file names are absolute. output.dir is left out, because equal runs
// write equal bytes wherever they write them.
func (c *config) resolvedYAML() ([]byte, error) {
	return c.yaml(func(path string) bool { return path == "output.dir" }, nil)
}

// sha256 identifies what the configuration means for a run. It leaves output
// out, and contents names the content of every file setting in place of its
// name ("" where there is none), so that a moved file is the same file.
func (c *config) sha256(contents map[string]string) (string, error) {
	text, err := c.yaml(func(path string) bool { return strings.HasPrefix(path, "output.") }, contents)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// yaml writes all settings but those that omit names, with the values of
// instead where it has one.
func (c *config) yaml(omit func(path string) bool, instead map[string]string) ([]byte, error) {
	var tree yaml.MapSlice
	for _, s := range leaves(c) {
		if omit(s.path) {
			continue
		}
		written := s.Write()
		if replacement, ok := instead[s.path]; ok {
			written = replacement
		}
		if s.path == "queues" {
			written = c.writtenQueues(instead)
		}
		tree = insert(tree, strings.Split(s.path, "."), written)
	}
	text, err := yaml.Marshal(tree)
	if err != nil {
		return nil, fmt.Errorf("writing the configuration: %w", err)
	}
	return text, nil
}

// leaves lists the settings that make up the configuration, each part of it once:
// match.length is left out, since match.length.mean and match.length.sd follow.
func leaves(c *config) []setting { return ends(settings(c)) }

// ends lists the settings that have no part that follows.
func ends(all []setting) []setting {
	var list []setting
	for i, s := range all {
		if i+1 == len(all) || !strings.HasPrefix(all[i+1].path, s.path+".") {
			list = append(list, s)
		}
	}
	return list
}

// agrees tells whether two configurations have the same values for some settings,
// and for all below those.
func (c *config) agrees(other *config, paths ...string) bool {
	return len(c.differs(other, paths...)) == 0
}

// differs lists the settings at or below some paths that are not as in another
// configuration.
func (c *config) differs(other *config, paths ...string) []string {
	var list []string
	theirs := leaves(other)
	for i, s := range leaves(c) {
		asked := slices.ContainsFunc(paths, func(path string) bool {
			return s.path == path || strings.HasPrefix(s.path, path+".")
		})
		if asked && value.Flow(s.Write()) != value.Flow(theirs[i].Write()) {
			list = append(list, s.path)
		}
	}
	return list
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
