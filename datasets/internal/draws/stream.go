package draws

// Stream returns a keyed stream of SplitMix64, like those of the simulator. It is for tests of packages
// whose callers supply the random numbers.
func Stream(stream uint64) func(entity, k uint64) uint64 {
	return func(entity, k uint64) uint64 {
		return Mix(Mix(Mix(stream+0x9e3779b97f4a7c15)+entity*0x9e3779b97f4a7c15) + k*0x9e3779b97f4a7c15)
	}
}

// Mix is a hash function: its bits look independent of x.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
