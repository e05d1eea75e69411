package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/outcome"
)

// queuesNamed is how many queues a sentence names one by one.
const queuesNamed = 3

// QueueWaits says within which wait 90 % of the first searches of each of several queues
// end; "" if none does.
func QueueWaits(queues outcome.QueueList) string {
	list := perQueue(queues, func(q *outcome.QueueStats) (float64, string) {
		first := q.FirstWaits()
		if first.Count == 0 {
			return 0, ""
		}
		return float64(first.P90), Seconds(first.P90)
	})
	if list == "" {
		return ""
	}
	return "90 % of first searches end within " + list
}

// QueueRTTs says which RTT 90 % of the players of each of several queues get, or a better
// one; "" if nobody was matched.
func QueueRTTs(queues outcome.QueueList) string {
	list := perQueue(queues, func(q *outcome.QueueStats) (float64, string) {
		if q.RTT.Count == 0 {
			return 0, ""
		}
		return float64(q.RTT.P90), Millis(q.RTT.P90)
	})
	if list == "" {
		return ""
	}
	return "90 % of players get at most " + list
}

// perQueue lists a figure of every queue, or of more than a few the lowest and the highest.
// A queue without one is left out.
func perQueue(queues outcome.QueueList, figure func(*outcome.QueueStats) (order float64, text string)) string {
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
	if len(list) > queuesNamed {
		slices.SortStableFunc(list, func(a, b named) int { return cmp.Compare(a.order, b.order) })
		return list[0].text + " to " + list[len(list)-1].text
	}
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = n.text
	}
	return strings.Join(texts, ", ")
}
