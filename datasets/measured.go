package datasets

import (
	"encoding/binary"
	"math"
)

// Measured is a player's RTT to one datacenter, as specified in the file. It takes precedence over
// latency maps and models.
type Measured struct {
	Datacenter int32   // index into Day.Datacenters
	MS         float32 // in ms, above 0 and at most MaxMeasuredMS
}

// MaxMeasuredMS is the maximum RTT in a file, in milliseconds. A higher value is a failed
// measurement.
const MaxMeasuredMS = 4000

// measuredTable stores each distinct set of measured RTTs once. All sets are in one list. The zero
// value is ready for use.
type measuredTable struct {
	values []Measured
	ends   []uint32 // set s, counted from 1, ends before values[ends[s-1]]
	known  map[string]uint32
	key    []byte
}

// number returns the number, from 1, of a set that is not empty. It adds the set if it is new.
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

// set returns the RTTs in a set.
func (t *measuredTable) set(number uint32) []Measured {
	switch number {
	case 0:
		return nil
	case 1:
		return t.values[:t.ends[0]]
	}
	return t.values[t.ends[number-2]:t.ends[number-1]]
}
