package datasets

import (
	"encoding/binary"
	"math"
)

// Measured is the RTT that a file gives for a player to one datacenter. It takes
// precedence over latency maps and models.
type Measured struct {
	Datacenter int32   // index into Day.Datacenters
	MS         float32 // milliseconds, above 0 and at most MaxMeasuredMS
}

// MaxMeasuredMS is the largest RTT that a file may give, in milliseconds. A larger one is
// a failed measurement.
const MaxMeasuredMS = 4000

// measuredTable keeps every distinct set of measured RTTs once, in one long
// list. The zero value is ready for use.
type measuredTable struct {
	values []Measured
	ends   []uint32 // set s, from 1, ends before values[ends[s-1]]
	known  map[string]uint32
	key    []byte
}

// number returns the number of a set that is not empty, from 1.
func (t *measuredTable) number(set []Measured) uint32 {
	t.key = t.key[:0]
	for _, m := range set {
		t.key = append(t.key, byte(m.Datacenter))
		t.key = binary.LittleEndian.AppendUint32(t.key, math.Float32bits(m.MS))
	}
	if n, ok := t.known[string(t.key)]; ok {
		return n
	}
	if t.known == nil {
		t.known = make(map[string]uint32)
	}
	t.values = append(t.values, set...)
	t.ends = append(t.ends, uint32(len(t.values)))
	t.known[string(t.key)] = uint32(len(t.ends))
	return uint32(len(t.ends))
}

// set returns the RTTs of a set.
func (t *measuredTable) set(number uint32) []Measured {
	switch number {
	case 0:
		return nil
	case 1:
		return t.values[:t.ends[0]]
	}
	return t.values[t.ends[number-2]:t.ends[number-1]]
}
