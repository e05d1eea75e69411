package result

import "mmsim/reports/outcome"

// MachineWindow is a row of machines.csv: the machines of a fleet in [T, T+900 s), as means over time.
type MachineWindow struct {
	T        int             `csv:"t_s"` // s since the start of the window
	Starting outcome.Average `csv:"starting"`
	Empty    outcome.Average `csv:"empty"` // ready, without a match
	Busy     outcome.Average `csv:"busy"`  // with one match or more
}

var machinesTable = tableOf("machines.csv", "", func(w *MachineWindow, index int) string { return instantFault(w.T, index, WindowLength) })
