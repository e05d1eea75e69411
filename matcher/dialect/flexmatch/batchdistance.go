package flexmatch

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

type batchDistance struct {
	matcher.BatchDistance
	source
}

func (r *batchDistance) language() matcher.SeatRule { return &r.BatchDistance }

func (c *compiler) readBatchDistance(o *jsontree.Object, common matcher.SeatCommon) rule {
	r := &batchDistance{BatchDistance: matcher.BatchDistance{SeatCommon: common}, source: source{o.Value}}
	r.Party = c.party(o, matcher.PartyAvg, matcher.PartyMin, matcher.PartyMax)
	v, ok := o.Get("batchAttribute")
	if !ok {
		o.Missing("batchAttribute", "the name of an attribute")
		return r
	}
	a := c.attributeNamed(o, "batchAttribute", v, IsNumber, IsText)
	if r.Column = a.Column; a.Type == IsText {
		if v, ok := o.Get("maxDistance"); ok {
			o.Misfit(v, "maxDistance", "none, because the attribute is a text")
		}
		return r
	}
	r.Max = c.required(o, "maxDistance", distances)
	if v, ok := o.Get("minDistance"); ok {
		o.Misfit(v, "minDistance", "none, because a batchDistance has only maxDistance")
	}
	return r
}

func (r *batchDistance) property(name string) *property {
	if name != "maxDistance" || r.Max == nil {
		return nil
	}
	return replacing(&r.Max, distances)
}
