package matcher

// Read describes an attribute that rules read. Callers that read players from a table instead of
// a vendor's JSON use it.
type Read struct {
	Names []string  // possible names of the attribute, the preferred one first
	Rule  string    // the first rule that reads it, for messages
	Kind  ValueKind // type of the value; for IsSet, a text counts as a set with one element
	// Map is set if the value is a map with numbers, and Kind is that of its keys. No attribute of a data
	// set has such a value.
	Map    bool
	Column Column
	Ticket bool // the attribute belongs to the ticket, not to its players
	// Union is set if Ticket is set and the ticket's set is the union of its players' sets.
	// Otherwise, the ticket has the value of its first player.
	Union bool
	// Identity is set if the value is the player's id.
	Identity bool
	// Needs is the name of another attribute. If it is not empty, the rules read this attribute only
	// if players have that one.
	Needs string
	// Optional is set if the rules often read an attribute that no player has.
	Optional bool
	// Kept is set if the vendor's service stores the attribute for each player. Otherwise the
	// client sends it.
	Kept bool
	// Joined is set if the names and values of several attributes are joined into one text, which
	// is stored in one column.
	Joined bool
	// Flag is set if the text "true" is read as the number 1, and any other text as missing.
	Flag    bool
	Default Value // value of players without the attribute
	// Refusal is the service's reason to refuse a ticket if one of its players lacks the
	// attribute. It is nil if the service accepts such a ticket.
	Refusal error
}
