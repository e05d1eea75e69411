package datasets

import (
	"encoding/json"
	"fmt"
	"strings"
)

// MarshalJSON encodes the description as JSON, with times in seconds.
func (d Description) MarshalJSON() ([]byte, error) {
	type column struct {
		Name     string `json:"name"`
		Kind     string `json:"kind"`
		Missing  int    `json:"missing"`
		Distinct int    `json:"distinct,omitempty"`
	}
	columns := []column{}
	for _, c := range d.Columns {
		columns = append(columns, column{c.Name, c.Kind.String(), c.Missing, c.Distinct})
	}
	return json.Marshal(struct {
		Rows       int           `json:"rows"`
		BadRows    int           `json:"bad_rows"`
		Places     int           `json:"places"`
		Times      string        `json:"times"`
		Parties    int           `json:"parties"`
		First      float64       `json:"first_s"`
		Last       float64       `json:"last_s"`
		Measured   int           `json:"measured"`
		Hours      [24]int       `json:"hours"`
		Continents orderedCounts `json:"continents"`
		Countries  orderedCounts `json:"countries"`
		Columns    []column      `json:"columns"`
		Warnings   []string      `json:"warnings"`
	}{d.Rows, d.BadRows, d.Places, d.Times, d.Parties, float64(d.First) / 1000, float64(d.Last) / 1000,
		d.Measured, d.Hours, d.Continents, d.Countries, columns, append([]string{}, d.Warnings...)})
}

// orderedCounts is encoded as a JSON object with its members in list order.
type orderedCounts []Count

func (o orderedCounts) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, count := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%d", count.Code, count.Joins)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}
