package outcome

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A node is a value of summary.json: a block, a list, a number or a text. The nodes form a tree, the
// schema of a summary, which is built once from the structs and their tags. Everything that is done
// with all metrics, or with the whole file, walks this tree: the list of metrics, their values, those
// that a run will have, the check of a file and the mean of several runs.
type node struct {
	key     string       // JSON key in the block around it
	index   []int        // of the field in the struct of the block around it, or in structs that are embedded in it
	of      reflect.Type // of the value, without a pointer
	outer   *node        // block or list around it; nil for the whole summary
	members []*node      // of a block, in the order of the file
	items   []family     // of a list

	isPointer  bool // whether the field is a pointer
	isOptional bool // whether the file may omit the key
	isMetric   bool // whether it is a metric

	instant  *node // of a metric that is an extremum: the time at which it was reached
	extremum *node // of that time: the metric

	// Metric has the tags. Tags of a block are for the metrics in it; see the package comment. The Name
	// of a part that is not a metric is its path, too.
	Metric
	when   []string // names of conditions
	keys   string   // of a list: tag keys
	bounds string   // tag range
}

// family is a set of keys of a list. Its metrics improve in the same direction.
type family struct {
	keys string // a key, in which a star stands for any text
	item *node
}

// schema is the tree of a summary.
var schema = sync.OnceValue(func() *node {
	n := &node{of: reflect.TypeFor[Summary]()}
	n.grow(true)
	return n
})

// grow adds the nodes below n. hasMetrics is false below a node that is excluded from the metrics.
func (n *node) grow(hasMetrics bool) {
	switch {
	case n.of.Kind() == reflect.Struct:
		n.addFields(n.of, nil, n.when, hasMetrics)
	case n.of.Kind() == reflect.Slice:
		for _, f := range families(n.Better) {
			item := &node{of: n.body(), outer: n, Metric: n.Metric, when: n.when}
			item.Name, item.Better = join(n.Name, f.keys), f.better
			item.phrase = withFamily(n.phrase, strings.Count(n.Name, "*"), f.keys)
			item.grow(hasMetrics)
			n.items = append(n.items, family{f.keys, item})
		}
	}
	n.isMetric = hasMetrics && n.extremum == nil && isNumber(n.of)
}

// addFields adds the nodes of the fields of a struct, which is the block or embedded in it. within is its index
// in the block. Of the tags of an embedded struct, only when counts.
func (n *node) addFields(of reflect.Type, within []int, when []string, hasMetrics bool) {
	for field := range of.Fields() {
		index, when := slices.Concat(within, field.Index), when
		if tag := field.Tag.Get("when"); tag != "" {
			when = slices.Concat(when, strings.Split(tag, ", "))
		}
		switch key := keyOf(field); {
		case key == "" && field.Anonymous:
			n.addFields(field.Type, index, when, hasMetrics)
		case key != "" && key != "-":
			n.add(field, index, when, hasMetrics)
		}
	}
}

// add adds the node of a field to a block.
func (n *node) add(field reflect.StructField, index []int, when []string, hasMetrics bool) {
	m := &node{key: keyOf(field), index: index, of: elem(field.Type), outer: n, when: when,
		isPointer: field.Type.Kind() == reflect.Pointer, isOptional: strings.HasSuffix(field.Tag.Get("json"), ",omitempty"),
		keys: field.Tag.Get("keys"), bounds: field.Tag.Get("range")}
	if holdsMetrics(field) && hasMetrics {
		m.declare(field)
	} else {
		m.Name, hasMetrics = join(n.Name, m.key), false
	}
	if field.Tag.Get("instant") != "" { // of the field before it, see TestTags
		m.extremum = n.members[len(n.members)-1]
		m.extremum.instant = m
	}
	m.grow(hasMetrics)
	n.members = append(n.members, m)
}

// declare parses the tags of a field.
func (n *node) declare(field reflect.StructField) {
	at := n.outer
	complete := func(tag, holder string) string {
		return strings.TrimSpace(strings.ReplaceAll(field.Tag.Get(tag), "*", holder))
	}
	n.Metric = Metric{
		Name: join(at.Name, n.key), Whole: at.Whole, When: strings.Join(n.when, ", "), Meaning: complete("meaning", at.Meaning),
		Unit:   cmp.Or(quantityOf(field.Type).unit, Unit(complete("unit", string(at.Unit)))),
		Better: Better(field.Tag.Get("better")), phrase: at.phrase,
		Base: cmp.Or(at.resolve(field.Tag.Get("base")), at.Base),
		Step: stepOf(field.Type, field.Tag.Get("step")),
	}
	if field.Tag.Get("words") != "" {
		n.phrase = numberKeys(complete("words", at.phrase), strings.Count(n.Name, "*"))
	}
	switch n.Better {
	case "*":
		n.Better = at.Better
	case "-*":
		n.Better = at.Better.opposite()
	}
	n.Matters = mattersIn(n.Unit)
	if tag := field.Tag.Get("matters"); tag != "" {
		n.Matters = parseMatters(tag, at.resolve)
	}
	if field.Type == reflect.TypeFor[Parts]() {
		n.Whole = at.Name
	}
}

// resolve returns the full names of the metrics in a tag. The first key of each is looked up in this
// block and then in the blocks around it, from inner to outer.
func (n *node) resolve(base string) string {
	if base == "" {
		return ""
	}
	first, second, isDifference := strings.Cut(base, " - ")
	if isDifference {
		return n.resolve(first) + " - " + n.resolve(second)
	}
	key, _, _ := strings.Cut(base, ".")
	for p := n; p != nil; p = p.outer {
		if p.of.Kind() == reflect.Struct && slices.Contains(keysOf(p.of), key) {
			return join(p.Name, base)
		}
	}
	panic(fmt.Sprintf("outcome: the base %q of a metric in %s is not there", base, n.Name))
}

// in returns the value of the node in the struct of the block around it. The value is invalid if the
// field is a nil pointer.
func (n *node) in(block reflect.Value) reflect.Value {
	v := block.FieldByIndex(n.index)
	if n.isPointer {
		return v.Elem()
	}
	return v
}

// direction is a set of keys of a list, with the direction in which their metrics improve.
type direction struct {
	keys   string
	better Better
}

// families parses the struct tag `better` of a list. In "*_difference lower, ping_ms lower" the
// direction depends on the key. The last item returned is for all other keys.
func families(better Better) []direction {
	var list []direction
	if strings.Contains(string(better), " ") {
		for part := range strings.SplitSeq(string(better), ", ") {
			keys, of, _ := strings.Cut(part, " ")
			list = append(list, direction{keys, Better(of)})
		}
		better = BetterNot
	}
	return append(list, direction{"*", better})
}

// familyOf returns the family of a key, with the texts that stand for its stars. The last family is
// for all keys, also for an empty one.
func (n *node) familyOf(key string) (*node, []string) {
	last := len(n.items) - 1
	for _, f := range n.items[:last] {
		if stars, is := starKeys(f.keys, key); is {
			return f.item, stars
		}
	}
	return n.items[last].item, []string{key}
}

// holdsMetrics reports whether a field is a metric or contains metrics.
func holdsMetrics(field reflect.StructField) bool {
	return keyOf(field) != "-" && field.Tag.Get("meaning") != "-" && field.Tag.Get("instant") == "" && field.IsExported()
}

// keyOf returns the JSON key of a field, or "" for an embedded struct.
func keyOf(field reflect.StructField) string {
	key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return key
}

// keysOf lists the JSON keys of a struct.
func keysOf(t reflect.Type) []string {
	var keys []string
	for field := range t.Fields() {
		switch key := keyOf(field); {
		case key == "" && field.Anonymous:
			keys = append(keys, keysOf(elem(field.Type))...)
		case key != "" && key != "-":
			keys = append(keys, key)
		}
	}
	return keys
}

// isObject reports whether the list is written as an object; see Object.
func (n *node) isObject() bool {
	return n.of.Kind() == reflect.Slice && n.of.Implements(reflect.TypeFor[json.Marshaler]())
}

// hasBlocks reports whether the node is a list of blocks, which may have metrics.
func (n *node) hasBlocks() bool {
	return len(n.items) > 0 && n.items[0].item.of.Kind() != reflect.String
}

// body returns the type that is written for an item of the list.
func (n *node) body() reflect.Type {
	item := n.of.Elem()
	if !n.isObject() {
		return item
	}
	_, body := memberOf(reflect.New(item).Elem())
	return body.Type()
}

// itemAt returns the key and the body of an item of the list. The key is the item's name in an object,
// and its index in any other list.
func (n *node) itemAt(list reflect.Value, index int) (key string, body reflect.Value) {
	item := list.Index(index)
	if !n.isObject() {
		return strconv.Itoa(index), item
	}
	name, body := memberOf(item)
	return *name, body
}

func isNumber(t reflect.Type) bool {
	zero := reflect.Zero(t)
	return zero.CanFloat() || zero.CanInt() || zero.CanUint()
}

// join appends a key to a path.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
