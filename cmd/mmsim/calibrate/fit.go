package calibrate

import (
	"math"
	"time"

	"mmsim/datasets/ticketlog"
	"mmsim/reports/estimate"
)

// fitted are the estimates from a log. An estimate is nil if the log has nothing to make it from.
// Times are in seconds.
type fitted struct {
	queue              string    // name, or "" for all queues together
	queues             []*fitted // each queue, if the log tells them
	playAgain, between *estimate.Estimate
	length, lengthSD   *estimate.Estimate
	giveUp             *estimate.Estimate
	survival           []estimate.Step
	patience           []entry
	searches           int
	cancelled          int
	assumed            bool // playAgain and between depend on ends of matches that are assumed
}

// entry is the share of searches that would be cancelled by a wait.
type entry struct {
	At               float64 // in seconds
	Share, Low, High float64
}

// fit estimates what players do, in all queues together and in each of several.
func fit(l *ticketlog.Log, queues []string) *fitted {
	f := fitQueue(l, allQueues)
	for i, name := range queues {
		q := fitQueue(l, i)
		q.queue = name
		f.queues = append(f.queues, q)
	}
	return f
}

// allQueues stands for all queues together.
const allQueues = -1

// fitQueue estimates what players do in a queue, or in allQueues.
func fitQueue(l *ticketlog.Log, queue int) *fitted {
	f := &fitted{assumed: l.Counts.EndsAssumed}
	var pauses, expired, lengths []float64
	finished := 0
	seen := make([]estimate.Observation, 0, l.Counts.Parties)
	for s := range l.Searches {
		if queue != allQueues && s.Queue != queue {
			continue
		}
		f.searches++
		if s.Finished {
			finished++
		}
		if s.Returned {
			pauses = append(pauses, s.Pause.Seconds())
		}
		if s.End == ticketlog.Expired {
			expired = append(expired, s.Waited.Seconds())
		}
		if s.End == ticketlog.Cancelled {
			f.cancelled++
		}
		seen = append(seen, estimate.Observation{Wait: int32(min(s.Waited.Milliseconds(), math.MaxInt32)), Event: s.End == ticketlog.Cancelled})
	}
	for of, length := range l.MatchLengths {
		if queue == allQueues || of == queue {
			lengths = append(lengths, length.Seconds())
		}
	}
	if finished > 0 {
		f.playAgain = pointer(estimate.Share(len(pauses), finished))
	}
	if len(pauses) > 0 {
		f.between = pointer(estimate.Mean(pauses))
	}
	if len(lengths) > 0 {
		f.length, f.lengthSD = pointer(estimate.Mean(lengths)), pointer(estimate.SD(lengths))
	}
	if len(expired) > 0 {
		f.giveUp = pointer(estimate.Median(expired))
	}
	f.survival = estimate.Survival(seen)
	f.patience = patience(f.survival)
	return f
}

func pointer(e estimate.Estimate) *estimate.Estimate { return &e }

// patience returns the entries of a table of Kaplan and Meier. Waits are rounded to 0.1 s, and shares
// to 0.01 %. Of entries with equal waits, the last one stays.
func patience(steps []estimate.Step) (entries []entry) {
	share := func(survival float64) float64 { return math.Round(10_000*(1-survival)) / 10_000 }
	for _, s := range estimate.Patience(steps) {
		e := entry{max(0.1, math.Round(float64(s.At)/100)/10), share(s.Survival), share(s.High), share(s.Low)}
		if n := len(entries); n > 0 && entries[n-1].At == e.At {
			entries = entries[:n-1]
		}
		entries = append(entries, e)
	}
	return entries
}

// seconds returns a duration in whole milliseconds.
func seconds(s float64) time.Duration {
	return time.Duration(math.Round(s*1000)) * time.Millisecond
}
