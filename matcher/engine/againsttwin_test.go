package engine

import (
	"fmt"
	"testing"
)

// describe logs the rules and tickets of a case, so that a failure can be understood.
func (b *both) describe(t *testing.T, seed uint64) {
	t.Logf("seed %d: %+v", seed, b.twin.rules)
	for _, rule := range b.twin.rules.Rules {
		t.Logf("  %T %+v", rule, rule)
	}
	for _, w := range b.twin.all {
		t.Logf("  left: row %d created %d gives up %d session %v players %v", w.row, w.createdMS, w.giveUpMS, w.session, w.players)
	}
}

// TestPassAgainstTwin compares a pass over a small random case with a pass of the twin, a simple
// second implementation of the engine.
func TestPassAgainstTwin(t *testing.T) {
	for seed := range uint64(4000) {
		for _, above := range lazyAbove {
			t.Run(fmt.Sprintf("%d lazy above %d", seed, above), func(t *testing.T) {
				b := newBoth(t, seed)
				b.pool.method.(*groups).search.LazyAbove = above
				for range 1 + b.w.IntN(9) {
					b.addTicket(b.w.ticket(20_000, 3))
				}
				if b.w.one(0.4) {
					for range 1 + b.w.IntN(2) {
						b.addSession(b.w.session(20_000, b.twin.rules))
					}
				}
				if b.check(t, 20_000, true); t.Failed() {
					b.describe(t, seed)
				}
			})
		}
		if t.Failed() {
			t.FailNow()
		}
	}
}

// TestManyPassesAgainstTwin compares a pool that is kept for many passes with the twin. The pool
// repeats a search only if something changed. The twin repeats every search in every pass.
func TestManyPassesAgainstTwin(t *testing.T) {
	for seed := range uint64(1000) {
		for _, above := range lazyAbove {
			t.Run(fmt.Sprintf("%d lazy above %d", seed, above), func(t *testing.T) { manyPasses(t, 1<<32+seed, above) })
		}
		if t.Failed() {
			t.FailNow()
		}
	}
}

func manyPasses(t *testing.T, seed uint64, above int32) {
	b := newBoth(t, seed)
	b.pool.method.(*groups).search.LazyAbove = above
	now := int64(10_000)
	for pass := 0; pass < 12 && !t.Failed(); pass++ {
		for range b.w.IntN(3) {
			b.addTicket(b.w.ticket(now, 3))
		}
		if b.w.one(0.1) {
			b.addSession(b.w.session(now, b.twin.rules))
		}
		if n := len(b.twin.all); n > 0 && b.w.one(0.2) {
			gone := b.twin.all[b.w.IntN(n)]
			b.pool.Remove(gone.row)
			b.twin.leave(gone)
		}
		if len(b.twin.all) > 10 {
			break
		}
		if b.check(t, now, false); t.Failed() {
			b.describe(t, seed)
		}
		now += int64(b.w.IntN(4)) * 1000
	}
}

// FuzzPassAgainstTwin compares two passes over a random case with the twin. The fuzzer chooses the
// seed of the case and the times of the passes.
func FuzzPassAgainstTwin(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(seed), uint16(500*seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, tickets uint8, laterMS uint16) {
		b := newBoth(t, seed)
		b.pool.method.(*groups).search.LazyAbove = lazyAbove[seed%2]
		for range tickets % 8 {
			b.addTicket(b.w.ticket(20_000, 3))
		}
		b.addSession(b.w.session(20_000, b.twin.rules))
		b.check(t, 20_000, true)
		if b.check(t, 20_000+int64(laterMS), false); t.Failed() {
			b.describe(t, seed)
		}
	})
}
