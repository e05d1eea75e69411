package outcome

// Joins says how the players of one run are related to those of the other runs of a configuration,
// and so what the differences between the runs show. It is empty if every run has new joins, as on
// the built-in day: the runs then differ like days. It is also empty if that is unknown.
type Joins string

// Values of Joins.
const (
	// JoinsReplayed means that all runs replay the joins of one file. They show how much chance in
	// matchmaking changes the results of that day, and nothing about other days.
	JoinsReplayed Joins = "replayed"

	// JoinsResampled means that every run takes each party of a file a random number of times; see
	// Run.Resample. The runs differ like days from which the file could be one.
	JoinsResampled Joins = "resampled"
)
