package result

// Frame is one frame of the time-lapse: the players in matches at one time, by the cell in which
// they live. A frame is taken after everything else that happens at that time. Players whose
// match began in the warm-up period are missing, because observers do not see such matches. Their
// number is Minute.Playing minus the sum over the cells.
type Frame struct {
	T     int         // in s since the start of the window: step, 2*step, 3*step and so on
	Load  []int       // players in match by datacenter, in the order of the datacenter list
	Cells []FrameCell // cells with players in match, from south to north, then from west to east
}

// FrameCell has the players in match who live in the one-degree cell with this south-west corner.
type FrameCell struct {
	Latitude  int16 `csv:"latitude"`  // degrees: -90..89
	Longitude int16 `csv:"longitude"` // degrees: -180..179
	Players   int32 `csv:"players"`
	RTTMean   int32 `csv:"rtt_mean_ms"` // rounded
}

// Limits of the time-lapse: the number of frames, and of cells in all frames together. A page
// contains all of them, and a run keeps them in memory.
const (
	FramesMax     = 150
	FrameCellsMax = 900_000
)
