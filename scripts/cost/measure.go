package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// measurer runs mmsim.
type measurer struct {
	binary string
	work   string // a folder for inputs and results
	limit  time.Duration
	repeat int
	plain  map[string]result // results without rules, by the run's arguments
}

// result is what a run cost and made.
type result struct {
	cpu     time.Duration
	cut     bool // the run was stopped at the limit, so all other fields except cpu are zero
	matches int
	hits    int // number of searches that used up their budget
	hash    string
}

// measure runs a load with its rules and without.
func (m *measurer) measure(l *load) (ruled, plain result, err error) {
	rules, err := ruleset(l.rules)
	if err != nil {
		return ruled, plain, err
	}
	if err := os.WriteFile(filepath.Join(m.work, "rules.json"), rules, 0o666); err != nil {
		return ruled, plain, err
	}
	players := []string{"players.parties=" + cmp.Or(l.parties, "{1: 1}")}
	for _, name := range l.reads {
		if attributes[name] == "" {
			return ruled, plain, fmt.Errorf("no generator for attribute %q", name)
		}
		players = append(players, "players.attributes."+name+"="+attributes[name])
	}
	without := append([]string{"placement=datacenters", fmt.Sprint("match.size=", l.size)}, players...)
	key := strings.Join(without, "\n")
	plain, known := m.plain[key]
	if !known {
		if plain, err = m.least(without); err != nil {
			return ruled, plain, fmt.Errorf("without rules: %w", err)
		}
		if plain.cut {
			return ruled, plain, fmt.Errorf("without rules: did not end within %v", m.limit)
		}
		m.plain[key] = plain
	}
	ruled, err = m.least(append(append([]string{"rules=rules.json"}, players...), l.set...))
	return ruled, plain, err
}

// ruleset reads a ruleset from its file or from a case file.
func ruleset(file string) ([]byte, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var c struct {
		Dialect string          `json:"dialect"`
		Rules   json.RawMessage `json:"rules"`
	}
	if json.Unmarshal(content, &c) == nil && c.Dialect != "" && c.Rules != nil {
		return c.Rules, nil
	}
	return content, nil
}

// least returns the result with the least CPU time of several equal runs.
func (m *measurer) least(set []string) (best result, err error) {
	for i := range m.repeat {
		r, err := m.once(set)
		if err != nil || r.cut {
			return r, err
		}
		if i > 0 && r.hash != best.hash {
			return r, fmt.Errorf("two equal runs have different results: hashes %s and %s", best.hash, r.hash)
		}
		if i == 0 || r.cpu < best.cpu {
			best = r
		}
	}
	return best, nil
}

// once runs two hours of the built-in day with the given settings.
func (m *measurer) once(set []string) (r result, err error) {
	args := []string{"run", "--quiet", "--out", "out"}
	for _, s := range append([]string{"clock={warmup: 0s, duration: 2h}", "output={plots: false, html: false}"}, set...) {
		args = append(args, "--set", s)
	}
	ctx, cancel := context.WithTimeout(context.Background(), m.limit)
	defer cancel()
	c := exec.CommandContext(ctx, m.binary, args...)
	var stderr bytes.Buffer
	c.Dir, c.Stderr, c.WaitDelay = m.work, &stderr, time.Second
	err = c.Run()
	if c.ProcessState != nil {
		r.cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		r.cut = true
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("mmsim %s: %w: %s", strings.Join(args, " "), err, stderr.String())
	}
	return r, r.read(filepath.Join(m.work, "out"))
}

// read reads the numbers of a result directory. The hash covers the summary and all CSV files
// (curves, distributions, places of all matches), but not the version of mmsim.
func (r *result) read(folder string) error {
	content, err := os.ReadFile(filepath.Join(folder, "summary.json"))
	if err != nil {
		return err
	}
	var numbers struct {
		Matches struct{ Count int }
		Rules   struct {
			BudgetHits struct{ Groups, Teams int } `json:"budget_hits"`
		}
	}
	if err := json.Unmarshal(content, &numbers); err != nil {
		return err
	}
	r.matches, r.hits = numbers.Matches.Count, numbers.Rules.BudgetHits.Groups+numbers.Rules.BudgetHits.Teams
	hash := sha256.New()
	_, results, found := bytes.Cut(content, []byte("\n  },\n")) // the first block names the version
	if !found {
		return errors.New("summary.json has another form than expected: no first block")
	}
	hash.Write(results)
	files, err := filepath.Glob(filepath.Join(folder, "*.csv*"))
	if err != nil {
		return err
	}
	for _, file := range files { // Glob sorts them
		if err := hashFile(hash, file); err != nil {
			return err
		}
	}
	r.hash = fmt.Sprintf("%x", hash.Sum(nil)[:6])
	return nil
}

func hashFile(hash io.Writer, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(hash, f)
	return err
}
