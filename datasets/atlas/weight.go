package atlas

// MaxWeight is the maximum weight of a country, and the maximum factor for a weekend or a launch
// spike.
const MaxWeight = 1000

// ValidWeight reports whether a weight is between 0 and MaxWeight. NaN is not valid.
func ValidWeight(w float64) bool { return w >= 0 && w <= MaxWeight }
