package ticketlog

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"time"

	"mmsim/datasets"
)

// MinPlayers is the fewest players who must share a text for it to be written.
const MinPlayers = 20

// Other replaces a text that fewer than MinPlayers players have.
const Other = "other"

// joined is a row of the day.
type joined struct {
	second uint32 // since the beginning of the window
	place  uint32 // index into rows.list
	row    uint32 // of the attributes
	player uint32
	ticket uint32
	size   uint16 // of the party
	queue  uint8
	party  uint32 // number of the party, or 0 for a player who plays alone
}

// Day returns the joins of the window, without names. Times are whole seconds, positions are rounded,
// and texts of fewer than MinPlayers players are Other. Neither names nor the order of the log's lines
// have an influence on it: rows are sorted by what they contain, and parties are numbered by a hash of
// their rows.
func (l *Log) Day() *datasets.Day {
	joins := l.joins()
	columns := l.common(joins)
	l.numberParties(joins, columns)
	slices.SortFunc(joins, func(a, b joined) int {
		return cmp.Or(l.compare(&a, &b, columns), cmp.Compare(a.party, b.party))
	})
	return l.build(joins, columns)
}

// joins returns the joining players of the window who have a place.
func (l *Log) joins() []joined {
	joins := make([]joined, 0, l.Counts.Joins-l.Counts.NoPlace)
	for _, i := range l.order {
		t := l.tickets.at(i)
		if t.isReturn || t.created < l.From || t.created >= l.To {
			continue
		}
		first := len(joins)
		for _, m := range l.of(t) {
			if m.row > 0 && l.rows.places[m.row-1] > 0 {
				joins = append(joins, joined{second: uint32((t.created - l.From) / 1000), place: l.rows.places[m.row-1] - 1, row: m.row - 1, player: m.player, ticket: i, queue: t.queue})
			}
		}
		for j := first; j < len(joins); j++ {
			joins[j].size = uint16(len(joins) - first)
		}
	}
	return joins
}

// common returns the attributes, in which rare texts of the joining players are Other.
func (l *Log) common(joins []joined) []*datasets.Column {
	byPlayer := slices.Clone(joins)
	slices.SortFunc(byPlayer, func(a, b joined) int { return cmp.Compare(a.player, b.player) })
	columns := make([]*datasets.Column, len(l.rows.columns))
	for i, c := range l.rows.columns {
		columns[i] = c
		switch c.Kind {
		case datasets.Text:
			columns[i] = withoutRare(c, byPlayer, func(entry uint32) []string { return c.Dictionary[entry : entry+1] })
		case datasets.List:
			columns[i] = withoutRare(c, byPlayer, func(entry uint32) []string { return c.Lists[entry] })
		}
	}
	return columns
}

// withoutRare returns a column in which the texts of fewer than MinPlayers players are Other. items
// returns the texts of an entry of the dictionary.
func withoutRare(c *datasets.Column, byPlayer []joined, items func(entry uint32) []string) *datasets.Column {
	type seen struct{ players, last uint32 }
	of := map[string]*seen{}
	for i := range byPlayer {
		j := &byPlayer[i]
		entry := c.Texts[j.row]
		if entry == 0 {
			continue
		}
		for _, text := range items(entry) {
			s := of[text]
			if s == nil {
				s = &seen{}
				of[text] = s
			}
			if s.last != j.player+1 {
				s.players, s.last = s.players+1, j.player+1
			}
		}
	}
	kept := &datasets.Column{Name: c.Name, Kind: c.Kind, Texts: c.Texts, Dictionary: make([]string, len(c.Dictionary))}
	for entry := 1; entry < len(c.Dictionary); entry++ {
		text := ""
		hasOther := false
		for _, item := range items(uint32(entry)) {
			if s := of[item]; s == nil || s.players < MinPlayers {
				if item = Other; hasOther {
					continue
				}
				hasOther = true
			}
			if text != "" {
				text += ";"
			}
			text += item
		}
		kept.Dictionary[entry] = text
	}
	return kept
}

// compare orders rows by what the day shows of them, apart from the number of the party.
func (l *Log) compare(a, b *joined, columns []*datasets.Column) int {
	if c := cmp.Compare(a.second, b.second); c != 0 {
		return c
	}
	if a.place != b.place {
		p, q := &l.rows.list[a.place], &l.rows.list[b.place]
		c := cmp.Or(cmp.Compare(p.LatHundredths, q.LatHundredths), cmp.Compare(p.LonHundredths, q.LonHundredths), cmp.Compare(p.Country, q.Country))
		if c = cmp.Or(c, slices.CompareFunc(l.rows.measured[a.place], l.rows.measured[b.place], compareMeasured)); c != 0 {
			return c
		}
	}
	for _, column := range columns {
		c := 0
		if column.Kind == datasets.Number {
			c = cmp.Compare(column.Numbers[a.row], column.Numbers[b.row])
		} else if column.Texts[a.row] != column.Texts[b.row] {
			c = cmp.Compare(column.Text(a.row), column.Text(b.row))
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(a.queue, b.queue), cmp.Compare(a.size, b.size))
}

func compareMeasured(a, b datasets.Measured) int {
	return cmp.Or(cmp.Compare(a.Datacenter, b.Datacenter), cmp.Compare(a.MS, b.MS))
}

// numberParties numbers the parties of two players or more by a hash of their rows. Parties with the
// same rows are the same for the day, so that the order among them does not matter.
func (l *Log) numberParties(joins []joined, columns []*datasets.Column) {
	type party struct {
		hash        uint64
		first, last int
	}
	var parties []party
	var text []byte
	for first := 0; first < len(joins); {
		last := first + int(joins[first].size)
		if last > first+1 {
			hashes := make([]uint64, 0, last-first)
			for i := first; i < last; i++ {
				text = l.appendContent(text[:0], &joins[i], columns)
				hashes = append(hashes, mixed(hash(text)))
			}
			slices.Sort(hashes)
			text = text[:0]
			for _, h := range hashes {
				text = binary.LittleEndian.AppendUint64(text, h)
			}
			parties = append(parties, party{mixed(hash(text)), first, last})
		}
		first = last
	}
	slices.SortFunc(parties, func(a, b party) int { return cmp.Compare(a.hash, b.hash) })
	for i, p := range parties {
		for j := p.first; j < p.last; j++ {
			joins[j].party = uint32(i + 1)
		}
	}
}

// mixed makes every bit of the result depend on every bit of a hash (the finaliser of SplitMix64), so
// that the numbers of parties say nothing about their times.
func mixed(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// appendContent appends what the day shows of a row, apart from the number of the party.
func (l *Log) appendContent(text []byte, j *joined, columns []*datasets.Column) []byte {
	p := &l.rows.list[j.place]
	text = binary.LittleEndian.AppendUint32(text, j.second)
	text = binary.LittleEndian.AppendUint16(text, uint16(p.LatHundredths))
	text = binary.LittleEndian.AppendUint16(text, uint16(p.LonHundredths))
	text = binary.LittleEndian.AppendUint16(text, uint16(p.Country))
	for _, m := range l.rows.measured[j.place] {
		text = binary.LittleEndian.AppendUint32(text, uint32(m.Datacenter))
		text = binary.LittleEndian.AppendUint32(text, math.Float32bits(m.MS))
	}
	for _, c := range columns {
		if c.Kind == datasets.Number {
			text = binary.LittleEndian.AppendUint64(text, math.Float64bits(c.Numbers[j.row]))
		} else {
			text = append(append(text, c.Text(j.row)...), 0)
		}
	}
	if l.o.Queues != nil {
		text = append(text, j.queue)
	}
	return binary.LittleEndian.AppendUint16(text, j.size)
}

// build returns the day of sorted rows.
func (l *Log) build(joins []joined, columns []*datasets.Column) *datasets.Day {
	var b datasets.Builder
	party := &datasets.Column{Name: datasets.ColumnParty, Kind: datasets.Text, Dictionary: []string{""}, Texts: make([]uint32, len(joins))}
	number := map[uint32]uint32{}
	list := make([]*datasets.Column, len(columns))
	for i, c := range columns {
		list[i] = &datasets.Column{Name: c.Name, Kind: c.Kind, Dictionary: c.Dictionary, Lists: c.Lists}
	}
	for row := range joins {
		j := &joins[row]
		b.Join(j.second*1000, true, b.Place(l.rows.list[j.place], l.rows.measured[j.place]))
		if j.party > 0 {
			n, ok := number[j.party]
			if !ok {
				n = uint32(len(party.Dictionary))
				number[j.party] = n
				party.Dictionary = append(party.Dictionary, strconv.Itoa(int(j.party)))
			}
			party.Texts[row] = n
		}
		for i, c := range columns {
			if c.Kind == datasets.Number {
				list[i].Numbers = append(list[i].Numbers, c.Numbers[j.row])
			} else {
				list[i].Texts = append(list[i].Texts, c.Texts[j.row])
			}
		}
	}
	d := b.Day(datasets.Finishing{WholeSeconds: true, Parties: party})
	d.Midnight, d.Datacenters = time.UnixMilli(l.From).In(l.o.Zone), l.rows.datacenters
	d.Columns = list
	if l.o.Queues != nil {
		d.Columns = append([]*datasets.Column{l.queueOf(joins)}, d.Columns...)
	}
	if len(party.Dictionary) > 1 {
		d.Columns = append([]*datasets.Column{party}, d.Columns...)
	}
	return d
}

// queueOf returns the column of the queues. Rare names stay, because the configuration has them.
func (l *Log) queueOf(joins []joined) *datasets.Column {
	c := &datasets.Column{Name: ColumnQueue, Kind: datasets.Text, Dictionary: append([]string{""}, l.o.Queues...), Texts: make([]uint32, len(joins))}
	for i := range joins {
		c.Texts[i] = uint32(joins[i].queue) + 1
	}
	return c
}

// Kinds returns the kinds of the attributes of the day.
func (l *Log) Kinds() map[string]datasets.Kind {
	kinds := map[string]datasets.Kind{}
	for _, c := range l.rows.columns {
		kinds[c.Name] = c.Kind
	}
	if l.o.Queues != nil {
		kinds[ColumnQueue] = datasets.Text
	}
	return kinds
}
