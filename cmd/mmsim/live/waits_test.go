package live

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"mmsim/reports/present/page"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// watched returns a watcher whose map has one place.
func watched() *watcher {
	run := setup.Run{
		Datacenters: []setup.Datacenter{{Name: "paris"}}, Continents: []string{"EU"}, Countries: []string{"FR"},
		Places: []setup.Place{{Latitude: 4852, Longitude: 235}}, Duration: sim.Hour, Queues: []setup.Queue{{MatchSize: 2}},
	}
	return &watcher{page.NewLive(run, nil, 2*sim.Minute, func([]byte) {}), newWaits()}
}

func match(at sim.Instant, players ...sim.Matched) *sim.Match {
	return &sim.Match{At: at, Ends: at + 1, Players: players}
}

func player(began sim.Instant, isReturn bool) sim.Matched {
	return sim.Matched{Player: sim.Player{}, Began: began, Return: isReturn}
}

// A step has the waits of searches that ended in it, and the waits of all first searches so
// far. Searches that began in the warm-up period do not count, and neither do players who play
// against bots.
func TestWaits(t *testing.T) {
	w := watched()
	w.Matched(match(10_000, player(9_000, false), player(7_000, false), player(-1, false)))
	w.Matched(match(20_000, player(19_500, true)))
	w.Ended(&sim.Ended{Search: sim.Search{Players: make([]sim.Player, 3)}, Into: sim.StateFailed})
	w.Ended(&sim.Ended{Search: sim.Search{Players: make([]sim.Player, 2)}, Into: sim.StateExpired})
	w.Ended(&sim.Ended{Search: sim.Search{Players: make([]sim.Player, 7)}, Into: sim.StateBots})
	const first = `event: waits
data: {"seconds":120,"first":{"players":2,"mean":2,"p90":3},"repeat":{"players":1,"mean":0.5,"p90":0.5},"so_far":{"players":2,"mean":2,"p90":3},"lost":5,"lost_so_far":5}

`
	w.Sampled(&sim.Census{At: 120_000})
	if got := string(w.waits.event()); got != first {
		t.Errorf("got  %s\nwant %s", got, first)
	}
	w.Matched(match(30_000, player(25_000, false)))
	const second = `event: waits
data: {"seconds":60,"first":{"players":1,"mean":5,"p90":5},"repeat":{"players":0,"mean":0,"p90":0},"so_far":{"players":3,"mean":3,"p90":5},"lost":0,"lost_so_far":5}

`
	w.Sampled(&sim.Census{At: 180_000}) // the last step may be shorter
	if got := string(w.waits.event()); got != second {
		t.Errorf("got  %s\nwant %s", got, second)
	}
}

// The 90th percentile is the lowest wait that at least nine of ten waits do not exceed.
func TestWaitPercentile(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 200; n++ {
		var list []sim.Duration
		for range n {
			list = append(list, sim.Duration(draw.IntN(40))*100)
		}
		got := describe(counted(list))
		slices.Sort(list)
		want := list[0]
		for _, wait := range list {
			enough := 0
			for _, other := range list {
				if other <= wait {
					enough++
				}
			}
			if want = wait; 10*enough >= 9*n {
				break
			}
		}
		if got.P90 != want.Seconds() || got.Players != n {
			t.Fatalf("%d waits: got %+v, want a p90 of %g s", n, got, want.Seconds())
		}
	}
}

// A viewer that is too slow misses steps, but gets the last step before the end.
func TestEndFollowsLastStep(t *testing.T) {
	for _, behind := range []int{0, 1, backlog, 3 * backlog} {
		over, cancel := context.WithCancel(t.Context())
		cancel() // steps are shown at once
		l, err := Listen(over, "0", 3600, noCoast)
		if err != nil {
			t.Fatal(err)
		}
		l.serve([]byte("the page"))
		response := make(chan string)
		conn := dialLive(t, l, "GET /events HTTP/1.1\nHost: localhost\n\n")
		go func() {
			var b strings.Builder
			buffer := make([]byte, 4096)
			for {
				n, err := conn.Read(buffer)
				b.Write(buffer[:n])
				if err != nil {
					response <- b.String()
					return
				}
			}
		}()
		for l.viewerCount() == 0 { // until the connection counts as a viewer
			time.Sleep(time.Millisecond)
		}
		for i := range behind {
			l.show(fmt.Appendf(nil, "data: step %d\n\n", i))
		}
		l.end = ending{Complete: true, Folder: "out"}
		l.Stop()
		text := <-response
		end := "event: end\ndata: {\"complete\":true,\"folder\":\"out\"}\n\n"
		at := strings.Index(text, end)
		last := strings.LastIndex(text[:max(0, at)], "data: step")
		if want := fmt.Sprintf("data: step %d\n\n", behind-1); at < 0 || behind > 0 && (last < 0 || !strings.HasPrefix(text[last:], want)) {
			t.Errorf("%d steps: got end of stream %q, want %q and %q", behind, text, want, end)
		}
	}
}

func (l *Server) viewerCount() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return len(l.viewers)
}
