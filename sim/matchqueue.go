package sim

// matchQueue is a queue whose players wait for a match, play it, and perhaps
// return.
type matchQueue struct {
	*world
	index int   // of Config.Queues
	own   Queue // its entry there

	timers   timers
	players  players
	matches  matches
	waiting  waiting
	passAt   Instant // the first pass that could decide anything
	searches uint32  // tickets that began to search so far

	streams streams
	scratch scratch
}

type streams struct {
	playAgain, matchLength, lastMile, jitter, order, shuffle Stream
}

func newMatchQueue(w *world, index int) *matchQueue {
	q := &matchQueue{
		world: w, index: index, own: w.cfg.Queues[index],
		passAt: Never,
		streams: streams{
			playAgain:   w.stream(PurposePlayAgain),
			matchLength: w.stream(PurposeMatchLength),
			lastMile:    w.stream(PurposeLastMile),
			jitter:      w.stream(PurposeJitter),
			order:       w.stream(PurposeDatacenterOrder),
			shuffle:     w.stream(PurposeShuffle),
		},
	}
	if q.own.PartnerCooldown > 0 {
		q.scratch.mayMeet = q.mayMeet
	}
	q.players.stride = max(0, q.own.MatchSize-1-partnersInline)
	q.matches.stride = q.own.MatchSize
	q.waiting.nextDeadline = Never
	return q
}

// next implements queue.
func (q *matchQueue) next() Instant { return min(q.timers.next(), q.passAt) }

// due implements queue: match ends, then returns.
func (q *matchQueue) due() {
	for q.timers.next() == q.now {
		t := q.timers.pop()
		switch t.kind() {
		case timerMatchEnd:
			q.endMatch(t.match)
		case timerReturn:
			q.returnFrom(t.match)
		}
	}
}
