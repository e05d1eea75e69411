package section

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/datasets"
	"mmsim/datasets/atlas"
)

// List is a list of datacenters that has been loaded. It has at most MaxDatacenters datacenters. A
// longer list is reduced to those in use, so that its others are known by name only.
type List struct {
	Datacenters []datasets.Datacenter // in the order of the sources
	InUse       uint64                // the datacenters that take part, as bits of their indexes
	Others      []string              // names of datacenters that the sources have, but the list does not
	IsReduced   bool                  // whether the list was too long, and has only the datacenters in use
	IsChosen    bool                  // whether Use chose the datacenters in use from the list
	Content     string                // hash of the content of the sources; "" for the built-in list
}

// Used returns the datacenters that take part.
func (l *List) Used() (used []datasets.Datacenter) {
	for i, dc := range l.Datacenters {
		if l.InUse>>i&1 != 0 {
			used = append(used, dc)
		}
	}
	return used
}

// UsedNames returns the names of the datacenters that take part.
func (l *List) UsedNames() []string { return datasets.DatacenterNames(l.Used()) }

// UnusedNames returns the names of all other datacenters of the sources.
func (l *List) UnusedNames() (names []string) {
	for i, dc := range l.Datacenters {
		if l.InUse>>i&1 == 0 {
			names = append(names, dc.Name)
		}
	}
	return append(names, l.Others...)
}

// listed is one datacenter of a source.
type listed struct {
	datasets.Datacenter
	source int
	isPart bool // whether it is in the part of the source that the list has
	isUsed bool // whether it takes part
}

// Load reads the sources. This is the only place that applies Use. An error about Use is a UseError.
func (c *Datacenters) Load() (*List, error) {
	var all []listed
	content := ""
	if len(c.Sources) == 0 {
		for _, dc := range datasets.BuiltinDatacenters() {
			all = append(all, listed{dc, 0, true, true})
		}
	}
	for i := range c.Sources {
		list, sum, err := c.Sources[i].load(i)
		if err != nil {
			return nil, err
		}
		all, content = append(all, list...), content+sum
	}
	if len(c.Sources) > 1 {
		sum := sha256.Sum256([]byte(content))
		content = hex.EncodeToString(sum[:])
		for i := range all {
			all[i].ID = i + 1
		}
		if err := c.distinguish(all); err != nil {
			return nil, err
		}
	}
	if err := c.take(all); err != nil {
		return nil, err
	}
	list := &List{Content: content}
	parts := 0
	for _, dc := range all {
		if dc.isPart {
			parts++
		}
	}
	list.IsReduced = parts > datasets.MaxDatacenters
	list.IsChosen = len(c.Use) > 0 && !list.IsReduced
	for _, dc := range all {
		if !dc.isUsed && (list.IsReduced || !dc.isPart) {
			list.Others = append(list.Others, dc.Name)
			continue
		}
		if dc.isUsed {
			list.InUse |= 1 << len(list.Datacenters)
		}
		list.Datacenters = append(list.Datacenters, dc.Datacenter)
	}
	if n := len(list.Datacenters); n > datasets.MaxDatacenters {
		return nil, fmt.Errorf("%s: %d datacenters, expected at most %d (MaxDatacenters): choose some with a list, such as aws:us-east-1,eu-west-1, or with datacenters.use",
			c.Shown(), n, datasets.MaxDatacenters)
	}
	return list, nil
}

// load reads a source. It returns its datacenters, and a hash of its content.
func (s *Source) load(number int) (list []listed, sum string, err error) {
	if s.Provider != "" {
		for i, r := range atlas.FindProvider(s.Provider).Regions {
			dc := datasets.Datacenter{ID: i + 1, Name: r.Name, Lat: r.Lat, Lon: r.Lon}
			isPart := len(s.Part) == 0 || slices.Contains(s.Part, r.Name)
			list = append(list, listed{dc, number, isPart, isPart})
		}
		hash := sha256.Sum256(fmt.Append(nil, s.Provider, list))
		return list, hex.EncodeToString(hash[:]), nil
	}
	var datacenters []datasets.Datacenter
	sum, err = input.ReadHashed(s.File, func(r io.Reader, name string) (err error) {
		datacenters, err = datasets.ReadDatacenters(r, name)
		return err
	})
	for _, dc := range datacenters {
		list = append(list, listed{dc, number, true, true})
	}
	return list, sum, hint(err, s.File)
}

// distinguish adds the provider to the names that several sources have: aws/us-east-1 and
// gamelift/us-east-1. Names that differ only in capital letters are equal, because on some systems
// the names of their latency maps are. A file keeps its names, and so does a region that is in the
// part of one provider only.
func (c *Datacenters) distinguish(all []listed) error {
	type key struct {
		name   string
		isUsed bool
	}
	last, isShared := map[key]int{}, map[key]bool{}
	note := func(k key, source int) {
		first, ok := last[k]
		last[k], isShared[k] = source, isShared[k] || ok && first != source
	}
	for _, dc := range all {
		name := strings.ToLower(dc.Name)
		note(key{name, false}, dc.source) // among all
		if dc.isUsed {
			note(key{name, true}, dc.source) // among those that take part
		}
	}
	for i := range all {
		dc := &all[i]
		if provider := c.Sources[dc.source].Provider; provider != "" && isShared[key{strings.ToLower(dc.Name), dc.isUsed}] {
			dc.Name = provider + "/" + dc.Name
		}
	}
	from := map[string]int{}
	for _, dc := range all {
		if first, ok := from[dc.Name]; ok {
			a, b := Datacenters{Sources: c.Sources[first:][:1]}, Datacenters{Sources: c.Sources[dc.source:][:1]}
			return fmt.Errorf("%s: the datacenter %s is in %s and in %s, expected it once", c.Shown(), dc.Name, a.Shown(), b.Shown())
		}
		from[dc.Name] = dc.source
	}
	return nil
}

// A UseError says that datacenters.use names datacenters that do not take part.
type UseError string

func (e UseError) Error() string { return string(e) }

// take applies Use. The error lists all mistakes.
func (c *Datacenters) take(all []listed) error {
	if len(c.Use) == 0 {
		return nil
	}
	var known []string
	for _, dc := range all {
		if dc.isUsed {
			known = append(known, dc.Name)
		}
	}
	if faults := unknown(c.Use, known); len(faults) > 0 {
		expected := "the list"
		if len(c.Sources) > 0 {
			expected = c.Shown()
		}
		if len(known) <= datasets.MaxDatacenters {
			expected += ": " + strings.Join(known, ", ")
		}
		return UseError(fmt.Sprintf("got %s, expected datacenters in %s", strings.Join(faults, ", "), expected))
	}
	for i := range all {
		all[i].isUsed = slices.Contains(c.Use, all[i].Name)
	}
	return nil
}
