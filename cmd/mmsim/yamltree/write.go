package yamltree

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

// A Writer has the YAML text of a tree of settings, put together from the texts of the settings. It
// equals the text of the whole tree.
type Writer struct {
	bytes.Buffer
	before string // path of the last setting
}

// Add adds a value at a dotted path. Settings of a section must be adjacent. byDefault is the value
// that the setting has by default.
func (t *Writer) Add(path string, written, byDefault any) error {
	lines, err := textOf(path, written, byDefault)
	if err != nil {
		return err
	}
	for i := range path {
		if path[i] == '.' && strings.HasPrefix(t.before, path[:i+1]) {
			_, lines, _ = strings.Cut(lines, "\n") // the line of a section that has begun
		}
	}
	t.before = path
	t.WriteString(lines)
	return nil
}

// texts has texts of settings, because yaml.Marshal takes 5 µs for a value, and the configurations
// of a sweep have nearly all values in common.
var texts struct {
	mutex sync.Mutex
	known map[setting]string // at most textsMax
}

const textsMax = 10_000

// setting is a path with a value. isDefault stands for a default value that cannot be the key of a
// map, such as a list.
type setting struct {
	path      string
	value     any
	isDefault bool
}

// textOf returns the text of one setting, with the lines of its sections.
func textOf(path string, written, byDefault any) (string, error) {
	key := setting{path, written, false}
	switch v := reflect.ValueOf(written); {
	case v.IsValid() && !v.Comparable() && reflect.DeepEqual(written, byDefault):
		key = setting{path, nil, true}
	case !v.IsValid() || !v.Comparable() || v.CanFloat() && math.Signbit(v.Float()): // -0 and 0 are equal keys with different texts
		return marshal(path, written)
	}
	texts.mutex.Lock()
	defer texts.mutex.Unlock()
	if text, isKnown := texts.known[key]; isKnown {
		return text, nil
	}
	text, err := marshal(path, written)
	if err != nil {
		return "", err
	}
	if len(texts.known) == 0 || len(texts.known) >= textsMax {
		texts.known = map[setting]string{}
	}
	texts.known[key] = text
	return text, nil
}

func marshal(path string, written any) (string, error) {
	text, err := yaml.Marshal(Insert(nil, strings.Split(path, "."), written))
	return string(text), err
}

// Insert adds a value to tree at a dotted path. Settings of a section are adjacent, so only
// the last entry of tree can be the section that path starts with.
func Insert(tree yaml.MapSlice, path []string, written any) yaml.MapSlice {
	if len(path) == 1 {
		return append(tree, yaml.MapItem{Key: path[0], Value: written})
	}
	last := len(tree) - 1
	if last < 0 || tree[last].Key != path[0] {
		tree = append(tree, yaml.MapItem{Key: path[0], Value: yaml.MapSlice(nil)})
		last++
	}
	section := tree[last].Value.(yaml.MapSlice)
	tree[last].Value = Insert(section, path[1:], written)
	return tree
}
