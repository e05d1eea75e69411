package datasets

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// role says what a column of a file is for.
type role uint8

const (
	roleAttribute role = iota
	roleTime
	roleLatitude
	roleLongitude
	roleContinent
	roleCountry
	roleMeasured
)

// The column names that mean something; rtt:<datacenter> is the other one.
const (
	ColumnTime          = "time"
	ColumnLatitude      = "latitude"
	ColumnLongitude     = "longitude"
	ColumnPlayer        = "player_id"
	ColumnParty         = "party_id"
	ColumnContinent     = "continent"
	ColumnCountry       = "country"
	ColumnSessionLength = "session_length" // seconds, above 0
	ColumnFriends       = "friends"        // list of values of player_id; either side listing the other counts
	ColumnIP            = "ip"             // text
	ColumnMeasured      = "rtt:"           // followed by the name of a datacenter
)

var roles = map[string]role{
	ColumnTime: roleTime, ColumnLatitude: roleLatitude, ColumnLongitude: roleLongitude,
	ColumnContinent: roleContinent, ColumnCountry: roleCountry,
}

// settledKinds are the kinds of our own columns.
var settledKinds = map[string]Kind{
	ColumnPlayer: Text, ColumnParty: Text, ColumnSessionLength: Number, ColumnFriends: List, ColumnIP: Text,
}

// required are the columns without which a row is no join.
var required = [...]string{roleTime: ColumnTime, roleLatitude: ColumnLatitude, roleLongitude: ColumnLongitude}

// likely maps names that people give the required columns to the right ones.
var likely = map[string]string{
	"timestamp": ColumnTime, "datetime": ColumnTime, "hour": ColumnTime, "time": ColumnTime,
	"lat": ColumnLatitude, "latitude": ColumnLatitude,
	"lon": ColumnLongitude, "long": ColumnLongitude, "lng": ColumnLongitude, "longitude": ColumnLongitude,
}

// header says where in a row everything stands.
type header struct {
	article     bool // there is none: the article's format
	width       int
	positions   [roleLongitude + 1]int // of the required columns
	others      []headerCell           // the rest, in the order of the file
	party       int                    // which of others is party_id; -1: none
	session     int                    // which of others is session_length; -1: none
	columns     []*Column
	datacenters []string // that measured RTTs refer to
	textBytes   int      // of the distinct texts of all columns, see MaxTextBytes
}

// headerCell is one optional column.
type headerCell struct {
	position int
	role     role
	index    int // into columns, or into datacenters
}

// articleHeader is what a file without a header has: the article's own format.
func articleHeader() *header {
	return &header{
		article:   true,
		width:     3,
		positions: [...]int{roleTime: 0, roleLatitude: 1, roleLongitude: 2},
		party:     -1,
		session:   -1,
	}
}

// isHeader reports whether a first row names columns.
func isHeader(cells [][]byte) bool {
	for _, cell := range cells {
		switch string(trim(cell)) {
		case ColumnTime, ColumnLatitude, ColumnLongitude:
			return true
		}
	}
	return false
}

// newHeader reads the names of the columns.
func newHeader(cells [][]byte, columns []int, o ReadOptions) (*header, *fault) {
	h := &header{width: len(cells), datacenters: slices.Clone(o.Datacenters), party: -1, session: -1}
	if len(cells) > MaxColumns {
		return nil, &fault{columns[MaxColumns], fmt.Sprintf("%d columns: expected at most %d (MaxColumns)", len(cells), MaxColumns)}
	}
	seen := make(map[string]int, len(cells))
	for i, cell := range cells {
		name := string(trim(cell))
		if message := unreadable(cell); message != "" {
			return nil, &fault{columns[i], message}
		}
		if name == "" {
			return nil, &fault{columns[i], fmt.Sprintf("column %d has no name: expected one", i+1)}
		}
		if first, ok := seen[name]; ok {
			return nil, &fault{columns[i], fmt.Sprintf("column %q is there twice, as columns %d and %d: expected every name once", name, first+1, i+1)}
		}
		seen[name] = i
		if message := h.add(i, name, o); message != "" {
			return nil, &fault{columns[i], message}
		}
	}
	for _, name := range required[roleTime:] {
		if _, ok := seen[name]; !ok {
			return nil, &fault{1, missing(name, cells)}
		}
		h.positions[roles[name]] = seen[name]
	}
	if message := h.checkDeclared(o.Columns); message != "" {
		return nil, &fault{1, message}
	}
	return h, nil
}

// add enters one named column.
func (h *header) add(position int, name string, o ReadOptions) (message string) {
	if datacenter, ok := strings.CutPrefix(name, ColumnMeasured); ok {
		if datacenter == "" {
			return fmt.Sprintf("column %q names no datacenter: expected %s<datacenter>", name, name)
		}
		index := slices.Index(h.datacenters, datacenter)
		if index < 0 && o.Datacenters != nil {
			return fmt.Sprintf("column %q: unknown datacenter %s: expected one of %s", name, quoted(datacenter), strings.Join(o.Datacenters, ", "))
		}
		if index < 0 {
			if index = len(h.datacenters); index == MaxDatacenters {
				return fmt.Sprintf("column %q: more than %d datacenters (MaxDatacenters)", name, MaxDatacenters)
			}
			h.datacenters = append(h.datacenters, datacenter)
		}
		h.others = append(h.others, headerCell{position, roleMeasured, index})
		return ""
	}
	switch r := roles[name]; r {
	case roleContinent, roleCountry:
		h.others = append(h.others, headerCell{position, r, 0})
	case roleAttribute:
		kind, declared := o.Columns[name]
		if !declared && Declarable(name) {
			kind = o.Expected[name]
		}
		h.addColumn(position, name, kind, o.Checks[name])
	}
	return ""
}

// addColumn enters an attribute. The kinds of our own columns are settled.
func (h *header) addColumn(position int, name string, kind Kind, check Check) {
	if settled, ok := settledKinds[name]; ok {
		kind = settled
	}
	switch name {
	case ColumnParty:
		h.party = len(h.others)
	case ColumnSessionLength:
		h.session = len(h.others)
	}
	h.others = append(h.others, headerCell{position, roleAttribute, len(h.columns)})
	c := newColumn(name, kind, check)
	c.textBytes = &h.textBytes
	h.columns = append(h.columns, c)
}

// missing explains that a required column is not there.
func missing(name string, cells [][]byte) string {
	for _, cell := range cells {
		if other := string(trim(cell)); likely[strings.ToLower(other)] == name {
			return fmt.Sprintf("column %q is missing: expected that name instead of %s", name, quoted(other))
		}
	}
	return fmt.Sprintf("column %q is missing: expected a header with time, latitude and longitude", name)
}

// Declarable reports whether the kind of a column of that name can be declared
// in ReadOptions.Columns. That of our own columns is settled.
func Declarable(name string) bool {
	_, isOurs := roles[name]
	_, isSettled := settledKinds[name]
	return !isOurs && !isSettled && !strings.HasPrefix(name, ColumnMeasured)
}

// Drawable reports whether an attribute of that name can be generated: one that
// says something about a player, and not when, where or with whom the row joins.
func Drawable(name string) bool {
	return Declarable(name) || name == ColumnFriends || name == ColumnIP
}

// checkDeclared explains a declared column that the file does not have.
func (h *header) checkDeclared(declared map[string]Kind) (message string) {
	var there []string
	for _, c := range h.columns {
		if Declarable(c.Name) {
			there = append(there, c.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		switch {
		case slices.ContainsFunc(h.columns, func(c *Column) bool { return c.Name == name }):
		case h.article:
			return fmt.Sprintf("dataset.columns declares %s, but the file has no header: expected one that names the columns", quoted(name))
		case len(there) == 0:
			return fmt.Sprintf("dataset.columns declares %s, but the file has no columns of attributes: expected none declared", quoted(name))
		default:
			return fmt.Sprintf("dataset.columns declares %s, but the file has no such column: expected one of %s", quoted(name), strings.Join(there, ", "))
		}
	}
	return ""
}
