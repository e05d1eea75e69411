package workers

import (
	"slices"
	"testing"
	"time"
)

// workerCounts counts each result once, for its worker, and forgets workers that have been silent
// for long.
func TestWorkerCounts(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	c := newWorkerCounts()
	c.now = func() time.Time { return now }
	c.register(&record{Took: []string{"a"}})
	c.register(&record{Took: []string{"a", "b"}})
	now = now.Add(time.Minute)
	for range 4 {
		c.register(&record{Result: &result{Worker: "b"}})
		c.register(&record{Result: &result{Worker: "b", Taken: true}})
	}
	c.register(&record{Result: &result{Worker: "a"}})
	c.register(&record{Result: &result{Worker: "a", Died: []string{"x", "y", "z"}}})
	now = now.Add(time.Minute)
	if got, want := c.rates(), []string{"2 workers", "b 2.0/min", "a 0.5/min"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	now = now.Add(silentFor - time.Minute - time.Second)
	c.register(&record{Took: []string{"c"}})
	now = now.Add(time.Second)
	if got, want := c.rates(), []string{"1 worker", "c 0.0/min"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
