package yamltree

import (
	"bytes"
	"fmt"
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

// Add adds a value at a dotted path. Settings of a section must be adjacent.
func (t *Writer) Add(path string, written any) error {
	lines, err := textOf(path, written)
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

// setting is a path with a value.
type setting struct {
	path  string
	value any
}

// syntax stands for a value that cannot be the key of a map, such as a list, or that equals another one
// with a different text, such as 0 and -0. It is the value in the syntax of Go.
type syntax string

// textOf returns the text of one setting, with the lines of its sections.
func textOf(path string, written any) (string, error) {
	key := setting{path, written}
	if v := reflect.ValueOf(written); !v.IsValid() || !v.Comparable() || v.CanFloat() {
		key.value = syntax(fmt.Sprintf("%#v", written))
	}
	texts.mutex.Lock()
	defer texts.mutex.Unlock()
	if text, isKnown := texts.known[key]; isKnown {
		return text, nil
	}
	text, err := yaml.Marshal(Insert(nil, strings.Split(path, "."), written))
	if err != nil {
		return "", err
	}
	if len(texts.known) == 0 || len(texts.known) >= textsMax {
		texts.known = map[setting]string{}
	}
	texts.known[key] = string(text)
	return string(text), nil
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
