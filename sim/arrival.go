package sim

// Person is a player as the dataset describes it. If joins are scaled up, a row of the dataset
// represents several persons, one for each replica of the row.
type Person struct {
	Entity uint64 // key of all random draws for the person, see the function Entity
	Row    uint32 // row in the dataset, which selects the attributes
	Place  uint32 // index into Places
	// Party and PartyPlace are Entity and Place of the first person of the party that joined.
	Party      uint64
	PartyPlace uint32
	// Copy encodes a replica and a day. A row of the dataset represents one person for each pair of
	// these. Friends come from different rows and have the same Copy.
	Copy uint32
	// Slot is a small number that no other online player of the queue has. Queues that make
	// matches set it.
	Slot uint32
	// Number is the number of the person in a season, from 0. It is 0 without a season.
	Number uint32
}

// Arrival is a party that appears for the first time.
type Arrival struct {
	At      Instant
	Queue   int // index into Config.Queues; the party stays in this queue
	Members []Person
}

// Arrivals yields parties in ascending order of time. The first must not arrive before the warm-up
// period begins.
type Arrivals interface {
	// Next fills in the next arrival. Its Members stay valid until the next call. Next returns
	// false when there are no more arrivals. It may leave a field as the last call set it, so the
	// caller must pass the same Arrival every time. Before the first call, all fields are zero.
	Next(a *Arrival) bool
}
