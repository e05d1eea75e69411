package config

import (
	"fmt"
	"math"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets/joinfile"
)

// columnName reads the name of a column, which may be empty.
func columnName(key yamltree.Node) (string, error) {
	if !value.Printable(key.Text) {
		return "", fmt.Errorf("%s, which has characters that do not print", key)
	}
	return key.Text, nil
}

// columnNames returns the setting that maps mmsim's column names to the column names in the
// file.
func columnNames(p *map[string]string) value.Value {
	return value.MapOf(p, "a mapping of mmsim's column names to the names in the file", columnName, func(name *string) value.Value {
		v := value.Text(name)
		v.Expects = "the name of a column in the file"
		return v
	})
}

// badRows returns the setting for the number of malformed rows to skip, or their share.
func badRows(number *int, share *float64) value.Value {
	v := value.CountOrShare(number, share, math.MaxInt32, value.Limits{High: 1})
	v.Expects += ", or a share up to 100% such as 0.1%"
	return v
}

// timeZone returns the setting for the name of a time zone.
func timeZone(p *string) value.Value {
	return value.Scalar(p, joinfile.ZoneExpected, func() value.Schema { return value.NullableSchema(value.ScalarSchema()) }, func(n yamltree.Node) (string, bool) {
		_, err := joinfile.ParseZone(n.Text)
		return n.Text, err == nil && n.Kind <= yamltree.Text
	})
}
