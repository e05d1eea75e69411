package sim

import (
	"math"
	"math/bits"
)

// Purpose names what a draw is for. Every purpose has a stream of its own, so
// that a change in how one is used never moves the draws of another. The values
// are part of every key: append, never reorder.
type Purpose uint64

// Purposes of draws.
const (
	PurposeThin            Purpose = iota + 1 // which rows of a file of several days are kept
	PurposeCopies                             // how often a scaled row joins
	PurposeJoinJitter                         // when and where the copies of a row join
	PurposeSpread                             // the instant inside the second of a join
	PurposeParty                              // party sizes
	PurposeArrivals                           // the built-in day
	PurposeLastMile                           // a player's access delay
	PurposePlayAgain                          // whether a party plays again
	PurposeMatchLength                        // how long a match takes
	PurposeJitter                             // what a match's RTT really was
	PurposeDatacenterOrder                    // the order of the datacenters in a pass
	PurposeShuffle                            // the order in which a datacenter's queue is walked
	PurposeAttributes                         // generated attributes of a player
	PurposeFriends                            // whom a player lists as friends
	PurposeSession                            // how long a player stays on a server
	PurposeQueue                              // in which of several queues a party plays
	PurposeTuning                             // where a search for better settings looks
	PurposeAnswer                             // whether a player accepts a proposed match
	PurposeAnswerDelay                        // how long a player takes to answer
	PurposeBatch                              // which tickets a pass of FlexMatch looks at together
)

// Stream gives the random draws of one purpose. A draw is a pure function of
// (seed, run, purpose, entity, k): nobody's luck depends on what others drew,
// which is what makes two configurations with the same seed comparable.
// Cost: about 2 ns a draw.
type Stream struct{ key uint64 }

// NewStream returns the stream of a purpose in replication run of the
// experiment that seed names.
func NewStream(seed, run uint64, p Purpose) Stream {
	return Stream{mix(mix(mix(seed)+run) + uint64(p))}
}

// Bits returns the k-th draw about an entity, 64 uniform bits.
func (s Stream) Bits(entity, k uint64) uint64 {
	return mix(mix(s.key+entity*golden) + k*golden)
}

// Uniform returns the k-th draw about an entity, uniform in [0, 1).
func (s Stream) Uniform(entity, k uint64) float64 {
	return float64(s.Bits(entity, k)>>11) * 0x1p-53
}

// Normal returns the k-th draw about an entity from the standard normal
// distribution.
func (s Stream) Normal(entity, k uint64) float64 {
	u := (float64(s.Bits(entity, k)>>12) + 0.5) * 0x1p-52 // inside (0, 1), never at its ends
	return math.Sqrt2 * math.Erfinv(2*u-1)
}

// source returns a sequential generator for the draws of one pass.
func (s Stream) source(entity, k uint64) source { return source{s.Bits(entity, k)} }

// source is SplitMix64: a counter and a finaliser, so that starting one costs
// nothing. Its period of 2^64 is far beyond the draws of one pass.
type source struct{ state uint64 }

func (s *source) next() uint64 {
	s.state += golden
	return mix(s.state)
}

// below returns a uniform draw from 0..n-1, without modulo bias (Lemire 2019).
func (s *source) below(n uint32) uint32 {
	hi, lo := bits.Mul64(s.next(), uint64(n))
	for lo < uint64(n) && lo < -uint64(n)%uint64(n) {
		hi, lo = bits.Mul64(s.next(), uint64(n))
	}
	return uint32(hi)
}

// shuffle permutes a list uniformly (Fisher and Yates).
func (s *source) shuffle(list []int32) {
	for i := len(list) - 1; i > 0; i-- {
		j := s.below(uint32(i + 1))
		list[i], list[j] = list[j], list[i]
	}
}

const golden = 0x9e3779b97f4a7c15

// mix is the finaliser of SplitMix64 (Stafford's variant 13): a bijection of 64
// bits in which every input bit moves every output bit.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Entity names a person for keyed draws: the member-th player of the party that
// the copy-th replica of a dataset row starts on a day (0 is the first measured
// day, -1 the day of the warm-up period).
func Entity(row, replica uint32, day int32, member uint32) uint64 {
	return mix(mix(uint64(row)|uint64(replica)<<32) + uint64(uint32(day))<<32 + uint64(member))
}
