package tidy

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// size describes a package without its tests.
type size struct {
	files, lines int
	knot         int // number of files in the largest cycle of references; 1 if there is none
}

// packageMax limits the size of a package.
var packageMax = size{files: 25, lines: 3000, knot: 8}

func TestPackageSizes(t *testing.T) {
	for _, p := range load(t) {
		most := packageMax
		knot := largestKnot(uses(p))
		got := size{files: len(p.Syntax), knot: max(1, len(knot))}
		for _, file := range p.Syntax {
			got.lines += p.Fset.File(file.FileStart).LineCount()
		}
		for _, c := range []struct {
			name      string
			got, most int
		}{{"files", got.files, most.files}, {"lines", got.lines, most.lines}, {"files in a knot", got.knot, most.knot}} {
			if c.got > c.most {
				t.Errorf("%s has %d %s, want at most %d", p.PkgPath, c.got, c.name, c.most)
			}
		}
		if got.knot > most.knot {
			t.Errorf("%s: %d files refer to each other in a cycle, want at most %d: %s", p.PkgPath, got.knot, most.knot, strings.Join(knot, " "))
		}
	}
}

// uses returns, for every file of a package, the files whose declarations it uses: functions,
// types, methods, fields, constants and package variables.
func uses(p *packages.Package) map[string]map[string]bool {
	name := func(at token.Pos) string { return filepath.Base(p.Fset.Position(at).Filename) }
	files := map[string]map[string]bool{}
	for _, f := range p.Syntax {
		from := name(f.FileStart)
		files[from] = map[string]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			used := p.TypesInfo.Uses[id]
			if used == nil || used.Pkg() != p.Types {
				return true
			}
			if v, ok := used.(*types.Var); ok && !v.IsField() && v.Parent() != p.Types.Scope() {
				return true // a local variable
			}
			if to := name(used.Pos()); to != from {
				files[from][to] = true
			}
			return true
		})
	}
	return files
}

// largestKnot returns the sorted files of the largest strongly connected component in a graph, or
// nil if there is no cycle. It uses Tarjan's algorithm.
func largestKnot(edges map[string]map[string]bool) []string {
	k := knots{edges: edges, number: map[string]int{}, low: map[string]int{}, open: map[string]bool{}}
	for _, file := range sortedNames(edges) {
		if k.number[file] == 0 {
			k.visit(file)
		}
	}
	return k.largest
}

type knots struct {
	edges       map[string]map[string]bool
	number, low map[string]int // order of the visit, from 1; low is the earliest open file that can be reached
	open        map[string]bool
	stack       []string
	largest     []string
}

func (k *knots) visit(file string) {
	k.number[file] = len(k.number) + 1
	k.low[file] = k.number[file]
	k.stack, k.open[file] = append(k.stack, file), true
	for _, to := range sortedNames(k.edges[file]) {
		if k.number[to] == 0 {
			k.visit(to)
			k.low[file] = min(k.low[file], k.low[to])
		} else if k.open[to] {
			k.low[file] = min(k.low[file], k.number[to])
		}
	}
	if k.low[file] != k.number[file] {
		return
	}
	at := slices.Index(k.stack, file)
	knot := slices.Clone(k.stack[at:])
	k.stack = k.stack[:at]
	for _, closed := range knot {
		k.open[closed] = false
	}
	if len(knot) > max(1, len(k.largest)) {
		slices.Sort(knot)
		k.largest = knot
	}
}

func sortedNames[V any](set map[string]V) []string {
	var names []string
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func TestLargestKnot(t *testing.T) {
	graph := func(edges ...string) map[string]map[string]bool {
		g := map[string]map[string]bool{}
		for _, e := range edges {
			from, to, _ := strings.Cut(e, ">")
			for _, file := range []string{from, to} {
				if g[file] == nil {
					g[file] = map[string]bool{}
				}
			}
			g[from][to] = true
		}
		return g
	}
	for _, test := range []struct {
		edges []string
		want  string
	}{
		{[]string{"a>b", "b>c", "a>c"}, ""},
		{[]string{"a>b", "b>a", "b>c"}, "a b"},
		{[]string{"a>b", "b>a", "b>c", "c>d", "d>e", "e>c"}, "c d e"},
		{[]string{"a>b", "b>c", "c>d", "d>b", "d>a"}, "a b c d"},
	} {
		if got := strings.Join(largestKnot(graph(test.edges...)), " "); got != test.want {
			t.Errorf("%v: got %q, want %q", test.edges, got, test.want)
		}
	}
}
