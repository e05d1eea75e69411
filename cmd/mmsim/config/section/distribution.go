package section

import (
	"time"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/sim"
)

// Distribution returns the keys of a duration of at most longest that is either constant or log-normal. A
// log-normal duration has a mean and an sd (standard deviation).
func Distribution(path, every, one string, l *sim.Length, longest time.Duration) []value.Key {
	span, deviation := value.Millis(&l.Mean, time.Millisecond, longest), value.Millis(&l.SD, 0, longest)
	always := span
	always.Expects += ", or {mean: …, sd: …}"
	always.Read = func(n yamltree.Node) error {
		l.SD = 0
		return span.Read(n)
	}
	return []value.Key{
		value.Named(path, every+"; if it has a mean and an sd, it is log-normally distributed", always),
		value.Named(path+".mean", "mean "+one, span),
		value.Named(path+".sd", "standard deviation of the "+one, deviation),
	}
}
