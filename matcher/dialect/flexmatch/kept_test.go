package flexmatch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/engine"
)

// keptBudget is the search budget in TestKeptPoolAgainstNewPool.
const keptBudget = 1000

// widening is a rule set under which most matches must wait for a step of an expansion.
const widening = `{"ruleLanguageVersion": "1.0", "playerAttributes": [
	{"name": "skill", "type": "number", "default": 5}, {"name": "level", "type": "number"},
	{"name": "mode", "type": "string", "default": "a"}, {"name": "maps", "type": "string_list", "default": ["x"]}],
	"teams": [{"name": "red", "minPlayers": 2, "maxPlayers": 2}, {"name": "side", "minPlayers": 2, "maxPlayers": 2}],
	"rules": [{"name": "Level", "type": "batchDistance", "batchAttribute": "level", "maxDistance": 1}, {"name": "Fast", "type": "latency", "maxLatency": 4}],
	"expansions": [
		{"target": "rules[Level].maxDistance", "steps": [{"waitTimeSeconds": 4, "value": 2}, {"waitTimeSeconds": 8, "value": 3}, {"waitTimeSeconds": 12, "value": 5}]},
		{"target": "rules[Fast].maxLatency", "steps": [{"waitTimeSeconds": 6, "value": 6}, {"waitTimeSeconds": 12, "value": 9}]},
		{"target": "teams[red].minPlayers", "steps": [{"waitTimeSeconds": 10, "value": 1}]}]}`

// waiting lists the tickets and sessions of a pool that is kept for many passes, in the order in
// which they were added.
type waiting struct {
	t    *testing.T
	set  *Ruleset
	kept *engine.Pool
	rows []matcher.Row
	add  map[matcher.Row]func(*engine.Pool) (matcher.Row, error)
}

// join adds a ticket or a session, unless the service refuses the ticket.
func (k *waiting) join(add func(*engine.Pool) (matcher.Row, error)) {
	if row, err := add(k.kept); err == nil {
		k.rows, k.add[row] = append(k.rows, row), add
	}
}

// anew returns a new pool with the same tickets and sessions, and maps its rows to rows of the kept
// pool.
func (k *waiting) anew() (pool *engine.Pool, names map[matcher.Row]matcher.Row) {
	pool, names = newPool(k.t, k.set.Rules(keptBudget, 0), k.set), map[matcher.Row]matcher.Row{}
	for _, name := range k.rows {
		row, err := k.add[name](pool)
		if err != nil {
			k.t.Fatal(err)
		}
		names[row] = name
	}
	return pool, names
}

// decided returns the decisions of a pass as text.
func decided(out *matcher.Outcome, name func(matcher.Row) matcher.Row) (text string) {
	for _, row := range out.Expired {
		text += fmt.Sprint("expired ", name(row), "\n")
	}
	write := func(p *matcher.Proposal) {
		for _, side := range p.Teams {
			for _, row := range side.Tickets {
				text += fmt.Sprint(name(row), " ")
			}
			text += "; "
		}
		text += fmt.Sprint("in ", p.Regions, "\n")
	}
	for i := range out.Backfills {
		text += fmt.Sprint("session ", name(out.Backfills[i].Session), " ")
		write(&out.Backfills[i].Proposal)
	}
	for i := range out.Matches {
		write(&out.Matches[i])
	}
	return text
}

// A pool that is kept for many passes remembers which searches failed. It must make the same
// decisions as a new pool with the same tickets.
func TestKeptPoolAgainstNewPool(t *testing.T) {
	matches, late := 0, 0
	for seed := range uint64(200) {
		w := generator{rand.New(rand.NewPCG(seed, 26)), false, 0}
		text := w.ruleset()
		if seed%2 == 0 {
			text = widening
		}
		set, _, err := read("f.json", []byte(text), vendor.CompileOptions{Strict: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if _, err := set.Schema.Region("eu"); err != nil {
			t.Fatal(err)
		}
		if _, err := set.Schema.Region("us"); err != nil {
			t.Fatal(err)
		}
		k := &waiting{t, set, newPool(t, set.Rules(keptBudget, 0), set), nil, map[matcher.Row]func(*engine.Pool) (matcher.Row, error){}}
		came := map[matcher.Row]int64{}
		for nowMS := int64(0); nowMS < 60_000; nowMS += 500 * (1 + w.Int64N(6)) {
			for range w.IntN(3) {
				k.join(w.ticket(t, set, nowMS))
			}
			if w.IntN(8) == 0 {
				k.join(w.session(t, set, nowMS))
			}
			for _, row := range k.rows {
				if _, known := came[row]; !known {
					came[row] = nowMS
				}
			}
			pool, names := k.anew()
			out := pool.Pass(nowMS)
			want := decided(&out, func(row matcher.Row) matcher.Row { return names[row] })
			hits := len(out.BudgetHits)
			out = k.kept.Pass(nowMS)
			if hits+len(out.BudgetHits) > 0 { // if a budget ran out, the results may depend on the number of tickets that have left
				break
			}
			if got := decided(&out, func(row matcher.Row) matcher.Row { return row }); got != want {
				t.Fatalf("seed %d at %d ms: got from the kept pool\n%s\nwant as from a new pool\n%s\n%s", seed, nowMS, got, want, text)
			}
			gone := slices.Clone(out.Expired)
			for i := range out.Matches {
				gone = append(gone, out.Matches[i].Tickets...)
				if matches++; !slices.ContainsFunc(out.Matches[i].Tickets, func(row matcher.Row) bool { return came[row] == nowMS }) {
					late++
				}
			}
			for i := range out.Backfills {
				gone = append(append(gone, out.Backfills[i].Session), out.Backfills[i].Tickets...)
			}
			if len(k.rows) > 0 && w.IntN(4) == 0 { // a ticket withdraws
				if row := pick(w, k.rows...); !slices.Contains(gone, row) {
					k.kept.Remove(row)
					gone = append(gone, row)
				}
			}
			for _, row := range gone {
				k.rows = slices.DeleteFunc(k.rows, func(other matcher.Row) bool { return other == row })
				delete(came, row)
			}
		}
	}
	if matches < 1000 || late < 200 {
		t.Errorf("got %d matches, %d of them without a ticket new in that pass; want at least 1000 and 200", matches, late)
	}
}

// ticket draws a ticket. A few have already waited when they are added.
func (w generator) ticket(t *testing.T, set *Ruleset, nowMS int64) func(*engine.Pool) (matcher.Row, error) {
	ticket := matcher.Ticket{CreatedMS: nowMS - 500*w.Int64N(2), GiveUpMS: 25_000}
	if w.IntN(5) == 0 {
		ticket.CreatedMS -= 1000 * w.Int64N(20)
	}
	var refused error
	for _, player := range w.match(1)[0][0].Players {
		p, err := loadPlayer(t, set, player)
		if err != nil {
			refused = err
		}
		ticket.Players = append(ticket.Players, p)
	}
	return func(pool *engine.Pool) (matcher.Row, error) {
		if refused != nil {
			return 0, refused
		}
		return pool.Add(ticket)
	}
}

// session draws a running match that looks for players.
func (w generator) session(t *testing.T, set *Ruleset, nowMS int64) func(*engine.Pool) (matcher.Row, error) {
	session := matcher.Session{CreatedMS: nowMS, Region: matcher.Region(w.IntN(2))}
	p, err := loadPlayer(t, set, w.match(1)[0][0].Players[0])
	p.RTTMS = nil
	session.Members = append(session.Members, matcher.Member{Player: p})
	return func(pool *engine.Pool) (matcher.Row, error) {
		if err != nil {
			return 0, err
		}
		return pool.AddSession(session)
	}
}
