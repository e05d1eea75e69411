package figure

import "fmt"

// IDs of the page's sections. A picture with one of them as its Section is above the tables of
// that section, which the reader opens. Pictures without a Section are visible at once.
const (
	PlacesSection     = "places"
	ServersSection    = "servers"
	SeasonSection     = "season"
	SearchesSection   = "searches"
	HoursSection      = "hours"
	AttributesSection = "attributes"
	SourcesSection    = "sources"
	MetricsSection    = "metrics"
)

// QueueSection returns the section of the page about the i-th queue.
func QueueSection(i int) string { return fmt.Sprintf("queue-%d", i+1) }
