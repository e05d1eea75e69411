package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker"
	"mmsim/datasets"
	"mmsim/matcher"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Ruleset is a queue's ruleset. Rules is Text, or a part of it, in compiled form.
type Ruleset struct {
	File     string // as messages show it
	Part     string // name of the ruleset if the file has several, otherwise ""
	Dialect  string
	Text     []byte // content of the file, with the queue's rule keys set
	Rules    *vendor.CompiledRules
	follow   vendor.Follow
	backfill bool
}

// Content returns the text on which results depend.
func (r *Ruleset) Content() []byte {
	if r.Part == "" {
		return r.Text
	}
	return r.Rules.Value.JSON()
}

// ReadRuleset reads the queue's ruleset, sets the queue's rule keys in it and compiles it. The
// error is an *matchmaker.UnknownRuleset if the file is valid JSON that does not compile.
func (q *Queue) ReadRuleset(options vendor.CompileOptions) (*Ruleset, error) {
	text, err := input.ReadFile(input.Shown(q.Rules), RulesLimit)
	if err != nil {
		return nil, err
	}
	set := &Ruleset{File: input.Shown(q.Rules), Part: q.RulesPart, Text: text, follow: q.Follow, backfill: q.Match.Backfill}
	compiled, err := set.compileWith(q.RuleKeys, q.Dialect, options)
	several, hasSeveral := errors.AsType[*dialect.SeveralError](err)
	switch {
	case hasSeveral:
		return nil, severalError(set.File, several)
	case err != nil && set.Part == "":
		if patched, faulty := set.patched(q.RuleKeys, q.Dialect); faulty == nil {
			err = matchmaker.NewUnknownRuleset(err, set.File, patched.Text)
		}
	}
	return compiled, err
}

// Compile compiles r in the dialect with the given name. If name is empty, the dialect is
// recognised from the text.
func (r *Ruleset) Compile(name string, options vendor.CompileOptions) (*Ruleset, error) {
	set := *r
	options.Follow, options.Backfill = r.follow, r.backfill
	root, err := jsontree.ParseRelaxed(set.File, set.Text)
	if err != nil {
		return nil, err
	}
	d, rules, err := dialect.Compile(name, root, set.Part, options)
	if err != nil {
		return nil, err
	}
	set.Dialect, set.Rules = d.Name, rules
	return &set, nil
}

// compileWith compiles r after setting keys. If a key causes a compile error, the error names
// the key.
func (r *Ruleset) compileWith(keys []RuleKey, dialect string, options vendor.CompileOptions) (*Ruleset, error) {
	if len(keys) == 0 {
		return r.Compile(dialect, options)
	}
	set, err := r.patched(keys, dialect)
	if err != nil {
		return nil, err
	}
	if set, err = set.Compile(dialect, options); err == nil {
		return set, nil
	}
	if _, own := r.Compile(dialect, options); own != nil {
		return nil, own
	}
	// Blame a key if the ruleset compiles with all other keys. If there is none, blame the last
	// key.
	faultyKey := &keys[len(keys)-1]
	for i := range keys {
		others, faulty := r.patched(slices.Concat(keys[:i], keys[i+1:]), dialect)
		if faulty != nil {
			continue
		}
		if _, faulty = others.Compile(dialect, options); faulty == nil {
			faultyKey = &keys[i]
		}
	}
	// Leave out the excerpt: it would show a line of the patched text, which is in no file.
	if placed, is := errors.AsType[*jsontree.Error](err); is {
		return nil, faultyKey.at.Errorf("%s: %s", placed.Position, placed.Message)
	}
	return nil, faultyKey.at.Errorf("%v", err)
}

// patched returns r after setting keys, in order. dialect is "" if it is not known.
func (r *Ruleset) patched(keys []RuleKey, dialect string) (*Ruleset, error) {
	set := *r
	for i := range keys {
		v, err := set.value(keys[i].Key, dialect)
		if _, is := errors.AsType[*unknownKeyError](err); is {
			return nil, keys[i].at.Errorf("unknown key of %s: %v", r.File, err)
		}
		if err != nil {
			return nil, err
		}
		set.Text = v.Replaced(keys[i].JSON)
	}
	return &set, nil
}

// value returns the value of a key in the ruleset. If the ruleset is a part of the file, the key may
// also begin at the top of the file.
func (r *Ruleset) value(key, name string) (jsontree.Value, error) {
	root, err := jsontree.ParseRelaxed(r.File, r.Text)
	if err != nil {
		return root, err
	}
	part := root
	if doc, err := dialect.Read(name, root, vendor.CompileOptions{}); err == nil {
		if set, err := doc.Ruleset(r.Part); err == nil {
			part = set.Value
		}
	}
	v, err := ruleValue(part, key)
	if _, _, outside := named(root.Members(), key); err != nil && outside {
		v, err = ruleValue(root, key)
	}
	if err != nil {
		return v, &unknownKeyError{err}
	}
	return v, nil
}

// unknownKeyError is the error for a key that a ruleset does not have.
type unknownKeyError struct{ error }

// RuleValue returns the value of a key inside a ruleset, such as rules.MaxMatchSize or
// queues[0].rules.MaxMatchSize. It returns "" if there is no such key.
func (c *Config) RuleValue(key string) string {
	for i, q := range c.AllQueues() {
		inner, isOf := strings.CutPrefix(key, "rules.")
		for _, prefix := range []string{fmt.Sprintf("queues[%d].rules.", i), "queues." + q.Name + ".rules."} {
			if !isOf {
				inner, isOf = strings.CutPrefix(key, prefix)
			}
		}
		if !isOf || q.Rules == "" {
			continue
		}
		set, err := q.ReadRuleset(c.Matcher.CompileOptions)
		if err != nil {
			return ""
		}
		v, err := set.value(inner, q.Dialect)
		switch {
		case err != nil:
			return ""
		case v.Kind() == jsontree.Text:
			return v.Text()
		}
		return string(v.JSON())
	}
	return ""
}

// ExternalWarnings returns warnings about settings of q that have no effect with its external
// matchmaker. set is nil if there is no ruleset. In that case match.size is used and needs no
// warning.
func (q *Queue) ExternalWarnings(prefix string, set *Ruleset) []string {
	if q.External.Profiles != "" && !q.External.AsksProfiles() {
		return []string{prefix + "matcher.profiles: not used, because only an Open Match function (openmatch2:) uses profiles"}
	}
	if q.External.Matcher == "" {
		return nil
	}
	unused := q.Match.UnusedWithRules(prefix)
	if set == nil {
		unused = slices.DeleteFunc(unused, func(key string) bool { return key == prefix+"match.size" })
	}
	if len(unused) > 0 {
		return []string{strings.Join(unused, ", ") + ": not used with an external matchmaker, which decides who plays with whom"}
	}
	return nil
}

// UnusedWithRules lists the settings that have no effect on a queue with a ruleset although
// they differ from the default.
func (m *Match) UnusedWithRules(prefix string) (keys []string) {
	standard := Default().Match
	for _, k := range []struct {
		key     string
		differs bool
	}{
		{"match.order", m.Order != standard.Order}, {"match.prefer", m.Prefer != standard.Prefer},
		{"match.partner_cooldown", m.PartnerCooldown != standard.PartnerCooldown}, {"match.size", m.Size != standard.Size},
	} {
		if k.differs {
			keys = append(keys, prefix+k.key)
		}
	}
	return keys
}

// KindOf returns the kind of data column that a rule reads.
func KindOf(read matcher.Read) datasets.Kind {
	switch read.Kind {
	case matcher.IsNumber:
		return datasets.Number
	case matcher.IsSet:
		return datasets.List
	}
	return datasets.Text
}

// MaxRulesBytes limits the size of a vendor's ruleset. The largest rulesets that vendors
// accept are far smaller, and each dialect checks its own limit.
const MaxRulesBytes = jsontree.BytesMax

// RulesLimit is MaxRulesBytes in the form that input.ReadFile takes.
var RulesLimit = input.Limit{Name: "MaxRulesBytes", Bytes: MaxRulesBytes, Expected: "a ruleset"}

// AllParts is the name that stands for all rulesets of a file: rules: queues.json#* makes a queue for
// each of them.
const AllParts = "*"

// severalError returns the error for a file with several rulesets, of which none is named. It shows
// the part of a configuration that makes a queue for each.
func severalError(file string, several *dialect.SeveralError) error {
	one := plainOrQuoted(input.JoinPart(file, several.Names[0]))
	return &jsontree.Error{
		Position: several.Position,
		Message:  fmt.Sprintf("the file has %d rulesets. To run one of them, write %s. To run all of them, add this to the configuration and fill in the share of each queue:", len(several.Names), one),
		Excerpt:  "\n" + queuesText(file, several.Names),
	}
}

// queuesText returns the setting queues as YAML, with equal shares.
func queuesText(file string, names []string) string {
	var text strings.Builder
	text.WriteString("queues:\n")
	share := math.Round(1e4/float64(len(names))) / 1e4
	for _, name := range names {
		fmt.Fprintf(&text, "  - {name: %s, share: %g, rules: %s}\n", plainOrQuoted(name), share, plainOrQuoted(input.JoinPart(file, name)))
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// plainOrQuoted returns a text as a YAML scalar.
func plainOrQuoted(text string) string {
	for i, c := range text {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 && c != '/' && c != '.' || !strings.ContainsRune("0123456789_-./#", c)) {
			return strconv.Quote(text)
		}
	}
	return text
}
