package result

import "mmsim/reports/outcome"

// ServerWindow is one row of servers.csv: the servers in [T, T+900 s), as means of samples a
// minute apart, and the placements on them.
type ServerWindow struct {
	T         int           `csv:"t_s"` // s since the start of the window
	Running   outcome.Count `csv:"running"`
	Seats     outcome.Count `csv:"seats"`
	Taken     outcome.Count `csv:"taken"`
	Opened    int           `csv:"opened"`
	Placed    int           `csv:"placed"`
	Preferred int           `csv:"preferred"` // placed with a preferred player
}

var serversTable = tableOf("servers.csv", "", func(w *ServerWindow, index int) string { return offBeat(w.T, index, WindowLength) })
