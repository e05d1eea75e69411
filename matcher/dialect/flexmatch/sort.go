package flexmatch

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

type sorting struct {
	matcher.Sort
	source
	fixed
}

func (r *sorting) language() matcher.SeatRule { return &r.Sort }

func (c *compiler) readAbsoluteSort(o *jsontree.Object, common matcher.SeatCommon) rule {
	return c.sort(o, &sorting{Sort: matcher.Sort{SeatCommon: common}, source: source{o.Value}})
}

func (c *compiler) readDistanceSort(o *jsontree.Object, common matcher.SeatCommon) rule {
	return c.sort(o, &sorting{Sort: matcher.Sort{SeatCommon: common, Distance: true}, source: source{o.Value}})
}

func (c *compiler) sort(o *jsontree.Object, r *sorting) rule {
	r.Party = c.party(o, matcher.PartyAvg, matcher.PartyMin, matcher.PartyMax)
	r.Descending = oneOf(o, "sortDirection", "", "ascending", "descending") == "descending"
	v, ok := o.Get("sortAttribute")
	if !ok {
		o.Missing("sortAttribute", "the name of an attribute")
		return r
	}
	a := c.attributeNamed(o, "sortAttribute", v, IsNumber, IsNumberMap)
	r.Column = a.Column
	if a.Type == IsNumberMap {
		r.KeyColumn = func(key matcher.Text) matcher.Column { return c.set.KeyColumn(a, key) }
		r.HighestKey = oneOf(o, "mapKey", "", "minValue", "maxValue") == "maxValue"
	} else if v, given := o.Get("mapKey"); given {
		o.Warnf(v, "mapKey", "ignored, because it has no effect on an attribute that is not a map")
	}
	return r
}
