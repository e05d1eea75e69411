package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"mmsim/cmd/mmsim/config/section"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/matcher/dialect"
)

// Override is one setting from the command line.
type Override struct {
	Flag string // as the user wrote it, for messages: "--seed 5", "--set seed=5"
	Key  string
	Text string
	// Literal reports whether Text is the value itself, as for --dataset. Otherwise Text is
	// YAML, so that --set accepts every value that a file does.
	Literal bool

	flag string // name of the flag, without dashes
}

// Words returns command-line arguments that make the same override.
func (o *Override) Words() []string {
	switch {
	case strings.HasPrefix(o.flag, "set"):
		return []string{"--" + o.flag, o.Key + "=" + o.Text}
	case o.Key == "dataset.map": // Text is YAML, which the flag itself does not accept
		return []string{"--set", o.Key + "=" + o.Text}
	case o.Text == "true": // a flag such as --strict, which takes a value only after an equals sign
		return []string{"--" + o.flag + "=" + o.Text}
	}
	return []string{"--" + o.flag, o.Text}
}

// NewOverride returns the override made by the flag with the given name and value.
func NewOverride(flag, key, text string, literal bool) Override {
	written, rest := input.Shortened(text, 80)
	return Override{Flag: "--" + flag + " " + written + rest, Key: key, Text: text, Literal: literal, flag: flag}
}

// ParseOverride parses the value of a flag of the form KEY=VALUE, such as --set.
func ParseOverride(flag, text string) (Override, error) {
	key, written, ok := strings.Cut(text, "=")
	if !ok || key == "" {
		return Override{}, input.Badf("expected KEY=VALUE such as match.size=4")
	}
	o := NewOverride(flag, key, text, false)
	o.Text = written
	return o, nil
}

// Load resolves a configuration. It starts with the defaults (see Default), applies the file
// unless its name is empty, and then applies the overrides in order. Later values replace
// earlier ones.
//
// Load also reads the rulesets of the queues, because they decide where tickets wait.
// experiment.Load reads them again for the simulation.
//
// The result is complete, except that ForData adapts the duration to data that covers several
// days, and the warm-up to the session lengths in the data. Every error is a bad input error
// and says where the input is wrong.
func Load(file string, overrides []Override) (*Config, error) {
	c, err := Read(file, overrides)
	if err != nil {
		return nil, err
	}
	return c, c.complete()
}

// Read resolves a configuration like Load, but opens only the configuration file itself and, for
// rules: FILE#*, the file of rulesets. It is for commands that need some settings and do not
// simulate. It does not determine the placement of a queue whose ruleset decides it.
func Read(file string, overrides []Override) (*Config, error) {
	b, err := ReadBase(yamltree.Node{}, file, overrides)
	if err != nil {
		return nil, err
	}
	c, _, err := b.ReadWith("", nil, nil)
	return c, err
}

// LoadText resolves a configuration like Load, but from text instead of a file. Relative paths
// in text are relative to folder. LoadText calls rename before it opens any file that the
// configuration names; rename may change the names or return an error.
func LoadText(text []byte, name, folder string, rename func(*Config) error) (*Config, error) {
	root, err := yamltree.Parse(text, &yamltree.Source{Name: name, Folder: folder})
	if err != nil {
		return nil, err
	}
	c, _, err := (&Base{file: root}).ReadWith("", nil, nil)
	if err != nil {
		return nil, err
	}
	if err := rename(c); err != nil {
		return nil, err
	}
	return c, c.complete()
}

// finish resolves the elements of the list queues, and then checks settings that depend on each
// other.
func (l *loader) finish() error {
	if err := l.expandRules(); err != nil {
		return err
	}
	if err := l.resolveQueues(); err != nil {
		return err
	}
	return l.check()
}

// complete determines where the tickets of each queue wait, and rejects settings that the
// queue's ruleset or matchmaker does not allow. It then determines the warm-up period, which
// depends on the placement.
func (c *Config) complete() error {
	for i, q := range c.AllQueues() {
		if err := c.completeQueue(c.QueuePrefix(i), q); err != nil {
			return input.Bad(err)
		}
	}
	// Without rules, auto is the article's duration, which the resolved configuration shows.
	if !slices.ContainsFunc(c.AllQueues(), (*Queue).makesMatches) {
		c.States.WarmbodyAuto = false
	}
	if c.Dataset.Rows == rowsSearches && c.Placement != PlacementServers {
		if err := c.takeSearches(rowsSearches); err != nil {
			return err
		}
	}
	c.completeWarmup()
	return nil
}

// completeQueue determines where the tickets of one queue wait, and rejects settings that the
// queue's placement, ruleset or matchmaker does not allow. The queue's keys begin with prefix.
func (c *Config) completeQueue(prefix string, q *Queue) error {
	if err := c.placeQueue(prefix, q); err != nil {
		return err
	}
	switch onServers := q.Placement == PlacementServers; {
	case onServers && prefix != "":
		return c.Errorf(prefix+"placement", "got servers beside other queues, expected placement servers only in a run with one queue")
	case onServers && q.Match.Acceptance.Required:
		return c.Errorf(prefix+"match.acceptance.required", "got true with placement servers, expected false: players join servers at once, without a match that they could accept")
	case onServers && q.Match.Leave.Happens():
		return c.Errorf(prefix+"match.leave", "got players who are missing from matches with placement servers, expected none: on servers, each player stays for a session")
	case q.Match.Leave.Refills() && !q.takes:
		return c.Errorf(prefix+"match.leave.then", "got backfill in a queue whose running matches take no players, expected short, end, or one of: a FlexMatch rule set with match.backfill: true, an AccelByte ruleset with auto_backfill, or an own matchmaker with external.backfill: true")
	}
	return nil
}

// placeQueue is the part of completeQueue about the ruleset and the matchmaker. A queue whose ruleset makes
// matches has placement pool unless another is requested, because no vendor's service has the states IDEAL,
// EXPAND and WARMBODY.
func (c *Config) placeQueue(prefix string, q *Queue) error {
	switch {
	case q.Rules == "" && len(q.RuleKeys) > 0:
		k := q.RuleKeys[0]
		return k.at.Errorf("got a key in a ruleset, but there is no ruleset: expected %srules to name its file", prefix)
	case q.Rules == "" && q.External.Matcher != "":
		return c.placeExternal(prefix, q, nil)
	case q.Rules == "" && q.Match.Backfill:
		return c.Errorf(prefix+"match.backfill", "got true without rules, expected a ruleset (rules) that allows free seats in a match")
	case q.Rules == "" && q.Placement == PlacementPool:
		return c.Errorf(prefix+"placement", "got pool without rules, expected a ruleset (rules) for a pool, or an external matchmaker (matcher.external)")
	case q.Rules == "":
		q.Placement = cmp.Or(q.Placement, PlacementDatacenters)
		return nil
	}
	set, err := q.ReadRuleset(c.Matcher.CompileOptions)
	if q.External.Unknown(q.Dialect, err) != nil {
		set, err = nil, nil
	}
	if err != nil {
		return c.Unopened(prefix+"rules", err)
	}
	if q.External.Matcher != "" {
		return c.placeExternal(prefix, q, set)
	}
	switch isServers := q.Placement == PlacementServers; {
	case set.Rules.Placement != nil && !isServers && q.Placement != "":
		return fmt.Errorf("%s: a %s configuration places players on servers, expected placement servers, got %s", set.File, set.Dialect, q.Placement)
	case set.Rules.Placement != nil:
		q.Placement = PlacementServers
	case isServers:
		return fmt.Errorf("%s: a %s ruleset makes matches, expected a %s configuration for placement servers",
			set.File, set.Dialect, input.Either(dialect.NamesThat(true)))
	}
	q.Placement = cmp.Or(q.Placement, PlacementPool)
	q.takes = set.Rules.Queue != nil && q.Placement == PlacementPool && set.Rules.Queue.Rules.Backfills()
	switch {
	case q.Match.Backfill && (set.Rules.Queue == nil || !set.Rules.Queue.TakesBackfill):
		return c.Errorf(prefix+"match.backfill", "got true with a %s ruleset, expected false: such a ruleset decides itself whether running matches take players", set.Dialect)
	case q.takes && q.Match.Leave.Ends():
		return c.Errorf(prefix+"match.leave.then", "got end with a ruleset that lets running matches take players, expected short, or a ruleset without backfill")
	case q.Placement != PlacementServers && q.Match.KeepTogether:
		return c.Errorf(prefix+"match.keep_together", "got true with rules, expected false: the players of a match, as one party, do not fit into a match with others")
	}
	return nil
}

// placeExternal determines the placement of a queue with an external matchmaker, and rejects
// settings that such a queue does not allow. The queue's keys begin with prefix. set is nil if
// the queue has no ruleset or mmsim cannot compile it.
func (c *Config) placeExternal(prefix string, q *Queue, set *Ruleset) error {
	q.takes = q.External.Backfill
	switch {
	case q.Placement == PlacementServers:
		return c.Errorf(prefix+"matcher.external", "got a matchmaker with placement servers, which makes no matches: expected placement pool or datacenters")
	case set != nil && set.Rules.Queue == nil:
		return c.Errorf(prefix+"matcher.external", "got a matchmaker with %s, which places players on servers: expected rules that make matches, or no rules", set.File)
	case q.Match.KeepTogether:
		return c.Errorf(prefix+"match.keep_together", "got true with an external matchmaker, expected false: the players of a match, as one party, do not fit into a match with others")
	case q.External.Backfill && q.Match.Leave.Ends():
		return c.Errorf(prefix+"match.leave.then", "got end with external.backfill, expected short, or external.backfill=false")
	case q.Placement == PlacementDatacenters && q.External.Backfill:
		return c.Errorf(prefix+"external.backfill", "got true with placement datacenters, expected placement pool")
	case q.External.AsksProfiles() && q.External.Profiles == "":
		return c.Errorf(prefix+"matcher.external", "got a match function of Open Match without profiles, expected matcher.profiles (--profiles) to name a file")
	case q.Placement == "":
		q.Placement = PlacementPool
	}
	return nil
}

// completeWarmup sets an automatic warm-up period to the longest one that any queue needs. The
// players' shares among the queues are not known yet, but the longest period is enough for any
// shares.
func (c *Config) completeWarmup() {
	if !c.Clock.WarmupAuto {
		return
	}
	c.Clock.Warmup = 0
	for _, q := range c.AllQueues() {
		found := section.WarmupMin
		if q.Placement == PlacementServers {
			found = section.StationaryAfter(section.SessionExcess(c.Servers.Session), 0)
		} else {
			cycle := section.MatchExcess(q.Match.Length, c.Players.BetweenMatches)
			found = section.StationaryAfter(cycle, c.Players.PlayAgain)
		}
		c.Clock.Warmup = max(c.Clock.Warmup, found)
	}
}

// loader applies values to a configuration and records where each was written.
type loader struct {
	config    *Config
	keys      value.Object     // the settings of config
	leaves    []Setting        // those of keys that write each value once
	queueKeys []yamltree.Entry // see isQueueKey
}

// keysAdvice ends messages about unknown keys.
const keysAdvice = `"mmsim help config" lists the keys`

// loaders has loaders that nobody uses. To bind the settings to a configuration takes longer than
// all else that is done for one point of a sweep.
var loaders = sync.Pool{New: func() any {
	l := &loader{config: new(Config)}
	l.keys = value.Object{Keys: Settings(l.config), Advice: keysAdvice, Note: l.config.note, Other: l.isQueueKey}
	l.leaves = l.keys.Ends()
	return l
}}

// newLoader returns a loader of the defaults.
func newLoader() *loader {
	l := loaderOf(Default())
	l.config.written = map[string]yamltree.Node{}
	return l
}

// loaderOf returns a loader of a copy of c.
func loaderOf(c *Config) *loader {
	l := loaders.Get().(*loader)
	*l.config = *c
	return l
}

// free ends the use of a loader, its configuration and its settings.
func (l *loader) free() {
	*l.config, l.queueKeys = Config{}, nil
	loaders.Put(l)
}

// applyOverride applies one setting from the command line. Paths in it are relative to the
// working directory.
func (l *loader) applyOverride(o Override) error {
	folder, err := input.WorkingFolder()
	if err != nil {
		return err
	}
	from := &yamltree.Source{Name: o.Flag, Folder: folder}
	if flag, _, _ := strings.Cut(o.Flag, " "); strings.HasPrefix(flag, "--set") || flag == "--"+o.Key {
		from.Key = o.Key
	}
	n := yamltree.Node{Kind: yamltree.Text, Text: o.Text, From: from}
	if !o.Literal {
		if n, err = yamltree.Parse([]byte(o.Text), from); err != nil {
			return err
		}
	}
	return l.keys.Set("", o.Key, yamltree.Node{Kind: yamltree.Plain, Text: o.Key, From: from}, n)
}

// apply applies a configuration file. It may be empty.
func (l *loader) apply(root yamltree.Node) error {
	if root.Kind == yamltree.Null {
		return nil
	}
	return l.keys.Value().ReadAt("", root)
}

// note records where a value was written.
func (c *Config) note(n yamltree.Node) { c.written[n.Path] = n }

// Errorf returns an error about a setting that is valid by itself but contradicts other
// settings or data. The error points to where the setting was written.
func (c *Config) Errorf(path, format string, args ...any) error {
	if n, ok := c.written[path]; ok {
		return n.Errorf(format, args...)
	}
	return input.Badf("%s: %s", path, fmt.Sprintf(format, args...))
}

// Unopened adds the place in the configuration file that names a file or folder to the error about
// opening it, if the file or folder does not exist. The user may never have typed its name.
func (c *Config) Unopened(path string, err error) error {
	if n, ok := c.written[path]; ok && n.Line > 0 && errors.Is(err, fs.ErrNotExist) {
		return n.Errorf("%v", err)
	}
	return err
}

// described has the settings for readers of their descriptions. To build them for every flag of every
// command took 40 of the 60 ms of CPU in which mmsim starts.
var described = sync.OnceValue(newLoader)

// SettingNamed returns the setting with the given key, or nil if there is none. Its value is the
// default, which nobody may set.
func SettingNamed(key string) *Setting { return described().keys.Find(key) }

// CheckKey checks the value of one key, as far as this is possible without the other keys.
func CheckKey(key, n yamltree.Node) error { return newLoader().keys.Set("", key.Text, key, n) }

// A Base is a configuration file and overrides, from which several configurations are resolved that
// differ in some keys. The file is read once.
type Base struct {
	file      yamltree.Node // Null if there is no file
	fault     error         // of the file, beside those of the values in it
	overrides []Override
}

// ReadBase reads a configuration file, unless its name is empty. If another file names it at n and there
// is no such file, the error is about n.
func ReadBase(n yamltree.Node, file string, overrides []Override) (*Base, error) {
	b := &Base{overrides: overrides}
	if file != "" {
		b.file, b.fault = yamltree.ReadFile(file)
	}
	switch {
	case b.fault == nil || b.file.From != nil:
		return b, nil
	case n.From != nil && errors.Is(b.fault, fs.ErrNotExist):
		return nil, n.Errorf("%v", b.fault)
	}
	return nil, b.fault
}

// LoadWith resolves a configuration like Load, but also sets keys to values after the
// overrides. It also returns the values as they would be written in a configuration file. Paths
// in them are relative to folder.
func (b *Base) LoadWith(folder string, keys, values []yamltree.Node) (*Config, []string, error) {
	c, written, err := b.ReadWith(folder, keys, values)
	if err != nil {
		return nil, written, err
	}
	return c, written, c.complete()
}

// ReadWith is to LoadWith as Read is to Load.
func (b *Base) ReadWith(folder string, keys, values []yamltree.Node) (*Config, []string, error) {
	l := newLoader()
	defer l.free()
	faults := []error{b.fault, l.apply(b.file)}
	for _, o := range b.overrides {
		faults = append(faults, l.applyOverride(o))
	}
	var written []string
	for i, key := range keys {
		if err := l.keys.Set("", key.Text, key, values[i]); err != nil {
			faults = append(faults, err)
			continue
		}
		text := values[i].Text
		if values[i].Kind > yamltree.Text {
			text = string(values[i].JSON())
		}
		if setting := l.keys.Find(key.Text); setting != nil {
			text = value.Flow(setting.Write(folder))
		}
		written = append(written, text)
	}
	if err := value.Joined(faults); err != nil {
		if len(l.config.queueNodes) > 0 {
			err = value.Joined([]error{err, l.resolveQueues()})
		}
		return nil, nil, err
	}
	err := l.finish()
	c := *l.config
	return &c, written, err
}

// OnlyMatters reports whether all settings from the command line are differences that matter. They
// can be changed without simulating again.
func OnlyMatters(overrides []Override) bool {
	return !slices.ContainsFunc(overrides, func(o Override) bool {
		return o.Key != section.MattersKey && !strings.HasPrefix(o.Key, section.MattersKey+".")
	})
}
