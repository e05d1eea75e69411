package matcher

// Read is an attribute that rules read. It is for callers that have players in a table
// instead of a vendor's JSON.
type Read struct {
	Names  []string // possible names of the attribute, the preferred one first
	Rule   string   // the first rule that reads it, for messages
	Kind   Kind     // IsSet: a text counts as a set of one
	Column Column
	Ticket bool // an attribute of the ticket, not of its players
	// Kept is set if the vendor's service stores the attribute about the player; other
	// attributes are sent by the client.
	Kept bool
	// Joined is set if the texts of all reads of a column form one value, each with its name.
	Joined bool
	// Flag is set if the value is 1 for the text "true" and missing otherwise.
	Flag    bool
	Default Value // of players without the attribute; Missing: none
	// Refusal is why the service refuses a ticket with a player without the attribute; nil:
	// the service accepts it.
	Refusal error
}
