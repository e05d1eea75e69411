package sim

import "mmsim/sim/internal/splitmix"

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
)

// Stream provides the random draws for one purpose. A draw is a pure function of (seed, run,
// purpose, entity, k). The draws for one entity do not depend on the draws for others, so two
// configurations with the same seed are comparable.
type Stream = splitmix.Stream

// NewStream returns the stream for a purpose. The parameter seed identifies the experiment, and run
// is the number of the replication.
func NewStream(seed, run uint64, p Purpose) Stream {
	return splitmix.New(mix(mix(mix(seed)+run) + uint64(p)))
}

func mix(x uint64) uint64 { return splitmix.Mix(x) }

// Entity returns the key for draws about a person. On each day, a replica of a dataset row starts a
// party, and member is the index of the person in that party. Day 0 is the first measured day, and
// day -1 is the day of the warm-up period.
func Entity(row, replica uint32, day int32, member uint32) uint64 {
	return mix(mix(uint64(row)|uint64(replica)<<32) + uint64(uint32(day))<<32 + uint64(member))
}
