package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/config/section"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/judge"
)

// Resolved returns a configuration file with all settings, including defaults. Loading that
// file gives the same configuration and so the same results. File names are relative to folder,
// so that equal inputs give equal bytes in any place. If folder is empty, file names are
// absolute. output.dir is left out, because it does not affect the run.
func (c *Config) Resolved(folder string) ([]byte, error) {
	text, err := c.yaml(folder, func(path string) bool { return path == "output.dir" }, nil)
	if c.Dataset.File == input.Stdin {
		text = append([]byte(stdinNote), text...)
	}
	return text, err
}

// stdinNote begins a configuration whose joins come from standard input.
const stdinNote = "# dataset.file is -: the joins came from standard input, which this file cannot repeat. A run with\n" +
	"# this file needs the same joins on standard input; summary.json has their hash (dataset_sha256).\n"

// RunHashes returns a function that returns, for each number of the run, a hash of everything in the
// configuration that can affect the run. The hash ignores the output section. contents maps each file
// setting to a hash of the file's content, or "" if no file is set. It replaces the file's name, so
// moving a file does not change the result. The text of the configuration is written once: a further
// hash takes 1 % of the time of the first.
func (c *Config) RunHashes(contents map[string]string) (ofRun func(run uint32) string, err error) {
	text, err := c.yaml("", func(path string) bool { return strings.HasPrefix(path, "output.") || path == section.MattersKey }, contents)
	if err != nil {
		return nil, err
	}
	const key = "\nrun: " // follows the seed; in lines of other settings, something stands before it
	before, after, _ := bytes.Cut(text, fmt.Appendf(nil, "%s%d\n", key, c.Run))
	return func(run uint32) string {
		sum := sha256.Sum256(slices.Concat(before, fmt.Appendf(nil, "%s%d\n", key, run), after))
		return hex.EncodeToString(sum[:])
	}, nil
}

// yaml returns the configuration as a YAML file. File names are relative to folder. It leaves
// out the keys for which omit returns true. A value in replacements, by key, replaces the
// setting's value. Settings that have their defaults are left out if they are Unset: those of reports,
// and those that are younger than configurations that people keep, whose hash must not change.
func (c *Config) yaml(folder string, omit func(path string) bool, replacements map[string]string) ([]byte, error) {
	var text yamltree.Writer
	l := loaderOf(c)
	defer l.free()
	for i := range l.leaves {
		s := &l.leaves[i]
		if omit(s.Path) || s.Unset != nil && s.Unset() {
			continue
		}
		written := s.Write(folder)
		if replacement, ok := replacements[s.Path]; ok {
			written = replacement
		}
		if s.Path == "queues" && len(replacements) > 0 {
			written = c.queuesWith(folder, replacements)
		}
		if err := text.Add(s.Path, written); err != nil {
			return nil, fmt.Errorf("writing the configuration: %w", err)
		}
	}
	return text.Bytes(), nil
}

// leaves lists the settings so that each value is written once.
func leaves(c *Config) []Setting {
	all := value.Object{Keys: Settings(c)}
	return all.Ends()
}

// Differs lists the settings whose values differ between two configurations. It compares only
// the given paths, which are settings or sections.
func (c *Config) Differs(other *Config, paths ...string) (list []string) {
	for _, d := range c.differences(other, "") {
		if slices.ContainsFunc(paths, func(path string) bool { return d.Key == path || strings.HasPrefix(d.Key, path+".") }) {
			list = append(list, d.Key)
		}
	}
	return list
}

// Differences lists the settings that may affect results and differ between two configurations.
// Values are written as in a configuration file. Paths in them are relative to folder.
func (c *Config) Differences(other *Config, folder string) []judge.SettingPair {
	return slices.DeleteFunc(c.differences(other, folder), func(d judge.SettingPair) bool {
		return d.Key == "run" || strings.HasPrefix(d.Key, "output.")
	})
}

func (c *Config) differences(other *Config, folder string) (list []judge.SettingPair) {
	theirs := leaves(other)
	for i, s := range leaves(c) {
		if a, b := value.Flow(s.Write(folder)), value.Flow(theirs[i].Write(folder)); a != b {
			list = append(list, judge.SettingPair{Key: s.Path, A: a, B: b})
		}
	}
	return list
}

// Sections lists the sections of a configuration, such as latency and latency.jitter.
func Sections() (list []string) {
	for _, key := range Keys() {
		for i, letter := range key {
			if letter == '.' && !slices.Contains(list, key[:i]) {
				list = append(list, key[:i])
			}
		}
	}
	return list
}

// Keys lists the keys of all settings in the order in which Resolved writes them.
func Keys() []string {
	var keys []string
	for _, s := range leaves(Default()) {
		keys = append(keys, s.Path)
	}
	return keys
}
