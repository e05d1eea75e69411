package chart

import "image/color"

// Bars is a column of horizontal bars, each with a number. The bars of plotter.BarChart have
// neither numbers nor tails.
type Bars struct {
	Head             string
	Left, Width, Row float64
	Colour           color.RGBA
	Rows             int
	Value            func(i int) Bar
}

// A Bar is one row of a column. If it has a tail, the bar's number is to the left of the bar and
// the tail's number is at the end of the tail, so that readers cannot confuse them.
type Bar struct {
	Value float64
	Label string

	Tail      float64 // the value at the end of a thin line; 0 if there is none
	TailLabel string
}

// Draw draws the column below its heading. It writes the names of the rows to the left of the
// bars, unless name is nil. A column with tails cannot have names, because the numbers of its
// bars are there.
func (b *Bars) Draw(s *Canvas, top float64, name func(i int) string) {
	b.record(s, top, name)
	longest := 0.0
	for i := range b.Rows {
		bar := b.Value(i)
		longest = max(longest, bar.Value, bar.Tail)
	}
	if longest == 0 {
		longest = 1
	}
	s.Text(HeadFace, Ink, b.Left, top-8, ToRight, b.Head)
	s.Line(Rule, 1, b.Left, top, b.Left, top+float64(b.Row*float64(b.Rows)))
	for i := range b.Rows {
		y := top + float64(b.Row*float64(i))
		middle, base := y+float64(0.475*b.Row), y+float64(0.475*b.Row)+4
		bar := b.Value(i)
		end := b.Left + b.Width*bar.Value/longest
		s.Rectangle(b.Colour, b.Left, y+float64(0.15*b.Row), end, y+float64(0.8*b.Row))
		if bar.TailLabel == "" {
			s.Text(SmallFace, Ink, end+6, base, ToRight, bar.Label)
		} else {
			tip := max(end, b.Left+b.Width*bar.Tail/longest)
			s.Line(b.Colour, 1.5, end, middle, tip, middle)
			s.Text(SmallFace, Ink, b.Left-6, base, ToLeft, bar.Label)
			s.Text(SmallFace, Muted, tip+6, base, ToRight, bar.TailLabel)
		}
		if name != nil {
			s.Text(SmallFace, Ink, b.Left-10, base, ToLeft, SmallFace.ShortenName(name(i), b.Left-10-Margin))
		}
	}
}
