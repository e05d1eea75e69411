package figure

import "fmt"

// Sections of the page that show pictures of their own.
const (
	RulesSection      = "ruleset"
	AttributesSection = "attributes"
)

// QueueSection returns the section of the page about one of several queues.
func QueueSection(i int) string { return fmt.Sprintf("queue-%d", i+1) }
