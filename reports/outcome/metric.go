package outcome

// A Metric is one number of a summary. Its name is the path of its JSON keys. A star in a name
// stands for the key of an item, so the name describes a family of numbers.
type Metric struct {
	Name   string // "wait_s.p95", "by_continent.*.rtt_p95_ms"
	Unit   Unit
	Better Better
	// Base is the name of the metric that counts what this one describes, or a difference "a - b"
	// of two such names. If the base is 0, this metric has no value. If Base is "", the metric
	// always has a value, which may be 0.
	Base string
	// Whole names the block whose list of parts contains this metric. The parts add up to a
	// whole. If a summary has the block but not the part, the part is 0. Whole is "" for a metric
	// that does not belong to a part.
	Whole   string
	When    string // which runs have the metric, such as "several queues"; "" if all have it
	Meaning string // one sentence without its full stop
	Matters Matters
	Step    Step
	phrase  string // the name in words, with placeholders; see InWords
}

// Better is the direction in which a metric improves.
type Better string

// Directions. A metric with BetterNot, such as the number of matches or the peak of CCU, is
// neither good nor bad by itself.
const (
	BetterLower  Better = "lower"
	BetterHigher Better = "higher"
	BetterNot    Better = ""
)

// Words lists the directions for readers of files.
func (Better) Words() []string { return []string{string(BetterLower), string(BetterHigher)} }

// opposite returns the other direction, or BetterNot for BetterNot.
func (b Better) opposite() Better {
	return map[Better]Better{BetterLower: BetterHigher, BetterHigher: BetterLower}[b]
}

// of returns a copy of the metric in which keys replace the stars. The names of the base and the
// whole begin with the same keys.
func (m Metric) of(keys []string) Metric {
	if len(keys) > 0 {
		m.Name, m.Base, m.Whole, m.Matters.Of = fillStars(m.Name, keys), fillStars(m.Base, keys), fillStars(m.Whole, keys), fillStars(m.Matters.Of, keys)
	}
	return m
}
