package matcher

// Read is one attribute that rules look at, for callers who have a table of
// people instead of a vendor's JSON.
type Read struct {
	Names  []string // that the attribute may be found under, the best first
	Rule   string   // first that reads it, for messages
	Kind   Kind     // IsSet: a text counts as a set of one
	Column Column
	Ticket bool // an attribute of the ticket, not of its players
	// Kept attributes are about the player, and the vendor's service has them; others
	// come from the client.
	Kept bool
	// Joined texts are one: all reads of a column, each with its name.
	Joined bool
	// Flag is 1 where the text is true, and missing elsewhere.
	Flag    bool
	Default Value // of players who lack it; Missing: they go without
	// Refusal is why the service takes no ticket of a player who lacks it; nil: it does.
	Refusal error
}
