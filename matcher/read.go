package matcher

// Read describes an attribute that rules read. Callers that read players from a table instead of
// a vendor's JSON use it.
type Read struct {
	Names  []string // possible names of the attribute, the preferred one first
	Rule   string   // the first rule that reads it, for messages
	Kind   Kind     // type of the value; for IsSet, a text counts as a set with one element
	Column Column
	Ticket bool // the attribute belongs to the ticket, not to its players
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
