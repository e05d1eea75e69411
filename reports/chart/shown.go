package chart

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Shown is a part of a picture in numbers: a panel of curves, areas and columns, or a list of bars.
// Each part is recorded by the calls that draw it. A page uses it to show the values at the pointer,
// to zoom, and to write the table behind the picture.
type Shown struct {
	Number int          `json:"number"` // of the attributes that mark its elements
	Name   string       `json:"name,omitempty"`
	Box    [4]float64   `json:"box"` // left, top, right and bottom edge on the canvas
	X      *ShownAxis   `json:"x,omitempty"`
	Y      *ShownAxis   `json:"y,omitempty"`
	At     []Numbers    `json:"at,omitempty"`     // positions on the x axis; curves often share them
	Series []Series     `json:"series,omitempty"` // in the order of the legend
	Dots   []Dot        `json:"dots,omitempty"`
	Head   []string     `json:"head,omitempty"`  // of Rows
	Rows   [][]string   `json:"rows,omitempty"`  // one for each bar or cell: its name and its numbers as text
	Cells  [][4]float64 `json:"cells,omitempty"` // the areas of Rows: left, top, right and bottom edges; without them, rows are equally high

	columns []barColumn
}

// ShownAxis describes an axis. Its labels determine how values are written: Factor times the value,
// followed by Unit. An axis of names, such as settings, has Names.
type ShownAxis struct {
	Name   string   `json:"name,omitempty"`
	Min    float64  `json:"min"`
	Max    float64  `json:"max"`
	Log    bool     `json:"log,omitempty"`
	Time   bool     `json:"time,omitempty"` // seconds after the first midnight
	Bands  []Band   `json:"bands,omitempty"`
	Factor float64  `json:"factor,omitempty"`
	Unit   string   `json:"unit,omitempty"`
	Names  []string `json:"names,omitempty"`
	Places Numbers  `json:"places,omitempty"` // of Names
}

// A Dot is a point with a name, such as a choice of settings.
type Dot struct {
	Name string  `json:"name"`
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
}

// Series are the values of a curve, of the layer of an area, or of columns.
type Series struct {
	Name   string  `json:"name"` // as in the legend
	Colour string  `json:"colour"`
	At     int     `json:"at"` // index of the positions
	Values Numbers `json:"values"`
	Form   Form    `json:"form,omitempty"`

	place int // in the legends
}

// A Form says where the values of a series apply.
type Form string

const (
	Line    Form = ""        // at their positions
	Steps   Form = "steps"   // from their position to the next
	Columns Form = "columns" // around their position, as far as halfway to the next
)

// Numbers are written as JSON. NaN becomes null.
type Numbers []float64

// MarshalJSON writes the numbers without exponents.
func (n Numbers) MarshalJSON() ([]byte, error) {
	text := append(make([]byte, 0, 8*len(n)+2), '[')
	for i, v := range n {
		if i > 0 {
			text = append(text, ',')
		}
		if math.IsNaN(v) {
			text = append(text, "null"...)
		} else {
			text = strconv.AppendFloat(text, v, 'f', -1, 64)
		}
	}
	return append(text, ']'), nil
}

// record collects what a canvas shows.
type record struct {
	key    []KeyEntry // of the legends so far
	parts  []*Shown
	groups []string // attributes of the groups of elements, in drawing order
}

// named returns the place of a colour in the legends, or -1.
func (r *record) named(c color.RGBA) int {
	return slices.IndexFunc(r.key, func(e KeyEntry) bool { return e.Colour == c })
}

// finished returns what was drawn. It omits panels without data.
func (r *record) finished() (list []Shown) {
	for _, s := range r.parts {
		if len(s.columns) > 0 {
			s.fillRows()
		}
		slices.SortStableFunc(s.Series, func(a, b Series) int { return cmp.Compare(a.place, b.place) })
		if len(s.Series) > 0 || len(s.Dots) > 0 || len(s.Rows) > 0 {
			list = append(list, *s)
		}
	}
	return list
}

// part returns the part at a place on the canvas.
func (r *record) part(box [4]float64) *Shown {
	if i := slices.IndexFunc(r.parts, func(s *Shown) bool { return s.Box == box }); i >= 0 {
		return r.parts[i]
	}
	s := &Shown{Number: len(r.parts), Box: box}
	r.parts = append(r.parts, s)
	return s
}

// recorded returns the Shown of a panel, or nil if nothing is recorded.
func (p Panel) recorded() *Shown {
	if p.record == nil {
		return nil
	}
	s := p.record.part([4]float64{p.X.Lo, p.Y.Hi, p.X.Hi, p.Y.Lo})
	if s.X == nil {
		s.X, s.Y = &ShownAxis{}, &ShownAxis{}
	}
	s.X.Min, s.X.Max, s.X.Log = p.X.Min, p.X.Max, p.X.Log
	s.Y.Min, s.Y.Max = p.Y.Min, p.Y.Max
	return s
}

// add records a series.
func (p Panel) add(form Form, c color.RGBA, xs, ys []float64) {
	s := p.recorded()
	if s == nil || len(xs) == 0 {
		return
	}
	at := rounded(xs, p.X)
	i := slices.IndexFunc(s.At, func(known Numbers) bool { return slices.Equal(known, at) })
	if i < 0 {
		i = len(s.At)
		s.At = append(s.At, at)
	}
	series := Series{Colour: themed(c), At: i, Values: rounded(ys, p.Y), Form: form, place: p.record.named(c)}
	if series.place >= 0 {
		series.Name = p.record.key[series.place].Text
	}
	s.Series = append(s.Series, series)
}

// rounded returns values with at least four significant digits of the length of the axis.
func rounded(values []float64, a Scale) Numbers {
	list := make(Numbers, len(values))
	per := math.Pow(10, 4-math.Floor(math.Log10(a.Max-a.Min)))
	for i, v := range values {
		if a.Log && v > 0 {
			per = math.Pow(10, 4-math.Floor(math.Log10(v)))
		}
		list[i] = math.Round(v*per) / per
	}
	return list
}

// group draws elements that a page can find by an attribute with the number of the panel.
func (p Panel) group(attribute string, draw func()) {
	s := p.recorded()
	if s == nil {
		draw()
		return
	}
	p.record.groups = append(p.record.groups, attribute+`="`+strconv.Itoa(s.Number)+`"`)
	p.on.Push()
	p.on.Translate(vg.Point{}) // begins the group
	draw()
	p.on.Pop()
}

// format takes the way of writing values from the labels of ticks.
func (a *ShownAxis) format(ticks []Tick) {
	a.Factor, a.Unit, a.Names, a.Places = 0, "", nil, nil
	for i := len(ticks) - 1; i >= 0; i-- {
		number, unit, ok := numberOf(ticks[i].Label)
		if a.Factor == 0 && ok && ticks[i].Value != 0 {
			a.Factor, a.Unit = number/ticks[i].Value, unit
			for _, exact := range [...]float64{1, 100, 1000} {
				if math.Abs(a.Factor/exact-1) < 0.05 {
					a.Factor = exact // labels are rounded
				}
			}
		}
		if !ok || unit != a.Unit && ticks[i].Value != 0 || math.Abs(number-float64(a.Factor*ticks[i].Value)) > 0.05*math.Abs(number) {
			a.Factor, a.Unit = 0, ""
			for _, t := range ticks {
				a.Names, a.Places = append(a.Names, t.Label), append(a.Places, t.Value)
			}
			return
		}
	}
}

// numberOf splits a label such as "≤ 1,000 ms" into its number and its unit.
func numberOf(label string) (number float64, unit string, ok bool) {
	label = strings.TrimPrefix(label, "≤ ")
	end := strings.LastIndexAny(label, "0123456789") + 1
	number, err := strconv.ParseFloat(strings.ReplaceAll(label[:end], ",", ""), 64)
	return number, label[end:], err == nil
}

// barColumn is a column of a list of bars.
type barColumn struct {
	left  float64
	head  string
	cells []string
}

// record records the column. Columns beside each other are one table.
func (b *Bars) record(s *Canvas, top float64, name func(i int) string) {
	if s.record == nil || b.Rows == 0 {
		return
	}
	list := s.record.part([4]float64{Margin, top, Width - Margin, top + float64(b.Row*float64(b.Rows))})
	c := barColumn{b.Left, b.Head, make([]string, b.Rows)}
	for i := range c.cells {
		bar := b.Value(i)
		c.cells[i] = bar.Label
		if bar.TailLabel != "" {
			c.cells[i] += ", " + bar.TailLabel
		}
	}
	list.columns = append(list.columns, c)
	if name != nil {
		names := barColumn{math.Inf(-1), "", make([]string, b.Rows)}
		for i := range names.cells {
			names.cells[i] = name(i)
		}
		list.columns = append(list.columns, names)
	}
}

// Cells records areas of the picture, each with its name and its numbers as text, such as the fields of a
// heat map. A page shows the texts of the smallest cell at the pointer. name is the heading of their
// table, and head has the names of its columns.
func (s *Canvas) Cells(name string, head []string, cells []Cell) {
	if s.record == nil || len(cells) == 0 {
		return
	}
	part := &Shown{Number: len(s.record.parts), Name: name, Head: head, Box: [4]float64{math.Inf(1), math.Inf(1), 0, 0}}
	for _, c := range cells {
		part.Box = [4]float64{min(part.Box[0], c.X0), min(part.Box[1], c.Y0), max(part.Box[2], c.X1), max(part.Box[3], c.Y1)}
		part.Cells = append(part.Cells, [4]float64(rounded([]float64{c.X0, c.Y0, c.X1, c.Y1}, Scale{Max: Width})))
		part.Rows = append(part.Rows, c.Texts)
	}
	s.record.parts = append(s.record.parts, part)
}

// A Cell is an area of a picture with the texts that a page shows at the pointer.
type Cell struct {
	Box
	Texts []string
}

// fillRows makes rows of the columns, from left to right.
func (s *Shown) fillRows() {
	slices.SortStableFunc(s.columns, func(a, b barColumn) int { return cmp.Compare(a.left, b.left) })
	s.Head, s.Rows = nil, make([][]string, len(s.columns[0].cells))
	for _, c := range s.columns {
		s.Head = append(s.Head, c.head)
		for i, cell := range c.cells {
			s.Rows[i] = append(s.Rows[i], cell)
		}
	}
}
