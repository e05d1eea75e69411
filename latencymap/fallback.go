package latencymap

// Fallback is a method of estimating an RTT where no map has a sample. Options.Fudge multiplies the
// estimates of all methods.
type Fallback uint8

const (
	// Model uses cable routes and measured stretch, see the package documentation.
	Model Fallback = iota
	// Line is 18.5 ms + 15.8 ms per 1,000 km.
	Line
	// Fibre is the RTT along the great circle at two thirds of the speed of light.
	Fibre
)

// FudgeMin and FudgeMax are the limits of Options.Fudge. The detours of real cables are within
// them.
const (
	FudgeMin = 0.1
	FudgeMax = 10
)

var fallbackNames = [...]string{Model: "model", Line: "line", Fibre: "fibre"}

func (f Fallback) String() string { return fallbackNames[f] }

// Source is the origin of an RTT.
type Source uint8

const (
	SourceMeasured Source = iota // a measurement for this place
	SourceMap                    // a cell of a latency map
	SourceModel
	SourceLine
	SourceFibre
)

var sourceNames = [...]string{
	SourceMeasured: "measured", SourceMap: "map", SourceModel: "model", SourceLine: "line", SourceFibre: "fibre",
}

func (s Source) String() string { return sourceNames[s] }

func (f Fallback) source() Source { return SourceModel + Source(f) }
