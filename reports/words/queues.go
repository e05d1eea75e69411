package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/outcome"
)

// queuesNamed is the highest number of queues that a sentence lists one by one.
const queuesNamed = 3

// QueueWaits lists, for each queue, the wait that 90 % of its first searches do not exceed. Only
// searches that end in a match count. It returns "" if there are none.
func QueueWaits(queues outcome.QueueList) string {
	return PerQueue(queues, "90 % of first searches that find a match take at most ", func(q *outcome.QueueStats) (float64, string) {
		first := &q.WaitFirst
		if first.Count == 0 {
			return 0, ""
		}
		return float64(first.P90), Seconds(first.P90)
	})
}

// QueueRTTs lists, for each queue, the RTT that 90 % of its players do not exceed. It returns ""
// if no player was matched.
func QueueRTTs(queues outcome.QueueList) string {
	return PerQueue(queues, "90 % of players get at most ", func(q *outcome.QueueStats) (float64, string) {
		if q.RTT.Count == 0 {
			return 0, ""
		}
		return float64(q.RTT.P90), Millis(q.RTT.P90)
	})
}

// PerQueue lists, after the words begin, a value for every queue or, if there are more than
// queuesNamed queues, only the lowest and the highest value. figure returns a queue's value as a
// number to sort by and as text. A queue whose text is "" is omitted. PerQueue returns "" if all
// queues are.
func PerQueue(queues outcome.QueueList, begin string, figure func(*outcome.QueueStats) (order float64, text string)) string {
	type named struct {
		order float64
		text  string
	}
	var list []named
	for i := range queues {
		if order, text := figure(&queues[i]); text != "" {
			list = append(list, named{order, fmt.Sprintf("%s in %s", text, Name(queues[i].Name))})
		}
	}
	if len(list) == 0 {
		return ""
	}
	if len(list) > queuesNamed {
		slices.SortStableFunc(list, func(a, b named) int { return cmp.Compare(a.order, b.order) })
		return begin + list[0].text + " to " + list[len(list)-1].text
	}
	return begin + strings.Join(Each(list, func(n named) string { return n.text }), ", ")
}
