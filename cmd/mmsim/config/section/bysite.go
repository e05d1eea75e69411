package section

import (
	"slices"

	"mmsim/cmd/mmsim/value"
)

// OtherSites is the name that stands for all datacenters that have no value of their own.
const OtherSites = "default"

// BySite is a value for all datacenters or, if Own is not empty, for some of them.
type BySite[T any] struct {
	All T // in datacenters that have no value of their own, unless Own has OtherSites
	Own []SiteValue[T]
}

// SiteValue is the value of one datacenter, or of OtherSites.
type SiteValue[T any] struct {
	Datacenter string
	Value      T
}

// At returns the value in a datacenter.
func (b *BySite[T]) At(datacenter string) T {
	for _, name := range []string{datacenter, OtherSites} {
		if i := slices.IndexFunc(b.Own, func(o SiteValue[T]) bool { return o.Datacenter == name }); i >= 0 {
			return b.Own[i].Value
		}
	}
	return b.All
}

// Value returns the Value of a setting that is either one value or a mapping of datacenters to values.
// plural names the values, and of returns the Value of one.
func (b *BySite[T]) Value(plural string, of func(*T) value.Value) value.Value {
	own := value.NotEmpty(value.OrderedOf(&b.Own, "a mapping of datacenters and "+OtherSites+" to "+plural, value.IsName,
		func(o *SiteValue[T]) *string { return &o.Datacenter }, func(o *SiteValue[T]) value.Value { return of(&o.Value) }))
	all := of(&b.All)
	v := all.Then(func() { b.Own = nil }).Or(own)
	v.Expects = all.Expects + ", or a mapping of datacenters and " + OtherSites + " to " + plural
	v.Write = func(folder string) any {
		if len(b.Own) > 0 {
			return own.Write(folder)
		}
		return all.Write(folder)
	}
	return v
}
