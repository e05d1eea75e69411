package reports

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"sync"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// A Plot is one picture of a result. Its title says what to conclude, its note what
// is shown.
type Plot struct {
	Name  string // of its files, without extension
	Title string
	Note  string

	section string // of the page that shows it; "": only where nothing moves
	height  float64
	key     []keyEntry
	draw    func(s *sheet, top float64) // draws everything below the heading
}

// keyEntry is one entry of the legend, which stands between heading and data and so
// never covers any.
type keyEntry struct {
	text   string
	colour color.RGBA
	line   bool // drawn as a line, else as a patch
}

// Coast is the outline of land: rings of longitude and latitude in degrees.
type Coast = [][][2]float64

// Plots returns the pictures of a result in the order in which to read them.
func Plots(r *result.Result, coast Coast) []Plot {
	if r.Summary.Servers != nil {
		return []Plot{plotRTT(r), plotServers(r), plotSignals(r), plotDatacenters(r), plotMap(r, coast)}
	}
	plots := []Plot{plotWaitTime(r), plotRTT(r), plotCCU(r)}
	if r.Summary.HasStates() {
		plots = append(plots, plotStates(r))
	}
	if rules := r.Summary.Rules; rules != nil {
		plots = append(plots, plotRules(rules))
	}
	for i := range r.Summary.Queues {
		if q := &r.Summary.Queues[i]; q.Rules != nil {
			p := plotRules(q.Rules)
			p.Name, p.Title = fmt.Sprintf("%s-%d", p.Name, i+1), words.Name(q.Name)+": "+p.Title
			plots = append(plots, p)
		}
	}
	if len(outcome.RuledDeciles(&r.Summary)) > 0 {
		plots = append(plots, plotQuality(r))
	}
	return append(plots, plotDatacenters(r), plotMap(r, coast))
}

// WritePlots writes every picture of a result as NAME.png and NAME.svg through
// create. Pictures are drawn on all cores and written one after the other.
func WritePlots(r *result.Result, coast Coast, create result.Create) error {
	return writePlots(Plots(r, coast), create)
}

func writePlots(plots []Plot, create result.Create) error {
	files := make([][2]bytes.Buffer, len(plots))
	errs := make([]error, len(plots))
	var drawn sync.WaitGroup
	for i := range plots {
		drawn.Go(func() {
			errs[i] = plots[i].WritePNG(&files[i][0])
			if errs[i] == nil {
				errs[i] = plots[i].WriteSVG(&files[i][1])
			}
		})
	}
	drawn.Wait()
	for i, p := range plots {
		if errs[i] != nil {
			return fmt.Errorf("plot %s: %w", p.Name, errs[i])
		}
		for j, extension := range [...]string{".png", ".svg"} {
			if err := create.File(p.Name+extension, func(w io.Writer) error {
				_, err := files[i][j].WriteTo(w)
				return err
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// headingHeight is the part of a picture that title and note take.
const headingHeight = 68

// paint draws the whole picture, on a sheet that is paper already.
func (p *Plot) paint(s *sheet) {
	const room = sheetWidth - 2*margin
	s.text(titleFace.fit(p.Title, room), ink, margin, 34, toRight, p.Title)
	s.text(textFace.fit(p.Note, room), muted, margin, 54, toRight, p.Note)
	p.paintBody(s)
}

// paintBody draws what stands below title and note.
func (p *Plot) paintBody(s *sheet) {
	top := float64(headingHeight)
	if len(p.key) > 0 {
		p.paintKey(s, top+10)
		top += 26
	}
	p.draw(s, top)
}

// paintKey draws the legend around the base line y.
func (p *Plot) paintKey(s *sheet, y float64) {
	x := float64(margin)
	for _, e := range p.key {
		if e.line {
			s.line(e.colour, 2.5, x, y-4, x+18, y-4)
		} else {
			s.box(e.colour, x+2, y-9, x+16, y+1)
		}
		s.text(textFace, ink, x+23, y, toRight, e.text)
		x += 23 + textFace.width(e.text) + 22
	}
}
