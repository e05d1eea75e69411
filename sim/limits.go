package sim

import "mmsim/matcher/packing"

// Limits. Exceeding a limit is an error that names the limit.
const (
	MaxDatacenters = 64 // a set of datacenters is a uint64
	MaxQueues      = 64
	MaxMatchSize   = packing.MaxMatchSize
	MaxSearches    = 4_000_000_000 // searches in a queue are numbered in a uint32, with a margin
)
