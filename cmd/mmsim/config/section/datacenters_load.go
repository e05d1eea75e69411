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

// List is a list of datacenters that has been loaded.
type List struct {
	Used    []datasets.Datacenter // those that take part, in the order of the list
	Unused  []string              // names of the others
	Content string                // hash of the content of the sources; "" for the built-in list
}

// listed is one datacenter of a source.
type listed struct {
	datasets.Datacenter
	source int
	isUsed bool
}

// Load reads the sources and takes the part of the list that takes part. This is the only place that
// applies Use. An error about Use is a UseError.
func (c *Datacenters) Load() (*List, error) {
	var all []listed
	content := ""
	if len(c.Sources) == 0 {
		for _, dc := range datasets.BuiltinDatacenters() {
			all = append(all, listed{dc, 0, true})
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
	for _, dc := range all {
		if dc.isUsed {
			list.Used = append(list.Used, dc.Datacenter)
		} else {
			list.Unused = append(list.Unused, dc.Name)
		}
	}
	if n := len(list.Used); n > datasets.MaxDatacenters {
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
			list = append(list, listed{dc, number, len(s.Part) == 0 || slices.Contains(s.Part, r.Name)})
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
		list = append(list, listed{dc, number, true})
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
			return fmt.Errorf("%s: the datacenter %s is in %s and in %s, expected it once",
				c.Shown(), dc.Name, c.sourceShown(first), c.sourceShown(dc.source))
		}
		from[dc.Name] = dc.source
	}
	return nil
}

func (c *Datacenters) sourceShown(i int) string {
	one := Datacenters{Sources: c.Sources[i : i+1]}
	return one.Shown()
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
