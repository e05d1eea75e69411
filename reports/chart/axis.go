package chart

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"mmsim/reports/words"
)

// A Tick is a mark on an axis.
type Tick struct {
	Value float64
	Label string
}

// Extent returns the lowest and the highest of the values, ignoring NaNs. It returns +Inf and -Inf
// if all values are NaN.
func Extent(lists ...[]float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, list := range lists {
		for _, x := range list {
			if !math.IsNaN(x) {
				low, high = min(low, x), max(high, x)
			}
		}
	}
	return low, high
}

// NiceTicks returns about n ticks from 0 to top or the next round number above it. Steps are 1,
// 2, 2.5 or 5 times a power of ten. If top is not positive and finite, the axis ends at 1. The
// ticks of plot.DefaultTicks may end below top, and their labels have no thousands separators.
func NiceTicks(top float64, n int) []Tick {
	if !(top > 0) || math.IsInf(top, 0) {
		top = 1
	}
	step := niceStep(top / float64(n))
	var ticks []Tick
	for i := 0; ; i++ {
		v := float64(i) * step
		ticks = append(ticks, Tick{v, tickLabel(v, step)})
		if v >= top*(1-1e-9) {
			return ticks
		}
	}
}

// InUnit appends a unit, such as " %", to the labels of ticks.
func InUnit(ticks []Tick, unit string) []Tick {
	for i := range ticks {
		ticks[i].Label += unit
	}
	return ticks
}

// niceStep returns the smallest step that is at least raw and is 1, 2, 2.5 or 5 times a power of
// ten. raw must be positive.
func niceStep(raw float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range [...]float64{1, 2, 2.5, 5} {
		if m*power >= raw*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// TicksWithin returns at most n+1 ticks at round numbers from low to high. high must be above
// low.
func TicksWithin(low, high float64, n int) []Tick {
	step := niceStep((high - low) / float64(n))
	var ticks []Tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+float64(1e-9*step); i++ {
		v := float64(i*step) + 0 // not -0
		ticks = append(ticks, Tick{v, tickLabel(v, step)})
	}
	return ticks
}

// tickLabel formats v with as many decimals as its step needs, and with thousands separators if
// the step is a whole number.
func tickLabel(v, step float64) string {
	if step >= 1 && step == math.Trunc(step) {
		return words.Thousands(int(v))
	}
	decimals := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	if scaled := step * math.Pow(10, float64(decimals)); math.Abs(scaled-math.Round(scaled)) > 1e-6 {
		decimals++ // for steps such as 0.25
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// LogTicks returns ticks at 1, 2 and 5 times the powers of ten in [low, high]. plot.LogTicks
// labels only the powers of ten, of which most of our axes include just one or two.
func LogTicks(low, high float64) []Tick {
	var ticks []Tick
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, m := range [...]float64{1, 2, 5} {
			if v := m * power; v >= low*(1-1e-9) && v <= high*(1+1e-9) {
				ticks = append(ticks, Tick{v, logLabel(v)})
			}
		}
	}
	return ticks
}

// logLabel formats v, whose first digit is its only one.
func logLabel(v float64) string {
	if v >= 1000 {
		return words.Thousands(int(math.Round(v)))
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// PercentTicks returns ticks for shares from 0 to 1, with labels in percent.
func PercentTicks() []Tick {
	return []Tick{{0, "0 %"}, {0.25, "25 %"}, {0.5, "50 %"}, {0.75, "75 %"}, {0.9, "90 %"}, {1, "100 %"}}
}

// TailTicks returns ticks for a Tail scale, with labels in percent.
func TailTicks() []Tick {
	return []Tick{{0, "0 %"}, {0.5, "50 %"}, {0.75, "75 %"}, {0.9, "90 %"}, {0.95, "95 %"}, {0.99, "99 %"}, {0.999, "99.9 %"}, {1, "100 %"}}
}

// tickSpans are the possible distances between ticks on a time axis, in seconds.
var tickSpans = [...]int{60, 300, 600, 900, 1800, 3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600, 24 * 3600}

// timeTicks returns at most about 13 ticks from one second of the run to another, labelled with the
// time of day in UTC. A midnight inside the window is labelled with the day that begins.
// plot.TimeTicks needs dates, but a simulated day has none.
func timeTicks(from, to float64) []Tick {
	duration := to - from
	span := tickSpans[len(tickSpans)-1]
	for _, candidate := range tickSpans {
		if duration/float64(candidate) <= 13 {
			span = candidate
			break
		}
	}
	for duration/float64(span) > 13 {
		span *= 2
	}
	var ticks []Tick
	for t := int(math.Ceil(from/float64(span))) * span; float64(t) <= to; t += span {
		label := clockTime(float64(t))
		if t > 0 && t%86400 == 0 && float64(t) < to {
			label = fmt.Sprint("day ", t/86400+1)
		}
		ticks = append(ticks, Tick{float64(t), label})
	}
	return ticks
}

// clockTime returns the time of day t seconds after the first midnight. The end of the first day
// is 24:00; later midnights are 00:00.
func clockTime(t float64) string {
	minutes := int(t) / 60
	if minutes != 24*60 {
		minutes %= 24 * 60
	}
	return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60)
}

// evenings are the times when most people play: 18:00 to 23:00 standard time in populous regions,
// in seconds after midnight UTC. In summer they are an hour earlier. Evenings in the same row do
// not overlap. Names have no-break spaces, because kerning narrows ordinary spaces.
var evenings = [...]struct {
	where    string
	row      float64
	from, to float64
}{
	{"East\u00a0Asia", 0, 10 * 3600, 15 * 3600},                           // UTC+8
	{"South\u00a0Asia", 1, 12.5 * 3600, 17.5 * 3600},                      // UTC+5:30
	{"Europe", 0, 17 * 3600, 22 * 3600},                                   // UTC+1
	{"South\u00a0America", 1, 21 * 3600, (24 + 2) * 3600},                 // UTC-3
	{"Eastern\u00a0N.\u00a0America", 0, 23 * 3600, (24 + 4) * 3600},       // UTC-5
	{"Western\u00a0N.\u00a0America", 1, (24 + 2) * 3600, (24 + 7) * 3600}, // UTC-8
}

// TimeAxis draws the time of day below the panel, and the bands of the picture. For windows from
// 3 h to 3 days it also draws the evenings of the regions. In longer windows, evenings are too narrow for
// their names.
func (p Panel) TimeAxis() {
	p.timeAxis(func() {
		p.clockTimes()
		p.evenings()
	})
}

// ClockAxis is like TimeAxis without the evenings.
func (p Panel) ClockAxis() { p.timeAxis(p.clockTimes) }

func (p Panel) timeAxis(draw func()) {
	p.group("data-axis", draw)
	p.Bands(1, true)
	if s := p.recorded(); s != nil {
		*s.X = ShownAxis{Min: s.X.Min, Max: s.X.Max, Time: true, Bands: p.bands}
	}
}

// ClockAxisHeight is the height of an axis without evenings.
const ClockAxisHeight = 20

func (p Panel) clockTimes() {
	p.XAxis(timeTicks(p.X.Min, p.X.Max))
	p.Text(SmallFace, Muted, p.X.Lo-22, p.Y.Lo+16, ToLeft, aheadOfUTC(p.ahead))
}

// HourAxis draws the hours of a day below a panel whose x axis is from 0 to 24. It labels every third hour;
// a page names the hour that a value belongs to.
func (p Panel) HourAxis() {
	var drawn, all []Tick
	for h := range 25 {
		all = append(all, Tick{float64(h) + 0.5, fmt.Sprintf("%02d:00", h)})
		if h%3 == 0 {
			drawn = append(drawn, Tick{float64(h), all[h].Label})
		}
	}
	p.XAxis(drawn)
	if s := p.recorded(); s != nil {
		s.X.format(all[:24])
	}
}

// aheadOfUTC names times that are ahead of UTC by some seconds, such as "UTC+5:30".
func aheadOfUTC(seconds float64) string {
	minutes := int(math.Abs(seconds)) / 60
	text := "UTC"
	if minutes > 0 {
		text += fmt.Sprintf("%+d", int(seconds)/3600)
	}
	if minutes%60 > 0 {
		text += fmt.Sprintf(":%02d", minutes%60)
	}
	return text
}

func (p Panel) evenings() {
	base := p.Y.Lo
	if span := p.X.Max - p.X.Min; span < 3*3600 || span > 3*86400 {
		return
	}
	p.Text(TinyFace, Muted, p.X.Lo-8, base+41, ToLeft, "evening in")
	for day := -2 * 86400.0; day < p.X.Max+86400; day += 86400 {
		for _, e := range evenings {
			from, to := max(day+e.from+p.ahead, p.X.Min), min(day+e.to+p.ahead, p.X.Max)
			if from >= to {
				continue
			}
			x0, x1, top := p.X.At(from)+1, p.X.At(to)-1, base+23+16*e.row
			p.Rectangle(band, x0, top, x1, top+14)
			if TinyFace.Width(e.where)+6 <= x1-x0 {
				p.Text(TinyFace, Muted, (x0+x1)/2, top+10, Centred, e.where)
			}
		}
	}
}

// TimeAxisHeight is the height of a time axis.
const TimeAxisHeight = 62

// A Band is a span of time with a name, such as an outage. It is hatched in every panel with a time axis,
// and its name is above the panel, so that a reader does not need colours to find it.
type Band struct {
	From float64 `json:"from"` // seconds after the first midnight
	To   float64 `json:"to"`
	Name string  `json:"name"`
	// Number stands for the name where there is no room for it. It is "" if there is only one band.
	Number string `json:"-"`
}

// BandRoom returns how much higher a heading must be so that the names of bands fit below it.
func (s *Canvas) BandRoom() float64 {
	if len(s.bands) == 0 {
		return 0
	}
	return 6
}

// Layout of bands.
const (
	bandLabel = 3    // distance of the names above the panel
	bandRoom  = 40   // a name that has less room is only the number of its band
	bandGap   = 8    // between names
	bandWiden = 1.22 // room for the wider font of a browser that does not have ours
	hatchStep = 8
)

// Bands draws the bands of the picture. A second has the given length on the x axis. If the axis ends
// within a day, the bands of later days are drawn too, because such a panel has the hours of all days.
// The names are drawn if named is set.
func (p Panel) Bands(second float64, named bool) {
	if len(p.bands) == 0 {
		return
	}
	p.group("data-x", func() {
		for i := range p.bands {
			for _, span := range p.shown(&p.bands[i], second) {
				p.band(span[0], span[1])
			}
		}
	})
	if named {
		p.group("data-names", func() { p.bandNames(second) })
	}
}

// shown returns the ends of a band in the panel, on the canvas. There are two of a band over midnight in
// a panel of the hours of a day, and none of a band outside the panel.
func (p Panel) shown(b *Band, second float64) (spans [][2]float64) {
	const day = 86400
	for shift := 0.0; b.To >= shift; shift += day {
		from, to := (b.From-shift)*second, (b.To-shift)*second
		if to >= p.X.Min && from <= p.X.Max && (to > p.X.Min || from == to) && (from < p.X.Max || from == to) {
			spans = append(spans, [2]float64{p.X.At(max(from, p.X.Min)), p.X.At(min(to, p.X.Max))})
		}
		if p.X.Max > day*second {
			break
		}
	}
	return spans
}

// band draws a band from top to bottom.
func (p Panel) band(x0, x1 float64) {
	p.Line(Ink, 1, x0, p.Y.Hi, x0, p.Y.Lo)
	if x1-x0 > 1 {
		p.Hatch(Muted, 0.6, x0, p.Y.Hi, x1, p.Y.Lo)
		p.Line(Ink, 1, x1, p.Y.Hi, x1, p.Y.Lo)
	}
}

// bandNames writes the name of each band where it begins. A name that would touch the next one is
// shortened to what fits.
func (p Panel) bandNames(second float64) {
	type label struct {
		*Band
		at float64
	}
	var labels []label
	for i := range p.bands {
		if spans := p.shown(&p.bands[i], second); len(spans) > 0 {
			labels = append(labels, label{&p.bands[i], spans[0][0]})
		}
	}
	slices.SortStableFunc(labels, func(a, b label) int { return cmp.Compare(a.at, b.at) })
	free := p.X.Lo
	for i, l := range labels {
		end := p.X.Hi
		if i+1 < len(labels) {
			end = labels[i+1].at - bandGap
		}
		name := strings.ReplaceAll(l.Name, " ", "\u00a0") // kerning narrows ordinary spaces
		from := max(free, min(l.at, end-bandWidth(name)))
		text := TinyFace.Shorten(name, (end-from)/bandWiden+0.1)
		if end-from < bandRoom {
			text = l.Number
		}
		if from+bandWidth(text) > p.X.Hi {
			break
		}
		p.Text(TinyFace, Ink, from, p.Y.Hi-bandLabel, ToRight, text)
		free = from + bandWidth(text) + bandGap
	}
}

func bandWidth(text string) float64 { return bandWiden * TinyFace.Width(text) }

// Hatch draws diagonal lines inside a rectangle as a single path.
func (s *Canvas) Hatch(c color.Color, width, x0, y0, x1, y1 float64) {
	var path vg.Path
	height := y1 - y0
	for x := x0 - height; x < x1; x += hatchStep {
		left, right := max(x, x0), min(x+height, x1) // the line rises from (x, y1) to (x + height, y0)
		if right > left {
			path = s.extend(path, []Point{{left, y1 - (left - x)}, {right, y1 - (right - x)}})
		}
	}
	if len(path) == 0 {
		return
	}
	s.on.SetColor(c)
	s.on.SetLineWidth(vg.Length(width))
	s.on.SetLineDash(nil, 0)
	s.on.Stroke(path)
}
