package workers

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"mmsim/cmd/mmsim/input"
)

// A roster is what a coordinator knows about its workers from their news.
type roster struct {
	silent time.Duration // a worker that has been silent for longer has ended

	mutex   sync.Mutex
	members map[string]*member
}

// A member is a worker.
type member struct {
	news
	heard time.Time // when its last news came
}

// newRoster returns an empty roster. A worker counts as ended shortly before its lease expires, so
// that a job is given up before one more worker takes it.
func newRoster(lease time.Duration) *roster {
	return &roster{silent: lease * 2 / 3, members: map[string]*member{}}
}

// hear takes the news of a worker.
func (r *roster) hear(n *news) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	switch m := r.members[n.Worker]; {
	case m != nil && n.Number < m.Number: // newer news have overtaken them
	case n.Left:
		delete(r.members, n.Worker)
	case m != nil || len(r.members) < membersMax:
		r.members[n.Worker] = &member{*n, time.Now()}
	}
}

func (r *roster) isConnected(m *member) bool { return time.Since(m.heard) <= r.silent }

// connected returns the names of the workers that are still there, in order.
func (r *roster) connected() []string { return r.names(r.isConnected) }

// names returns the names of the workers for which is returns true, in order.
func (r *roster) names(is func(m *member) bool) (names []string) {
	for name, m := range r.members {
		if is(m) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// count returns the number of workers.
func (r *roster) count() int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return len(r.connected())
}

// endedOn returns the workers that ended without a word while they did a job.
func (r *roster) endedOn(id string) []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.names(func(m *member) bool { return !r.isConnected(m) && slices.Contains(m.Running, id) })
}

// unable returns a table of the workers with their reasons if there are workers, and none of them
// can do a job. Otherwise it returns "".
func (r *roster) unable(kind, id string) string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	names := r.connected()
	if len(names) == 0 {
		return ""
	}
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "  worker\treason\tcure\n")
	for _, name := range names {
		unable := r.members[name].Unable
		w, is := unable[kind]
		if !is {
			if w, is = unable[id]; !is {
				return ""
			}
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\n", name, w.Reason, w.Cure)
	}
	_ = table.Flush() // a strings.Builder does not fail
	return strings.TrimRight(b.String(), "\n")
}

// progress returns texts for the progress line. The worker that has done most comes first.
func (r *roster) progress() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	names := r.connected()
	slices.SortStableFunc(names, func(a, b string) int { return r.members[b].Done - r.members[a].Done })
	parts := []string{input.Counted(len(names), "worker")}
	for _, name := range names {
		m := r.members[name]
		part := fmt.Sprintf("%s %d done", name, m.Done)
		if len(m.Running) > 0 {
			part += fmt.Sprintf(" + %d running", len(m.Running))
		}
		switch seconds := m.Seconds / float64(m.Done); {
		case m.Done == 0:
		case seconds < 10:
			part += fmt.Sprintf(" (%.2g s/job)", seconds)
		default:
			part += fmt.Sprintf(" (%.0f s/job)", seconds)
		}
		parts = append(parts, part)
	}
	return parts
}
