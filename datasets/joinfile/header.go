package joinfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
	"mmsim/datasets/placing"
)

// role is the purpose of a column.
type role uint8

const (
	roleAttribute role = iota
	roleTime
	roleLatitude
	roleLongitude
	roleContinent
	roleCountry
	roleMeasured
	roleAddress
)

var roles = map[string]role{
	datasets.ColumnTime: roleTime, datasets.ColumnLatitude: roleLatitude, datasets.ColumnLongitude: roleLongitude,
	datasets.ColumnContinent: roleContinent, datasets.ColumnCountry: roleCountry,
	datasets.ColumnIP: roleAddress,
}

// settledKinds are the fixed kinds of mmsim's own columns.
var settledKinds = map[string]datasets.Kind{
	datasets.ColumnPlayer: datasets.Text, datasets.ColumnParty: datasets.Text, datasets.ColumnSessionLength: datasets.Number,
	datasets.ColumnFriends: datasets.List, datasets.ColumnIP: datasets.Text,
}

// required are the names of the columns that every file needs.
var required = [...]string{roleTime: datasets.ColumnTime, roleLatitude: datasets.ColumnLatitude, roleLongitude: datasets.ColumnLongitude}

// header describes the cells of a row.
type header struct {
	article     bool // the file has no header, so each row is time,latitude,longitude
	naming      *naming
	form        *cellForm
	seen        map[string]int // position of each column, by mmsim's name
	width       int
	uses        []datasets.FormColumn  // the columns in file order; Taken is "" for a column that is not used
	rows        int                    // number of rows before the column that is being added
	positions   [roleLongitude + 1]int // positions of the columns of time and coordinates; -1 for coordinates that the file lacks
	area        placing.Columns        // for rows without coordinates
	others      []headerCell           // the other columns in file order
	party       int                    // index of party_id in others, or -1
	session     int                    // index of session_length in others, or -1
	columns     []*column
	datacenters []string // names of the datacenters with measured RTTs
	remarks     []string // about columns that are left out
	textBytes   int      // size of the distinct texts in all columns, see MaxTextBytes
}

// headerCell is an optional column.
type headerCell struct {
	position int
	role     role
	index    int // index into columns or datacenters
}

// articleHeader returns the header for a file without a header. Each row of such a file has the
// form time,latitude,longitude, as in Glenn Fiedler's article.
func articleHeader(form *cellForm) *header {
	return &header{
		article:   true,
		form:      form,
		width:     3,
		positions: [...]int{roleTime: 0, roleLatitude: 1, roleLongitude: 2},
		area:      placing.NoColumns(),
		party:     -1,
		session:   -1,
	}
}

// newHeader reads column names. The parameter columns has the positions of the names in the line.
// open is set if later rows may have more columns.
func newHeader(names []string, columns []int, form *cellForm, o *Options, open bool) (*header, *tables.Fault) {
	h := &header{form: form, seen: make(map[string]int, len(names)), datacenters: slices.Clone(o.Datacenters), party: -1, session: -1}
	if len(names) > MaxColumns {
		return nil, &tables.Fault{Column: columns[MaxColumns], Message: tables.TooManyColumns(len(names))}
	}
	h.area, h.positions = placing.NoColumns(), [...]int{roleTime: -1, roleLatitude: -1, roleLongitude: -1}
	known := o.Names
	if open { // a column in o.Names may first appear in a later row
		known = maps.Clone(o.Names)
		maps.DeleteFunc(known, func(_, inFile string) bool { return !slices.Contains(names, inFile) })
	}
	var message string
	if h.naming, message = newNaming(names, known); message != "" {
		return nil, &tables.Fault{Column: 1, Message: message}
	}
	if open {
		for canonical, inFile := range o.Names {
			h.naming.canonicalOf[inFile], h.naming.taken[canonical] = canonical, inFile
		}
	}
	for i, name := range names {
		if message := h.add(name, o); message != "" {
			return nil, &tables.Fault{Column: columns[i], Message: message}
		}
	}
	if message := h.missing(names, o); message != "" {
		return nil, &tables.Fault{Column: 1, Message: message}
	}
	if message := h.checkDeclared(o.Columns); message != "" && !open {
		return nil, &tables.Fault{Column: 1, Message: message}
	}
	return h, nil
}

// missing returns a message about the first column of time or coordinates that the file lacks. It
// returns "" if the file has them, or other columns that tell where players live.
func (h *header) missing(names []string, o *Options) string {
	for r, name := range required {
		if name == "" || h.positions[r] >= 0 {
			continue
		}
		placed := h.positions[roleLatitude] < 0 && h.positions[roleLongitude] < 0
		if role(r) != roleTime && placed && h.canPlace(o) {
			continue
		}
		why, other := "", ""
		if canonical := h.naming.canonicalOf[name]; canonical != "" {
			why = fmt.Sprintf(", because dataset.map calls it %s", tables.Quoted(canonical))
		}
		if role(r) != roleTime && placed {
			other = "; instead of latitude and longitude, a column country"
			if h.area.Address >= 0 {
				other += ", or --geoip FILE.mmdb for the IP addresses"
			}
		}
		return fmt.Sprintf("column %q is missing among %s%s: "+
			"expected a header with time, latitude and longitude, or their names in dataset.map (--map %s=…)%s", name, shortList(names), why, name, other)
	}
	return ""
}

// fileForm tells how the file was read.
func (h *header) fileForm(format string, separator byte) datasets.Form {
	words := map[byte]string{',': "comma", '\t': "tab", ';': "semicolon"}
	f := datasets.Form{Format: format, Separator: words[separator], Header: !h.article, Columns: slices.Clone(h.uses)}
	for _, name := range required[roleTime:] {
		if h.article {
			f.Columns = append(f.Columns, datasets.FormColumn{Taken: name})
		}
	}
	for part, position := range map[string]int{"country": h.area.Country, "region": h.area.Region, "city": h.area.City} {
		if position >= 0 {
			f.Columns[position].Place = part
		}
	}
	return f
}

// swap tells how to swap latitude and longitude.
func (h *header) swap() string {
	if h.article {
		return "swap the two columns, or add a header time,longitude,latitude"
	}
	return fmt.Sprintf("--map latitude=%s,longitude=%s swaps them", h.naming.taken[datasets.ColumnLongitude], h.naming.taken[datasets.ColumnLatitude])
}

// add adds the next column by its name in the file.
func (h *header) add(inFile string, o *Options) (message string) {
	position := h.width
	h.width++
	if message := tables.Unreadable([]byte(inFile)); message != "" {
		return message
	}
	if inFile == "" && position == 0 && len(h.seen) == 0 {
		h.remarks = append(h.remarks, "the first column has no name and is left out, like the index that pandas writes")
		return ""
	}
	if inFile == "" {
		return fmt.Sprintf("column %d has no name: expected one", position+1)
	}
	if h.width > MaxColumns {
		return tables.TooManyColumns(h.width)
	}
	name, message := h.naming.name(inFile)
	h.uses = append(h.uses, datasets.FormColumn{Name: inFile, Taken: name})
	if message != "" || name == "" {
		return message
	}
	if first, ok := h.seen[name]; ok {
		return fmt.Sprintf("column %q appears twice, as columns %d and %d: expected every name once", name, first+1, position+1)
	}
	h.seen[name] = position
	h.area.Consider(position, name, plainName)
	return h.addNamed(position, name, o)
}

// addNamed adds a column by mmsim's name.
func (h *header) addNamed(position int, name string, o *Options) (message string) {
	if datacenter, ok := strings.CutPrefix(name, datasets.ColumnMeasured); ok {
		if datacenter == "" {
			return fmt.Sprintf("column %q names no datacenter: expected %s<datacenter>", name, name)
		}
		if slices.Contains(o.UnusedDatacenters, datacenter) {
			return ""
		}
		index := slices.Index(h.datacenters, datacenter)
		if index < 0 && len(o.Datacenters) > 0 {
			return fmt.Sprintf("column %q: unknown datacenter %s: expected one of %s", name, tables.Quoted(datacenter), strings.Join(o.Datacenters, ", "))
		}
		if index < 0 {
			if index = len(h.datacenters); index == datasets.MaxDatacenters {
				return fmt.Sprintf("column %q: more than %d datacenters (MaxDatacenters)", name, datasets.MaxDatacenters)
			}
			h.datacenters = append(h.datacenters, datacenter)
		}
		h.others = append(h.others, headerCell{position, roleMeasured, index})
		return ""
	}
	switch r := roles[name]; r {
	case roleTime, roleLatitude, roleLongitude:
		h.positions[r] = position
	case roleContinent, roleCountry:
		h.others = append(h.others, headerCell{position, r, 0})
	case roleAddress:
		h.area.Address = position
		h.addColumn(position, name, datasets.Text, Check{})
		h.others[len(h.others)-1].role = roleAddress
	case roleAttribute:
		kind, declared := o.Columns[name]
		if !declared && datasets.Declarable(name) {
			kind = o.Expected[name]
		}
		h.addColumn(position, name, kind, o.Checks[name])
	}
	return ""
}

// addColumn adds an attribute. The kinds of mmsim's own columns are fixed.
func (h *header) addColumn(position int, name string, kind datasets.Kind, check Check) {
	if settled, ok := settledKinds[name]; ok {
		kind = settled
	}
	switch name {
	case datasets.ColumnParty:
		h.party = len(h.others)
	case datasets.ColumnSessionLength:
		h.session = len(h.others)
	}
	h.others = append(h.others, headerCell{position, roleAttribute, len(h.columns)})
	c := newColumn(name, kind, check, h.rows)
	c.form, c.textBytes = h.form, &h.textBytes
	h.columns = append(h.columns, c)
}

// checkDeclared returns a message about a declared column that the file lacks.
func (h *header) checkDeclared(declared map[string]datasets.Kind) (message string) {
	var there []string
	for _, c := range h.columns {
		if datasets.Declarable(c.Name) {
			there = append(there, c.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		switch {
		case slices.ContainsFunc(h.columns, func(c *column) bool { return c.Name == name }):
		case h.article:
			return fmt.Sprintf("dataset.columns declares %s, but the file has no header: expected one that names the columns", tables.Quoted(name))
		case len(there) == 0:
			return fmt.Sprintf("dataset.columns declares %s, but the file has no columns of attributes: expected none declared", tables.Quoted(name))
		default:
			return fmt.Sprintf("dataset.columns declares %s, but the file has no such column: expected one of %s", tables.Quoted(name), strings.Join(there, ", "))
		}
	}
	return ""
}
