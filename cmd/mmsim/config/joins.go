package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets/joinfile"
)

// columnNames returns the setting that maps mmsim's column names to the column names in the
// file.
func columnNames(p *map[string]string) value.Value {
	return value.MapOf(p, "a mapping of mmsim's column names to the names in the file", func(key yamltree.Node) (string, error) {
		if !value.Printable(key.Text) {
			return "", fmt.Errorf("%s, which has characters that do not print", key)
		}
		return key.Text, nil
	}, func(name *string) value.Value {
		v := value.Text(name)
		v.Expects = "the name of a column in the file"
		return v
	})
}

// badRows returns the setting for the number of malformed rows to skip, or their share.
func badRows(number *int, share *float64) value.Value {
	v, part := value.Whole(number, 0, math.MaxInt32), value.Share(share, value.Limits{High: 1})
	read, takes := v.Read, v.Schema
	v.IsWhole = false
	v.Expects += ", or a share up to 100% such as 0.1%"
	v.Schema = func() schema.Schema {
		return schema.Any(takes(), schema.Pattern(value.PercentPattern))
	}
	v.Read = func(n yamltree.Node) error {
		if strings.HasSuffix(n.Text, "%") {
			*number = 0
			return part.Read(n)
		}
		*share = 0
		return read(n)
	}
	v.Write = func() any {
		if *share == 0 {
			return *number
		}
		const exact = 1e9 // 100 * 0.007 is not 0.7
		return strconv.FormatFloat(math.Round(100**share*exact)/exact, 'f', -1, 64) + "%"
	}
	return v
}

// timeZone returns the setting for the name of a time zone.
func timeZone(p *string) value.Value {
	return value.Value{
		Expects: joinfile.ZoneExpected,
		Read: func(n yamltree.Node) error {
			if _, err := joinfile.ParseZone(n.Text); err != nil || n.Kind > yamltree.Text {
				return n.Misfit()
			}
			*p = n.Text
			return nil
		},
		Write:  func() any { return *p },
		Schema: func() schema.Schema { return schema.OrNull(schema.Scalar()) },
	}
}
