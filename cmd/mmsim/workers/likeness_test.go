package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"mmsim/cmd/mmsim/workers/hub"
)

// scenarios are operations on a session and their results, on JetStream and on its model. Times are
// in leases.
var scenarios = map[string]string{
	"a job is published twice": `
		publish a       = ok
		publish a       = ok
		stock           = jobs a
		take            = a 1
		take            = nothing
		publish a       = ok
		take            = nothing`,
	"jobs come in the order of publication, and only those of the kind": `
		publish b       = ok
		publish a       = ok
		publish c exec  = ok
		stock           = jobs a b c
		take            = b 1
		take            = a 1
		take            = nothing
		take exec       = c 1
		take exec       = nothing`,
	"an acknowledged job is gone, and may come again": `
		publish a       = ok
		take            = a 1
		ack a 1         = ok
		stock           = spent
		publish a       = ok
		take            = a 1
		stock           = jobs a`,
	"a job that is given back is delivered at once": `
		publish a       = ok
		take            = a 1
		give a 1        = ok
		wait            = a 2`,
	"a job that is given back for later": `
		publish a       = ok
		take            = a 1
		give a 1 2      = ok
		pause 1.5
		take            = nothing
		wait            = a 2`,
	"a lease expires": `
		publish a       = ok
		take            = a 1
		pause 0.6
		take            = nothing
		wait            = a 2`,
	"a lease that is renewed": `
		publish a       = ok
		take            = a 1
		pause 0.6
		renew a 1       = ok
		pause 0.6
		take            = nothing
		wait            = a 2`,
	"an acknowledgement after the lease is accepted": `
		publish a       = ok
		take            = a 1
		wait            = a 2
		ack a 1         = ok
		stock           = spent
		ack a 2         = ok
		take            = nothing`,
	"a job is withdrawn while a worker has it": `
		publish a       = ok
		publish b       = ok
		take            = a 1
		withdraw a      = ok
		stock           = jobs b
		publish a       = ok
		take            = b 1
		take            = a 1
		ack a 1 old     = ok
		pause 0.1
		stock           = jobs a b`,
	"all jobs are withdrawn": `
		publish a       = ok
		publish c exec  = ok
		withdraw        = ok
		stock           = spent
		take            = nothing`,
	"a job is delivered too often": `
		publish a       = ok
		spend           = a 20
		pause 1.2
		take            = nothing
		stock           = jobs a spent
		publish a       = ok
		take            = nothing
		withdraw a      = ok
		publish a       = ok
		take            = a 1`,
	"a record is created once": `
		record a        = none
		create a 1      = ok
		create a 2      = exists
		record a        = 1
		replace a 3     = ok
		record a        = 3
		create a 4      = exists
		clear a         = ok
		record a        = none
		create a 5      = ok
		record a        = 5`,
	"an object is put, read and deleted": `
		object a        = error
		upload a x      = ok
		upload a x      = ok
		object a        = x
		stock           = objects a spent
		delete a        = ok
		object a        = error
		delete a        = ok
		stock           = objects a spent
		upload a y      = ok
		object a        = y`,
	"the jobs are deleted": `
		publish a       = ok
		take            = a 1
		create a 1      = ok
		lose stream     = ok
		stock           = lost
		publish b       = error
		take            = error
		sessions        = none
		ensure          = ok
		ack a 1         = ok
		stock           = spent
		sessions        = s
		record a        = 1
		publish a       = ok
		take            = a 1`,
	"the queues are deleted": `
		publish a       = ok
		publish b       = ok
		take            = a 1
		lose queues     = ok
		stock           = lost
		take            = error
		publish a       = ok
		ensure          = ok
		stock           = jobs a b
		take            = a 1
		take            = b 1`,
	"the records are deleted": `
		publish a       = ok
		create a 1      = ok
		lose records    = ok
		stock           = lost
		create a 2      = error
		ensure          = ok
		record a        = none
		stock           = jobs a`,
	"the objects are deleted": `
		upload a x      = ok
		lose objects    = ok
		stock           = lost
		upload a x      = error
		ensure          = ok
		object a        = error
		upload a x      = ok
		object a        = x`,
	"the session is removed": `
		publish a       = ok
		sessions        = s
		open            = ok
		remove          = ok
		sessions        = none
		open            = error
		stock           = lost
		withdraw        = lost
		remove          = ok`,
	"news, and the end": `
		tell x          = ok
		hear            = x
		end             = ok
		ended           = s`,
}

// The model answers as JetStream does. On a busy machine, an operation of JetStream may be too late,
// so the scenario is then tried with longer leases.
func TestModel(t *testing.T) {
	t.Parallel()
	p, _ := open(t, Options{})
	for number, name := range slices.Sorted(maps.Keys(scenarios)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for lease, isLate := time.Second, true; isLate; lease *= 4 {
				s := hub.Session{Name: fmt.Sprint("s", number, "x", lease.Milliseconds()), Build: "v1", Lease: lease}
				jet := p.server.Hub(s)
				isLate = play(t, scenarios[name], &player{session: s, directory: p.server, hub: jet, lose: func(i int) error { return losses[i].real(t.Context(), jet) }})
			}
			if t.Failed() {
				return
			}
			synctest.Test(t, func(t *testing.T) {
				m := newModel(1)
				h := modelHub{m, hub.Session{Name: "s", Build: "v1", Lease: time.Second}, new(bool)}
				play(t, scenarios[name], &player{session: h.session, directory: h, hub: h, lose: func(i int) error {
					m.mutex.Lock()
					defer m.mutex.Unlock()
					losses[i].model(m.sessions["s"])
					return nil
				}})
			})
		})
	}
}

// A player does the operations of a scenario.
type player struct {
	session   hub.Session
	directory hub.Directory
	hub       hub.Hub
	lose      func(loss int) error
	taken     []hub.Delivery
	heard     chan string
	ended     chan string
}

// play does the operations of a scenario. It reports whether an operation was so late that its
// result means nothing.
func play(t *testing.T, scenario string, p *player) (isLate bool) {
	t.Helper()
	p.heard, p.ended = make(chan string, 1), make(chan string, 1)
	err := p.hub.Ensure(t.Context())
	if err == nil {
		p.hub, err = p.directory.Open(t.Context(), p.session)
	}
	if err == nil {
		err = errors.Join(p.hub.Hear(func(news []byte) { p.heard <- string(news) }), p.directory.OnEnd(func(name string) {
			if name == p.session.Name { // not another scenario's
				p.ended <- name
			}
		}))
	}
	if err != nil {
		t.Fatal(err)
	}
	base := time.Now()
	for line := range strings.Lines(strings.TrimSpace(scenario)) {
		do, want, _ := strings.Cut(line, "=")
		want = strings.TrimSpace(want)
		word := strings.Fields(do)
		got := p.do(t, word[0], want, word[1:])
		if word[0] == "pause" || word[0] == "wait" {
			base = time.Now()
		}
		if time.Since(base) > p.session.Lease*15/100 {
			return true // two such delays and a pause of 0.6 leases are shorter than a lease
		}
		if got != want {
			t.Errorf("%T: %s: got %q, want %q", p.hub, strings.TrimSpace(do), got, want)
			return false
		}
	}
	return false
}

// idOf returns the id of the job with a text, which is also used for records and objects.
func idOf(text string) string {
	if text == "" {
		return ""
	}
	return hub.Hash([]byte(text))
}

// do does an operation and returns its result.
func (p *player) do(t *testing.T, operation, want string, args []string) string {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args = append(args, "", "", "")
	id, first := idOf(args[0]), args[0]
	leases := func(text string) time.Duration {
		n, _ := strconv.ParseFloat(text, 64)
		return time.Duration(n * float64(p.session.Lease))
	}
	switch operation {
	case "publish":
		_, err := p.hub.Publish(ctx, cmp.Or(args[1], hub.Pure), id, []byte(first))
		return answer(err)
	case "withdraw":
		return orLost(p.hub.Withdraw(ctx, hub.Pure, id))
	case "take":
		wait := time.Duration(0)
		if want != "nothing" && want != "error" { // a server may need a moment until a job that it has accepted can be taken
			wait = 100 * p.session.Lease
		}
		return p.take(ctx, cmp.Or(first, hub.Pure), wait)
	case "wait":
		return p.take(ctx, hub.Pure, 100*p.session.Lease)
	case "spend":
		got := ""
		for range 2 * hub.DeliveriesMax {
			if got = p.take(ctx, hub.Pure, p.session.Lease); len(p.taken) == hub.DeliveriesMax {
				break
			}
			_ = p.taken[len(p.taken)-1].NakWithDelay(0)
		}
		_ = p.taken[len(p.taken)-1].NakWithDelay(0)
		return got
	case "ack":
		return answer(p.delivery(args).Ack())
	case "renew":
		return answer(p.delivery(args).InProgress())
	case "give":
		return answer(p.delivery(args).NakWithDelay(leases(args[2])))
	case "pause":
		time.Sleep(leases(first))
		return ""
	case "create":
		return answer(p.hub.Create(ctx, id, []byte(args[1])))
	case "record":
		record, err := p.hub.Record(ctx, id)
		return content(record, err)
	case "replace":
		return answer(p.hub.Replace(ctx, id, []byte(args[1])))
	case "clear":
		return answer(p.hub.Replace(ctx, id, nil))
	case "upload":
		return answer(p.hub.Upload(ctx, id, strings.NewReader(args[1])))
	case "object":
		object, err := p.hub.Object(ctx, id)
		if err != nil {
			return answer(err)
		}
		text, err := io.ReadAll(object)
		return content(text, err)
	case "delete":
		return answer(p.hub.Delete(ctx, id))
	}
	return p.doSession(t, ctx, operation, want, args)
}

// doSession does an operation on the whole session.
func (p *player) doSession(t *testing.T, ctx context.Context, operation, want string, args []string) (got string) {
	switch operation {
	case "lose":
		i := slices.IndexFunc(losses, func(l loss) bool { return l.name == args[0]+" deleted" })
		return answer(p.lose(i))
	case "ensure":
		return answer(p.hub.Ensure(ctx))
	case "remove":
		return answer(p.hub.Remove(ctx))
	case "open":
		_, err := p.directory.Open(ctx, p.session)
		return answer(err)
	case "sessions":
		found, err := p.directory.Sessions(ctx)
		if s, isThere := found[p.session.Name]; isThere && s == p.session && err == nil {
			return "s"
		}
		return content(nil, err)
	case "tell":
		return answer(p.hub.Tell([]byte(args[0])))
	case "hear":
		return <-p.heard
	case "end":
		return answer(p.hub.End())
	case "ended":
		<-p.ended
		return "s"
	case "stock": // a server may need a moment for an acknowledgement
		until(t, "stock "+want, func() bool {
			got = p.stock(ctx)
			return got == want
		})
		return got
	}
	return "no such operation"
}

// take takes a job.
func (p *player) take(ctx context.Context, kind string, wait time.Duration) string {
	d, err := p.hub.Take(ctx, kind, wait)
	switch {
	case err != nil:
		return answer(err)
	case d == nil:
		return "nothing"
	}
	p.taken = append(p.taken, d)
	return fmt.Sprint(string(d.Data()), " ", numberOf(d))
}

// numberOf returns the number of a delivery: 1 for the first one of the job.
func numberOf(d hub.Delivery) string {
	about, err := d.(interface {
		Metadata() (*jetstream.MsgMetadata, error)
	}).Metadata()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(about.NumDelivered)
}

// delivery returns the delivery of a job with the given number: the last one, or the first one if it
// is called old.
func (p *player) delivery(args []string) (found hub.Delivery) {
	for _, d := range p.taken {
		if string(d.Data()) == args[0] && numberOf(d) == args[1] && (found == nil || args[2] != "old") {
			found = d
		}
	}
	return found
}

// stock describes what the server has.
func (p *player) stock(ctx context.Context) string {
	s, err := p.hub.Stock(ctx)
	if err != nil {
		return orLost(err)
	}
	var words []string
	for i, ids := range []map[string]bool{s.Jobs, s.Objects} {
		if len(ids) > 0 {
			words = append(words, []string{"jobs", "objects"}[i])
		}
		for _, text := range []string{"a", "b", "c"} {
			if ids[idOf(text)] {
				words = append(words, text)
			}
		}
	}
	if s.Spent {
		words = append(words, "spent")
	}
	return strings.Join(words, " ")
}

func answer(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, hub.ErrExists):
		return "exists"
	}
	return "error"
}

// orLost is answer for the operations that promise ErrLost.
func orLost(err error) string {
	if errors.Is(err, hub.ErrLost) {
		return "lost"
	}
	return answer(err)
}

func content(text []byte, err error) string {
	switch {
	case err != nil:
		return answer(err)
	case text == nil:
		return "none"
	}
	return string(text)
}
