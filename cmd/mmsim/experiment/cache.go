package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"mmsim/datasets"
	"mmsim/latencymap"
	"mmsim/matcher/external/exchange"
)

// A Cache makes each large input of replications once, for all configurations that name the
// same one: latency maps, days of joins, and the RTTs of a day's places. A caller that asks
// for an input that another goroutine is making waits for it. The Cache keeps the last few
// inputs of each kind; an input that it drops stays in memory while it is in use.
//
// The key of an input is the hash of everything that it is made from: settings, the content
// of small files, and the random seed. For a large file, its name, size and modification time
// count instead of its content: reading the file for its hash would take as long as making
// the input.
type Cache struct {
	maps   shelf[openedMaps]
	days   shelf[*datasets.Day]
	places shelf[*locatedPlaces]
	hellos shelf[*exchange.HelloAnswer] // from matchmakers outside
}

// NewCache returns a cache that keeps, of each kind, the given number of inputs and one more
// for each core.
func NewCache(replications int) *Cache {
	most := replications + runtime.GOMAXPROCS(0)
	return &Cache{
		maps:   shelf[openedMaps]{most: most},
		days:   shelf[*datasets.Day]{most: most},
		places: shelf[*locatedPlaces]{most: most},
		hellos: shelf[*exchange.HelloAnswer]{most: most},
	}
}

// openedMaps are latency maps and the hash of their content.
type openedMaps struct {
	set    *latencymap.Set
	sha256 string
}

// shelf keeps the most recently used inputs of one kind.
type shelf[V any] struct {
	most    int
	mutex   sync.Mutex
	makers  map[string]func() (V, error) // each makes its input at the first call
	ordered []string                     // keys, the most recently used last
}

// get returns the input with a key, and makes it if it is missing.
func (s *shelf[V]) get(key string, make func() (V, error)) (V, error) { return s.maker(key, make)() }

func (s *shelf[V]) maker(key string, make func() (V, error)) func() (V, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.makers == nil {
		s.makers = map[string]func() (V, error){}
	}
	maker, isThere := s.makers[key]
	if isThere {
		s.ordered = slices.DeleteFunc(s.ordered, func(other string) bool { return other == key })
	} else {
		maker = sync.OnceValues(make)
		s.makers[key] = maker
	}
	s.ordered = append(s.ordered, key)
	if len(s.ordered) > s.most {
		delete(s.makers, s.ordered[0])
		s.ordered = s.ordered[1:]
	}
	return maker
}

// keyOf returns the hash of everything that an input is made from.
func keyOf(parts ...any) string {
	sum := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(sum, "%#v\n", part) // fmt writes maps in the order of their keys
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// stamp identifies a state of a file, or of the files in a folder, by name, size and
// modification time. A pipe can be read only once and always has the same stamp.
func stamp(name string) string {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return name // opening the file reports the error
	case info.Mode().IsRegular():
		return fmt.Sprintf("%s %d %d", name, info.Size(), info.ModTime().UnixNano())
	case !info.IsDir():
		return name
	}
	all := name + "/"
	entries, _ := os.ReadDir(name) // as above
	for _, entry := range entries {
		if !entry.IsDir() {
			all += "\n" + stamp(filepath.Join(name, entry.Name()))
		}
	}
	return all
}
