package workers

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"mmsim/cmd/mmsim/input"
)

// workerCounts counts a coordinator's workers and their results. It counts records, because
// acknowledgements may be late.
type workerCounts struct {
	now func() time.Time

	mutex   sync.Mutex
	members map[string]*member
}

// A member is a worker.
type member struct {
	first, last time.Time // when a record first and last named it
	results     int
}

// silentFor is how long a worker is shown after the last news from it. Most jobs take less
// time.
const silentFor = 10 * time.Minute

func newWorkerCounts() *workerCounts {
	return &workerCounts{now: time.Now, members: map[string]*member{}}
}

// register counts the worker that a new or changed record names.
func (c *workerCounts) register(r *record) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch {
	case r.Result == nil && len(r.Took) > 0:
		c.member(r.Took[len(r.Took)-1])
	case r.Result != nil && !r.Result.Taken && len(r.Result.Died) == 0:
		c.member(r.Result.Worker).results++
	}
}

func (c *workerCounts) member(name string) *member {
	m := c.members[name]
	if m == nil {
		m = &member{first: c.now()}
		c.members[name] = m
	}
	m.last = c.now()
	return m
}

// rates returns texts for the progress line: the number of workers, and the jobs per minute of
// each worker in descending order.
func (c *workerCounts) rates() []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	now := c.now()
	type pace struct {
		name      string
		perMinute float64
	}
	var list []pace
	for name, m := range c.members {
		if now.Sub(m.last) < silentFor {
			list = append(list, pace{name, float64(m.results) / max(now.Sub(m.first).Minutes(), 1e-3)})
		}
	}
	slices.SortFunc(list, func(a, b pace) int {
		switch {
		case a.perMinute > b.perMinute:
			return -1
		case a.perMinute < b.perMinute:
			return 1
		}
		return strings.Compare(a.name, b.name)
	})
	parts := []string{input.Counted(len(list), "worker")}
	for _, p := range list {
		digits := 1
		if p.perMinute >= 10 {
			digits = 0
		}
		parts = append(parts, fmt.Sprintf("%s %.*f/min", p.name, digits, p.perMinute))
	}
	return parts
}
