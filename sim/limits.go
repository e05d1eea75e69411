package sim

import "mmsim/matcher/packing"

// Limits of a run. An error about an exceeded limit names the constant.
const (
	MaxDatacenters = 64 // a set of datacenters is a uint64
	MaxQueues      = 64
	MaxMatchSize   = packing.MaxMatchSize
	MaxSearches    = 4_000_000_000 // searches of a queue are numbered in a uint32; this leaves a margin
)
