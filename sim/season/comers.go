package season

import (
	"iter"

	"mmsim/sim"
)

// minutes is the number of minutes of a day.
const minutes = int(sim.Day / sim.Minute)

// comers are the parties that join on a day, by minute, as the numbers of their first persons. They take
// little more than 4 bytes for each party, where a list with times would take 8.
type comers struct {
	pages []page
	last  [minutes]uint32 // the last page of each minute as an index into pages, plus 1; 0 if there is none
}

// page holds some comers of a minute.
type page struct {
	numbers [pageSize]uint32
	used    uint32
	before  uint32 // the page before it, like the elements of comers.last
}

const pageSize = 30

// empty removes all comers, and makes room for about n.
func (c *comers) empty(n int) {
	if most := n/pageSize + minutes; most > cap(c.pages) {
		c.pages = make([]page, 0, most+most/64)
	}
	c.pages, c.last = c.pages[:0], [minutes]uint32{}
}

// add adds a comer to a minute.
func (c *comers) add(number, minute uint32) {
	last := c.last[minute]
	if last == 0 || c.pages[last-1].used == pageSize {
		c.pages = append(c.pages, page{before: last})
		last = uint32(len(c.pages))
		c.last[minute] = last
	}
	p := &c.pages[last-1]
	p.numbers[p.used] = number
	p.used++
}

// of yields the comers of a minute in any order.
func (c *comers) of(minute int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := c.last[minute]; i != 0; i = c.pages[i-1].before {
			p := &c.pages[i-1]
			for _, number := range p.numbers[:p.used] {
				if !yield(number) {
					return
				}
			}
		}
	}
}
