package result

// Frame is one picture of the time-lapse: the players in matches at one instant, by the cell in
// which they live, after everything else that happened at that instant. Players whose match began
// in the warm-up period are missing, because observers do not see such matches; their number is
// Minute.Playing minus the sum over the cells.
type Frame struct {
	T     int         // s since the start of the window; frames are equally far apart, the first one is not at 0
	Load  []int       // players in match by datacenter, in the order of the datacenter list
	Cells []FrameCell // cells with players in a match, ordered from the south, then from the west
}

// FrameCell counts the players in match who live in the cell of one degree with this
// south-west corner.
type FrameCell struct {
	Latitude, Longitude int16 // degrees: -90..89, -180..179
	Players             int32
	RTTMean             int32 // ms, rounded
}

// Limits of the time-lapse: frames, and cells over all frames. A page contains all of
// them, and a run keeps them in memory.
const (
	FramesMax     = 150
	FrameCellsMax = 900_000
)
