package sim

import (
	"math"
	"math/bits"
)

// Purpose is the purpose of a random draw. Every purpose has its own stream, so changing how one
// stream is used does not change the draws of another. The values are part of every key: append new
// values, never reorder them.
type Purpose uint64

// Purposes of draws.
const (
	PurposeThin            Purpose = iota + 1 // which rows to keep from a file of several days
	PurposeCopies                             // number of joins of a scaled row
	PurposeJoinJitter                         // time and place of the copies of a row
	PurposeSpread                             // instant within the second of a join
	PurposeParty                              // party sizes
	PurposeArrivals                           // the built-in day
	PurposeLastMile                           // a player's access delay
	PurposePlayAgain                          // whether a party plays again
	PurposeMatchLength                        // how long a match takes
	PurposeJitter                             // jitter of a player's RTT in a match
	PurposeDatacenterOrder                    // the order of the datacenters in a pass
	PurposeShuffle                            // the order in which a datacenter's queue is walked
	PurposeAttributes                         // generated attributes of a player
	PurposeFriends                            // a player's friend list
	PurposeSession                            // how long a player stays on a server
	PurposeQueue                              // which of several queues a party joins
	PurposeTuning                             // settings that the tuner tries
	PurposeAnswer                             // whether a player accepts a proposed match
	PurposeAnswerDelay                        // how long a player takes to answer
	PurposeBatch                              // tickets that a FlexMatch pass puts into one batch
	PurposeMatchmaker                         // random numbers for an external matchmaker
	PurposeResample                           // how many times a resampled run takes a party of its file
	PurposePlacing                            // the town of a player whose row has no coordinates
	PurposePatience                           // how long a ticket searches before its players cancel
	PurposeNoShow                             // whether a ticket appears in its match
	PurposeLeave                              // how long a ticket plays before it leaves its match
	PurposeDead                               // whether the client of a search is gone
	PurposeInterrupted                        // whether a ticket whose match was cut short searches again
	PurposePersons                            // how many persons of a season a row stands for
	PurposeNewcomers                          // whether a row brings a new person on a day of a season
	PurposeVisit                              // whether a person plays on a day of a season
	PurposeShift                              // by how much the join of a person moves on a day of a season
	PurposeResult                             // how well a team plays in a match
	PurposeQuit                               // whether a person quits a season after a day
	PurposeDeclined                           // whether a ticket that has declined a match searches again
	PurposeBurst                              // which rows a burst of joins copies, and the sizes of its parties
	PurposeBack                               // whether a ticket comes back after a maintenance
	PurposeBackAfter                          // how long after the end of a maintenance a ticket comes back
)

// Stream provides the random draws for one purpose. A draw is a pure function of (seed, run,
// purpose, entity, k), and takes about 2 ns. The draws for one entity do not depend on the draws for
// others, so two configurations with the same seed are comparable.
type Stream struct{ key uint64 }

// NewStream returns the stream for a purpose. The parameter seed identifies the experiment, and run
// is the number of the replication.
func NewStream(seed, run uint64, p Purpose) Stream {
	return Stream{mix(mix(mix(seed)+run) + uint64(p))}
}

// Bits returns the k-th draw for an entity as 64 uniform bits.
func (s Stream) Bits(entity, k uint64) uint64 {
	return mix(mix(s.key+entity*golden) + k*golden)
}

// Uniform returns the k-th draw for an entity, uniform in [0, 1).
func (s Stream) Uniform(entity, k uint64) float64 {
	return float64(s.Bits(entity, k)>>11) * 0x1p-53
}

// Normal returns the k-th draw for an entity from the standard normal distribution.
func (s Stream) Normal(entity, k uint64) float64 {
	u := (float64(s.Bits(entity, k)>>12) + 0.5) * 0x1p-52 // inside (0, 1), never 0 or 1
	return math.Sqrt2 * math.Erfinv(2*u-1)
}

// Source returns a sequential generator for the draws of one pass.
func (s Stream) Source(entity, k uint64) Source { return Source{s.Bits(entity, k)} }

// Source is a SplitMix64 generator: a counter and a finaliser, so that creating one costs nothing.
// Its period of 2^64 is far longer than the draws of one pass.
type Source struct{ state uint64 }

func (s *Source) next() uint64 {
	s.state += golden
	return mix(s.state)
}

// below returns a uniform draw from 0 to n-1, without modulo bias (Lemire 2019).
func (s *Source) below(n uint32) uint32 {
	hi, lo := bits.Mul64(s.next(), uint64(n))
	for lo < uint64(n) && lo < -uint64(n)%uint64(n) {
		hi, lo = bits.Mul64(s.next(), uint64(n))
	}
	return uint32(hi)
}

// Shuffle permutes a list uniformly (Fisher-Yates).
func (s *Source) Shuffle(list []int32) {
	for i := len(list) - 1; i > 0; i-- {
		j := s.below(uint32(i + 1))
		list[i], list[j] = list[j], list[i]
	}
}

const golden = 0x9e3779b97f4a7c15

// mix is the finaliser of SplitMix64 (Stafford's variant 13), a bijection of 64 bits in which every
// input bit affects every output bit.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Entity returns the key for draws about a person. On each day, a replica of a dataset row starts a
// party, and member is the index of the person in that party. Day 0 is the first measured day, and
// day -1 is the day of the warm-up period.
func Entity(row, replica uint32, day int32, member uint32) uint64 {
	return mix(mix(uint64(row)|uint64(replica)<<32) + uint64(uint32(day))<<32 + uint64(member))
}

// Rekey returns one more key for an entity, for each number k above 0. The key for k = 0 is the
// entity itself.
func Rekey(entity, k uint64) uint64 {
	if k == 0 {
		return entity
	}
	return mix(entity + k*golden)
}
