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

// A Cache holds inputs of replications that take long to make, so that configurations can share
// them: latency maps, days of joins, the RTTs of a day's places, and the answers of external
// matchmakers to the hello message. If two goroutines ask for the same input, one makes it and
// the other waits. The Cache keeps the most recently used inputs of each type. An input that it
// drops stays in memory while it is in use.
//
// The key of an input is a hash of everything that the input is made from: settings, the
// content of small files, and the random seed. A large file is identified by its name, size and
// modification time, because hashing its content would take as long as making the input.
type Cache struct {
	maps   recentlyUsed[openedMaps]
	days   recentlyUsed[*datasets.Day]
	places recentlyUsed[*locatedPlaces]
	hellos recentlyUsed[*exchange.HelloAnswer] // from external matchmakers
}

// NewCache returns a cache that keeps one input of each type for each replication, and one
// more for each core.
func NewCache(replications int) *Cache {
	most := replications + runtime.GOMAXPROCS(0)
	return &Cache{
		maps:   recentlyUsed[openedMaps]{most: most},
		days:   recentlyUsed[*datasets.Day]{most: most},
		places: recentlyUsed[*locatedPlaces]{most: most},
		hellos: recentlyUsed[*exchange.HelloAnswer]{most: most},
	}
}

// openedMaps are latency maps with the hash of their content.
type openedMaps struct {
	set    *latencymap.Set
	sha256 string
}

// recentlyUsed keeps the most recently used inputs of one type.
type recentlyUsed[V any] struct {
	most         int
	mutex        sync.Mutex
	computations map[string]func() (V, error) // by key; each makes its input when it is first called
	ordered      []string                     // keys, most recently used last
}

// get returns the input with the given key. It calls make if the cache does not have the
// input.
func (s *recentlyUsed[V]) get(key string, make func() (V, error)) (V, error) {
	s.mutex.Lock()
	if s.computations == nil {
		s.computations = map[string]func() (V, error){}
	}
	computation, ok := s.computations[key]
	if ok {
		s.ordered = slices.DeleteFunc(s.ordered, func(other string) bool { return other == key })
	} else {
		computation = sync.OnceValues(make)
		s.computations[key] = computation
	}
	s.ordered = append(s.ordered, key)
	if len(s.ordered) > s.most {
		delete(s.computations, s.ordered[0])
		s.ordered = s.ordered[1:]
	}
	s.mutex.Unlock()
	return computation()
}

// keyOf returns a hash of everything that an input is made from.
func keyOf(parts ...any) string {
	sum := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(sum, "%#v\n", part) // fmt prints maps in the order of their keys
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// stamp identifies the state of a file, or of the files in a folder, by name, size and
// modification time. A pipe has no such state: its stamp is always the same.
func stamp(name string) string {
	if name == "" {
		return "" // no file
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return name // the error is reported when the file is opened
	case info.Mode().IsRegular():
		return fmt.Sprintf("%s %d %d", name, info.Size(), info.ModTime().UnixNano())
	case !info.IsDir():
		return name
	}
	all := name + "/"
	entries, _ := os.ReadDir(name) // an error is reported when the folder is opened
	for _, entry := range entries {
		if !entry.IsDir() {
			all += "\n" + stamp(filepath.Join(name, entry.Name()))
		}
	}
	return all
}
