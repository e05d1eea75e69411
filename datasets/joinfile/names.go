package joinfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
)

// usual maps common column names to mmsim's names. Keys are in the form of plainName.
var usual = map[string]string{
	"timestamp": datasets.ColumnTime, "datetime": datasets.ColumnTime, "ts": datasets.ColumnTime,
	"eventtime": datasets.ColumnTime, "jointime": datasets.ColumnTime, "time": datasets.ColumnTime,
	"lat": datasets.ColumnLatitude, "latitude": datasets.ColumnLatitude,
	"lon": datasets.ColumnLongitude, "lng": datasets.ColumnLongitude, "long": datasets.ColumnLongitude, "longitude": datasets.ColumnLongitude,
	"playerid": datasets.ColumnPlayer, "partyid": datasets.ColumnParty,
	"continent": datasets.ColumnContinent, "country": datasets.ColumnCountry,
	"sessionlength": datasets.ColumnSessionLength, "friends": datasets.ColumnFriends,
	"ip": datasets.ColumnIP, "ipaddress": datasets.ColumnIP, "clientip": datasets.ColumnIP, "playerip": datasets.ColumnIP,
}

// plainName normalises a name: names that differ only in letter case or in the separators of their
// words become equal.
func plainName(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}

// naming maps the columns of a file to mmsim's names.
type naming struct {
	canonicalOf map[string]string // from Options.Names: the file's name to mmsim's name
	taken       map[string]string // mmsim's name to the file's name
}

// newNaming returns the naming for a file with these columns. If Options.Names is invalid, it
// returns a message.
func newNaming(columns []string, named map[string]string) (n *naming, message string) {
	n = &naming{canonicalOf: make(map[string]string), taken: make(map[string]string)}
	for _, canonical := range slices.Sorted(maps.Keys(named)) {
		inFile := named[canonical]
		if !slices.Contains(columns, inFile) {
			return nil, fmt.Sprintf("dataset.map says that %s is called %s, but the file has no such column: expected one of %s",
				canonical, tables.Quoted(inFile), shortList(columns))
		}
		if other, ok := n.canonicalOf[inFile]; ok {
			return nil, fmt.Sprintf("dataset.map says that both %s and %s are called %s: expected one", other, canonical, tables.Quoted(inFile))
		}
		n.canonicalOf[inFile] = canonical
		n.taken[canonical] = inFile
	}
	for _, column := range columns { // a column with mmsim's name keeps it, wherever it is
		_, mapped := n.canonicalOf[column]
		if _, taken := n.taken[column]; !mapped && !taken && usual[plainName(column)] == column {
			n.taken[column] = column
		}
	}
	return n, ""
}

// shortList lists names for a message. It cuts off a long list.
func shortList(names []string) string {
	const most = 20
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// name returns mmsim's name for a column. It returns "" for a column that is not used, because
// another column is mapped to its name. If two columns could have the same name, it returns a
// message.
func (n *naming) name(column string) (canonical, message string) {
	if canonical, ok := n.canonicalOf[column]; ok {
		return canonical, ""
	}
	if len(column) > len(datasets.ColumnMeasured) && strings.EqualFold(column[:len(datasets.ColumnMeasured)], datasets.ColumnMeasured) {
		return datasets.ColumnMeasured + column[len(datasets.ColumnMeasured):], ""
	}
	canonical, ok := usual[plainName(column)]
	if !ok {
		return column, ""
	}
	switch other, ok := n.taken[canonical]; {
	case !ok:
		n.taken[canonical] = column
		return canonical, ""
	case other == column:
		return canonical, ""
	case column == canonical:
		return "", ""
	case other == canonical || n.canonicalOf[other] != "":
		return column, "" // an ordinary attribute, because another column has mmsim's name
	default:
		return "", fmt.Sprintf("columns %s and %s could both be the %s: expected one, or dataset.map to say which (--map %s=%s)",
			tables.Quoted(other), tables.Quoted(column), canonical, canonical, column)
	}
}

// isHeader reports whether the first row contains column names: any known name for time, latitude
// or longitude, or a name in Options.Names.
func isHeader(cells []string, named map[string]string) bool {
	return slices.ContainsFunc(cells, func(cell string) bool {
		switch usual[plainName(cell)] {
		case datasets.ColumnTime, datasets.ColumnLatitude, datasets.ColumnLongitude:
			return true
		}
		for _, inFile := range named {
			if cell == inFile {
				return true
			}
		}
		return false
	})
}
