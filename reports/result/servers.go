package result

import "mmsim/reports/outcome"

// ServerWindow is a row of servers.csv. Running, Seats and Taken describe the servers in [T, T+900 s),
// as means of samples taken every minute. Opened, Placed and Preferred count the events in that time.
type ServerWindow struct {
	T         int           `csv:"t_s"` // s since the start of the window
	Running   outcome.Count `csv:"running"`
	Seats     outcome.Count `csv:"seats"`
	Taken     outcome.Count `csv:"taken"`
	Opened    int           `csv:"opened"`
	Placed    int           `csv:"placed"`
	Preferred int           `csv:"preferred"` // placed with a friend or a player of the same household
}

var serversTable = tableOf("servers.csv", "", func(w *ServerWindow, index int) string { return instantFault(w.T, index, WindowLength) })
