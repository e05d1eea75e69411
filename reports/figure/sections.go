package figure

import "fmt"

// IDs of the page's sections that have pictures.
const (
	RulesSection      = "ruleset"
	AttributesSection = "attributes"
)

// QueueSection returns the section of the page about the i-th queue.
func QueueSection(i int) string { return fmt.Sprintf("queue-%d", i+1) }
