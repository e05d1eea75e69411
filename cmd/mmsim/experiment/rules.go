package experiment

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker/service"
	"mmsim/datasets"
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/external/exchange"
)

// loadRules reads and compiles the ruleset of every queue. It adds warnings about doubtful
// rules.
func (in *Inputs) loadRules() error {
	c := in.Config
	in.contents["rules"] = ""
	in.warn(c.SharesWarnings()...)
	for i, q := range c.AllQueues() {
		key := c.QueuePrefix(i)
		set, unknown, err := in.loadRuleset(key, q)
		if err != nil {
			return err
		}
		in.rulesets, in.unknown = append(in.rulesets, set), append(in.unknown, unknown)
		in.warn(q.PartyWarnings("players.parties", c.PartySizes(), set)...)
		in.warn(q.ExternalWarnings(key, set)...)
	}
	in.ruleset = in.rulesets[0]
	return nil
}

// loadRuleset reads and compiles the ruleset of one queue. The queue's keys begin with prefix.
// If only the queue's external matchmaker can read the ruleset, set is nil and unknown is the
// ruleset's text. Both are nil if the queue has no ruleset.
func (in *Inputs) loadRuleset(prefix string, q *config.Queue) (set *config.Ruleset, unknown []byte, err error) {
	in.contents[prefix+"rules"] = ""
	if q.Rules == "" {
		return nil, nil, nil
	}
	set, err = q.ReadRuleset(in.Config.Matcher.CompileOptions)
	if f := q.External.Unknown(q.Dialect, err); f != nil {
		in.contents[prefix+"rules"] = hashOf(f.Text)
		in.warnings = append(in.warnings, f.Warning())
		return nil, f.Text, nil
	}
	if err != nil {
		return nil, nil, err
	}
	in.contents[prefix+"rules"] = hashOf(set.Content())
	for _, w := range in.lintRuleset(prefix, q, set) {
		if w.Position == "" || !slices.Contains(in.warnings, w) { // several queues may have rules in one file
			in.warnings = append(in.warnings, w)
		}
	}
	return set, nil, nil
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// lintRuleset warns about doubtful parts of a queue's ruleset, and about settings that have no
// effect with it.
func (in *Inputs) lintRuleset(prefix string, q *config.Queue, set *config.Ruleset) []jsontree.Warning {
	if q.Placement == config.PlacementServers {
		return slices.Concat(set.Rules.Warnings, set.Rules.Lint(matcher.Never))
	}
	longestMS := in.Config.LongestSearch(q).Milliseconds()
	warnings := slices.Concat(set.Rules.Warnings, set.Rules.Lint(longestMS), set.Rules.Followed(set.File, vendor.FollowInConfig))
	if unused := q.Match.UnusedWithRules(prefix); len(unused) > 0 {
		warnings = append(warnings, jsontree.Warning{Message: strings.Join(unused, ", ") + ": not used, because the rules decide the matches"})
	}
	if q.Placement == config.PlacementDatacenters && set.Rules.Queue.Rules.Backfills() {
		warnings = append(warnings, jsontree.Warning{File: set.File, Message: "the rules ask for backfill, but with placement datacenters no running match takes more players"})
	}
	if q.Placement == config.PlacementDatacenters && set.Rules.Queue.PicksRegion {
		warnings = append(warnings, jsontree.Warning{File: set.File, Message: "the states IDEAL, EXPAND and WARMBODY replace the region rule (placement datacenters)"})
	}
	return warnings
}

// columnKinds returns the kinds of the columns that rules read. If rules read a column as
// different kinds, the first rule determines the kind.
func (in *Inputs) columnKinds() map[string]datasets.Kind {
	kinds := map[string]datasets.Kind{}
	if in.Config.Placement == config.PlacementServers {
		return binding.PlacingKinds(in.ruleset, in.Config)
	}
	for _, set := range in.rulesets {
		if set == nil {
			continue
		}
		for _, read := range set.Rules.Queue.Reads {
			for _, name := range read.Names {
				if _, decided := kinds[name]; !decided {
					kinds[name] = config.KindOf(read)
				}
			}
		}
	}
	return kinds
}

// checkRegions checks that every region lists known datacenters, and that one of them takes part. A
// datacenter that is in no region is a region of its own name, so checkRegions also checks that no
// other region has that name.
func (in *Inputs) checkRegions() error {
	var grouped []string
	known, unused := in.UsedNames(), in.UnusedNames()
	regions := slices.Sorted(maps.Keys(in.Config.Regions))
	for _, region := range regions {
		isLeft := false
		for _, name := range in.Config.Regions[region] {
			isUsed := slices.Contains(known, name)
			if !isUsed && !slices.Contains(unused, name) {
				return in.Config.Errorf("regions."+region, "got %q, expected datacenters in the list: %s%s",
					name, strings.Join(known, ", "), input.DidYouMean(name, slices.Concat(known, unused)))
			}
			grouped, isLeft = append(grouped, name), isLeft || isUsed
		}
		if !isLeft {
			return in.Config.Errorf("regions."+region, "got %s, of which none takes part, expected one of the datacenters that do: %s",
				strings.Join(in.Config.Regions[region], ", "), strings.Join(known, ", "))
		}
	}
	for _, region := range regions {
		if slices.Contains(known, region) && !slices.Contains(grouped, region) {
			return in.Config.Errorf("regions."+region, "got %s, but the datacenter %s is in no region and so is a region of the same name: expected it in a region, or another name for this region",
				strings.Join(in.Config.Regions[region], ", "), region)
		}
	}
	return nil
}

// helloOf returns the hello message that opens a queue's exchange with its external
// matchmaker.
func (in *Inputs) helloOf(queue int, q *config.Queue, run uint64) *exchange.Hello {
	c := in.Config
	h := &exchange.Hello{
		Queue: q.Name, Run: run, Seed: c.Seed, TickMS: c.Clock.Tick.Milliseconds(),
		StartMS:  -c.Clock.Warmup.Milliseconds(),
		Match:    exchange.Match{Min: q.Match.Size, Max: q.Match.Size},
		Backfill: q.External.Backfill,
	}
	for _, region := range binding.Regions(c, q, in.Datacenters, in.InUse) {
		h.Datacenters = append(h.Datacenters, region.Name)
	}
	if q.Placement == config.PlacementPool {
		h.GiveUpMS = c.Players.GiveUpAfter.Milliseconds()
	}
	h.Rules = in.unknown[queue]
	if set := in.rulesets[queue]; set != nil {
		h.Rules, h.Match = set.Rules.Value.JSON(), exchange.MatchOf(set.Rules.Queue.Rules)
	}
	h.Rules = bytes.TrimPrefix(h.Rules, []byte("\ufeff")) // a byte order mark belongs to the file, not to the JSON
	return h
}

// meetMatchmakers adds the identities of the queues' external matchmakers to the contents that
// JobHash depends on. A file is identified by its content. A program or a service is
// identified by the name and version that it reports.
func (in *Inputs) meetMatchmakers() error {
	in.contents["matcher.external"], in.contents["matcher.folder"], in.contents["matcher.profiles"] = "", "", ""
	for i, q := range in.Config.AllQueues() {
		prefix := in.Config.QueuePrefix(i)
		in.contents[prefix+"matcher.folder"] = "" // also without a matchmaker: a worker sets it for every queue
		if q.External.Matcher == "" {
			continue
		}
		key := prefix + "matcher.external"
		in.contents[prefix+"matcher.profiles"] = ""
		if q.External.AsksProfiles() {
			_, invalid := service.ReadProfiles(q.External.Profiles)
			sum, err := input.ReadHashed(q.External.Profiles, discard)
			if err := cmp.Or(invalid, err); err != nil {
				return err
			}
			in.contents[prefix+"matcher.profiles"] = sum
		}
		if file := q.External.File(); file != "" {
			sum, err := input.ReadHashed(file, discard)
			if err != nil {
				return err
			}
			in.contents[key] = strings.TrimSuffix(q.External.Matcher, file) + sum
			continue
		}
		answer, err := in.askHello(in.helloOf(i, q, 0), q)
		if err != nil {
			return err
		}
		in.contents[key] = fmt.Sprintf("%s\n%s\n%s", q.External.Matcher, answer.Name, answer.Version)
		in.Met = append(in.Met, strings.TrimSpace(answer.Name+" "+answer.Version))
		in.Unrepeatable = in.Unrepeatable || answer.Version == ""
	}
	return nil
}

// discard reads a file that only needs to be hashed.
func discard(r io.Reader, _ string) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

// askHello asks a matchmaker for its name and version. Configurations that send the same hello
// message to the same matchmaker ask only once.
func (in *Inputs) askHello(hello *exchange.Hello, q *config.Queue) (*exchange.HelloAnswer, error) {
	return in.cache.hellos.get(keyOf("hello", q.External.Matcher, q.External.RunFolder(), q.External.Profiles, *hello), func() (*exchange.HelloAnswer, error) {
		e, err := binding.OpenMatchmaker(context.Background(), in.Config, q, hello, nil, nil)
		if err != nil {
			return nil, err
		}
		e.Close("only asked for its name")
		return e.Answer, nil
	})
}
