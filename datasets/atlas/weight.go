package atlas

// MaxWeight is the largest weight of a country, and the largest factor of a
// weekend or a launch spike.
const MaxWeight = 1000

// ValidWeight reports whether a weight is from 0 to MaxWeight; NaN is not.
func ValidWeight(w float64) bool { return w >= 0 && w <= MaxWeight }
