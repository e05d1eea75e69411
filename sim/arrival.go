package sim

// Person is a player as the dataset describes it.
type Person struct {
	Entity uint64 // key of all draws about the person, see Entity
	Row    uint32 // of the dataset: the key to attributes
	Place  uint32 // index into Places
	Copy   uint32 // replica and day, which distinguish the persons of one row. Friends have the same Copy
	Slot   uint32 // while the player is online, in queues that make matches: a small number of its own
}

// Arrival is a party at its first appearance.
type Arrival struct {
	At      Instant
	Queue   int // index into Config.Queues; the party stays in this queue
	Members []Person
}

// Arrivals yields parties in ascending order of time. The first may lie no
// earlier than the start of the warm-up period.
type Arrivals interface {
	// Next fills in the next arrival, whose Members stay valid until the next call. It
	// returns false when there are no more. It may leave fields as the last call set them;
	// before the first call they are zero.
	Next(a *Arrival) bool
}
