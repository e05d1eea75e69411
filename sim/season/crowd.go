package season

import (
	"iter"
	"math"
	"math/bits"
)

// crowd holds persons in the order of their numbers until it is told to forget them. A person takes
// 36 bytes, and 8 more for each number of a rating after the first. One who is forgotten leaves a
// quarter of a byte.
type crowd struct {
	blocks []block
	held   uint32 // number of persons in it
	made   uint32 // number of persons so far, so the number of the next one
	marks  []mark // by number of the person divided by markSize
	first  Rating // of new persons; a field that is 0 here is not stored
}

// person is what a season remembers of a person, besides skill and rating.
type person struct {
	row    uint32
	place  uint32
	comes  comes
	since  int16 // first day on which a newcomer may play; for a person of day 0, minus its tenth by skill
	first  int16 // first day on which the person played, or noDay
	visit  int16 // day of the last visit, or noDay
	party  uint8 // number of players in the party, for its first player; 0 for the others
	status status
}

const (
	noDay   = math.MinInt16
	noTenth = 255
)

// comes is the time of day in ms at which a row joins, followed by variantBits with the number of the
// person among those of the row.
type comes uint32

const variantBits = 5 // a row stands for at most 20 persons

func newComes(ms uint32, variant uint64) comes { return comes(ms)<<variantBits | comes(variant) }

func (c comes) ms() uint32      { return uint32(c >> variantBits) }
func (c comes) variant() uint64 { return uint64(c & (1<<variantBits - 1)) }

// status is the number of losses in a row, at most MaxLossStreak, times 2, plus 1 if the person has quit.
type status uint8

func newStatus(streak uint8, quit bool) status {
	s := status(streak) << 1
	if quit {
		s++
	}
	return s
}

func (s status) streak() uint8 { return uint8(s >> 1) }
func (s status) quit() bool    { return s&1 != 0 }

// origin returns the first day on which the person may play.
func (p *person) origin() int16 { return max(p.since, 0) }

// tenth returns the tenth of the persons of day 0 by skill, or noTenth.
func (p *person) tenth() uint8 {
	if p.since > 0 {
		return noTenth
	}
	return uint8(-p.since)
}

// block holds blockSize persons, or fewer if it is the last one. The other lists are by index into
// persons, with room for blockSize.
type block struct {
	persons      []person
	skills       []float64
	ratings      []float64 // Rating.Value
	deviations   []float64 // nil if they are not stored, as volatilities
	volatilities []float64
	replicas     []uint32 // as in sim.Entity; nil if all are 0
}

const blockSize = 4096

// mark tells which persons of markSize numbers are in the crowd, and how many are before them. So a
// person is found by its number without a list of numbers.
type mark struct {
	bits   uint64
	before uint32
}

const markSize = 64

// located is where a person is in a crowd.
type located struct {
	block *block
	index uint32
}

func (l located) person() *person { return &l.block.persons[l.index] }

// find returns where a person is until the crowd changes.
func (c *crowd) find(number uint32) located {
	m := &c.marks[number/markSize]
	return c.at(m.before + uint32(bits.OnesCount64(m.bits&(1<<(number%markSize)-1))))
}

// at returns where the person is that has a number of persons before it. Until persons are forgotten, this
// is the number of the person.
func (c *crowd) at(before uint32) located {
	return located{&c.blocks[before/blockSize], before % blockSize}
}

// add adds a person. It gets the number made.
func (c *crowd) add(p person, skill float64, r Rating, replica uint32) {
	if c.held%blockSize == 0 {
		c.blocks = append(c.blocks, c.newBlock())
	}
	if c.made%markSize == 0 {
		c.marks = append(c.marks, mark{before: c.held})
	}
	c.marks[c.made/markSize].bits |= 1 << (c.made % markSize)
	at := c.at(c.held)
	at.block.persons = append(at.block.persons, p)
	at.block.skills[at.index] = skill
	at.rate(&r)
	at.setReplica(replica)
	c.held++
	c.made++
}

func (c *crowd) newBlock() block {
	b := block{persons: make([]person, 0, blockSize), skills: make([]float64, blockSize), ratings: make([]float64, blockSize)}
	if c.first.Deviation != 0 {
		b.deviations = make([]float64, blockSize)
	}
	if c.first.Volatility != 0 {
		b.volatilities = make([]float64, blockSize)
	}
	return b
}

// skill returns the skill of a person.
func (l located) skill() float64 { return l.block.skills[l.index] }

// value returns the value of a person's rating.
func (l located) value() float64 { return l.block.ratings[l.index] }

// rating returns the rating of a person.
func (l located) rating() Rating {
	b, i := l.block, l.index
	r := Rating{Value: l.value()}
	if b.deviations != nil {
		r.Deviation = b.deviations[i]
	}
	if b.volatilities != nil {
		r.Volatility = b.volatilities[i]
	}
	return r
}

// rate sets the rating of a person.
func (l located) rate(r *Rating) {
	b, i := l.block, l.index
	b.ratings[i] = r.Value
	if b.deviations != nil {
		b.deviations[i] = r.Deviation
	}
	if b.volatilities != nil {
		b.volatilities[i] = r.Volatility
	}
}

// replica returns the replica of the row of a person, as in sim.Entity.
func (l located) replica() uint32 {
	if l.block.replicas == nil {
		return 0
	}
	return l.block.replicas[l.index]
}

func (l located) setReplica(replica uint32) {
	b := l.block
	if b.replicas == nil {
		if replica == 0 {
			return
		}
		b.replicas = make([]uint32, blockSize)
	}
	b.replicas[l.index] = replica
}

// all yields the numbers of all persons, and where they are.
func (c *crowd) all() iter.Seq2[uint32, located] {
	return func(yield func(uint32, located) bool) {
		for i := range c.marks {
			at := c.marks[i].before
			for rest := c.marks[i].bits; rest != 0; rest &= rest - 1 {
				number := uint32(i*markSize + bits.TrailingZeros64(rest))
				if !yield(number, c.at(at)) {
					return
				}
				at++
			}
		}
	}
}

// forget removes persons. The others move together.
func (c *crowd) forget(gone func(*person) bool) {
	from, to := uint32(0), uint32(0)
	for i := range c.marks {
		m := &c.marks[i]
		m.before = to
		for rest := m.bits; rest != 0; rest &= rest - 1 {
			at := c.at(from)
			from++
			if gone(at.person()) {
				m.bits &^= rest & -rest
				continue
			}
			if to != from-1 {
				c.at(to).take(at)
			}
			to++
		}
	}
	c.held = to
	used := int((to + blockSize - 1) / blockSize)
	clear(c.blocks[used:])
	c.blocks = c.blocks[:used]
	if last := to % blockSize; last > 0 {
		b := &c.blocks[used-1]
		b.persons = b.persons[:last]
	}
}

// take moves a person from another place.
func (l located) take(from located) {
	r := from.rating()
	*l.person() = *from.person()
	l.block.skills[l.index] = from.skill()
	l.rate(&r)
	l.setReplica(from.replica())
}
