package result

import "mmsim/reports/outcome"

// ServerWindow is one row of servers.csv: the servers in [T, T+900 s), as means of samples a
// minute apart, and the placements on them.
type ServerWindow struct {
	T         int // s since the start of the window
	Running   outcome.Count
	Seats     outcome.Count
	Taken     outcome.Count
	Opened    int
	Placed    int
	Preferred int // placed with a preferred player
}

var serversTable = table[ServerWindow]{
	file:    "servers.csv",
	columns: "t_s,running,seats,taken,opened,placed,preferred",
	fields: func(w *ServerWindow) []any {
		return []any{&w.T, &w.Running, &w.Seats, &w.Taken, &w.Opened, &w.Placed, &w.Preferred}
	},
	fault: func(w *ServerWindow, index int) string { return offBeat(w.T, index, WindowLength) },
}
