package sim

import "mmsim/sim/internal/splitmix"

// Purpose names what a draw is for. Every purpose has a stream of its own, so that a change in the
// use of one stream never changes the draws of another. The values are part of every key: append
// new values, never reorder them.
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
	PurposeJitter                             // jitter of a player's RTT in a match
	PurposeDatacenterOrder                    // the order of the datacenters in a pass
	PurposeShuffle                            // the order in which a datacenter's queue is walked
	PurposeAttributes                         // generated attributes of a player
	PurposeFriends                            // whom a player lists as friends
	PurposeSession                            // how long a player stays on a server
	PurposeQueue                              // in which of several queues a party plays
	PurposeTuning                             // which settings a search for better settings tries
	PurposeAnswer                             // whether a player accepts a proposed match
	PurposeAnswerDelay                        // how long a player takes to answer
	PurposeBatch                              // which tickets a FlexMatch pass puts in one batch
	PurposeMatchmaker                         // random numbers for an external matchmaker
)

// Stream gives the random draws of one purpose. A draw is a pure function of (seed, run,
// purpose, entity, k): the draws about an entity do not depend on what was drawn about others,
// which makes two configurations with the same seed comparable.
type Stream = splitmix.Stream

// NewStream returns the stream of a purpose in one replication (run) of an experiment (seed).
func NewStream(seed, run uint64, p Purpose) Stream {
	return splitmix.New(mix(mix(mix(seed)+run) + uint64(p)))
}

func mix(x uint64) uint64 { return splitmix.Mix(x) }

// Entity returns the key of a person for draws: the member-th player of the party that the copy-th
// replica of a dataset row starts on a day (0 is the first measured day, -1 the day of the warm-up
// period).
func Entity(row, replica uint32, day int32, member uint32) uint64 {
	return mix(mix(uint64(row)|uint64(replica)<<32) + uint64(uint32(day))<<32 + uint64(member))
}
