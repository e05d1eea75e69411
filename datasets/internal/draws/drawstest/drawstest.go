// Package drawstest makes draws for the tests of packages that are handed them.
package drawstest

// Stream is a keyed stream of SplitMix64, as the simulator's are.
func Stream(stream uint64) func(entity, k uint64) uint64 {
	return func(entity, k uint64) uint64 {
		return Mix(Mix(Mix(stream+0x9e3779b97f4a7c15)+entity*0x9e3779b97f4a7c15) + k*0x9e3779b97f4a7c15)
	}
}

// Mix returns bits that look independent of x, always the same of the same x.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
