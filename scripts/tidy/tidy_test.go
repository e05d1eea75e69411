package tidy

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

// mayImport lists, for each top-level folder, the top-level folders that its packages may import.
var mayImport = map[string][]string{
	"matcher":    {"matcher"}, // see insideMatcher
	"latencymap": {},
	"datasets":   {"datasets"},                                                   // see insideDatasets
	"sim":        {"matcher", "sim"},                                             // see insideSim
	"reports":    {"sim", "reports"},                                             // see insideReports
	"cmd":        {"sim", "matcher", "latencymap", "datasets", "reports", "cmd"}, // cmd may import its own packages
	"scripts":    {"sim", "matcher", "latencymap", "datasets", "reports", "scripts"},
}

// topLevel lists all other entries at the top level.
var topLevel = []string{".ci", ".git", ".github", ".gitignore", "LICENSE", "README.md", "go.mod", "go.sum"}

const (
	module       = "mmsim"
	fileLines    = 600
	testLines    = 1200
	functionSize = 70
)

// load returns the packages of the module. It reads them once for all tests.
func load(t *testing.T) []*packages.Package {
	t.Helper()
	list, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

var loaded = sync.OnceValues(func() ([]*packages.Package, error) {
	list, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedImports | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo,
		Dir:  "../..",
	}, module+"/...")
	if err == nil && packages.PrintErrors(list) > 0 {
		err = errors.New("the module does not load")
	}
	return list, err
})

// room returns the top-level folder of an import path, or "" for an external package.
func room(path string) string {
	rest, ours := strings.CutPrefix(path, module+"/")
	if !ours {
		return ""
	}
	first, _, _ := strings.Cut(rest, "/")
	return first
}

func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, isRoom := mayImport[e.Name()]; !isRoom && !slices.Contains(topLevel, e.Name()) && !ignored(e.Name()) {
			t.Errorf("unexpected %s at the top level, want only the rooms and %v", e.Name(), topLevel)
		}
	}
}

// ignored reports whether .gitignore lists an entry at the top level.
func ignored(name string) bool {
	patterns, _ := os.ReadFile("../../.gitignore")
	for pattern := range strings.FieldsSeq(string(patterns)) {
		if match, _ := filepath.Match(strings.Trim(pattern, "/"), name); match {
			return true
		}
	}
	return false
}

func TestImportDirections(t *testing.T) {
	for _, p := range load(t) {
		from := room(p.PkgPath)
		allowed, known := mayImport[from]
		if !known {
			t.Errorf("%s is not inside one of the top-level rooms", p.PkgPath)
		}
		for path := range p.Imports {
			if to := room(path); to != "" && !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s; packages of %s may import only %v", p.PkgPath, path, from, allowed)
			}
		}
	}
}

// The core, which is sim and matcher, depends only on its input. It uses no clock, no files, no
// goroutines, no random numbers of the standard library, and no order that Go leaves undefined. The
// collector of results starts no goroutines either.
func TestCoreIsPure(t *testing.T) {
	forbidden := []string{"time", "os", "io/fs", "math/rand", "math/rand/v2", "crypto/rand", "sync", "log", "net", "runtime"}
	for _, p := range load(t) {
		r := room(p.PkgPath)
		isCore := r == "sim" || r == "matcher"
		if !isCore && !strings.HasPrefix(p.PkgPath, module+"/reports/collect") {
			continue
		}
		for path := range p.Imports {
			if isCore && slices.Contains(forbidden, path) || path == "sync" {
				t.Errorf("%s imports %s", p.PkgPath, path)
			}
		}
		inspect(p, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s: go statement; the core and the collector may not start goroutines", p.Fset.Position(n.Pos()))
			case *ast.RangeStmt:
				if _, isMap := p.TypesInfo.TypeOf(n.X).Underlying().(*types.Map); isMap && isCore {
					t.Errorf("%s: range over a map; its random order would make results random", p.Fset.Position(n.Pos()))
				}
			}
		})
	}
}

// Each product is rounded before it is added. Otherwise a compiler may fuse both into one operation,
// which rounds once, and other processors give other results and other pictures. This finds products
// inside of sums. Multiplying by a power of two is exact.
func TestProductsAreRounded(t *testing.T) {
	for _, p := range load(t) {
		if room(p.PkgPath) == "" {
			continue
		}
		check := func(operand ast.Expr) {
			product, isBinary := ast.Unparen(operand).(*ast.BinaryExpr)
			if !isBinary || product.Op != token.MUL || p.TypesInfo.Types[product].Value != nil || isExact(p, product.X) || isExact(p, product.Y) {
				return
			}
			if basic, isBasic := p.TypesInfo.TypeOf(product).Underlying().(*types.Basic); isBasic && basic.Info()&types.IsFloat != 0 {
				t.Errorf("%s: a product in a sum, want float64(…) around it", p.Fset.Position(product.Pos()))
			}
		}
		inspect(p, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.ADD || n.Op == token.SUB {
					check(n.X)
					check(n.Y)
				}
			case *ast.AssignStmt:
				if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
					check(n.Rhs[0])
				}
			}
		})
	}
}

// isExact reports whether an expression is a constant power of two.
func isExact(p *packages.Package, e ast.Expr) bool {
	value := p.TypesInfo.Types[e].Value
	if value == nil {
		return false
	}
	x, _ := constant.Float64Val(constant.ToFloat(value))
	fraction, _ := math.Frexp(math.Abs(x))
	return fraction == 0.5
}

// Only package sim generates random numbers. Other packages receive draws.
func TestRandomnessComesFromSim(t *testing.T) {
	for _, p := range load(t) {
		for path := range p.Imports {
			if strings.HasPrefix(path, "math/rand") || path == "crypto/rand" {
				t.Errorf("%s imports %s; random draws must come from sim's keyed streams", p.PkgPath, path)
			}
		}
	}
}

func TestSizes(t *testing.T) {
	for _, p := range load(t) {
		for _, file := range p.Syntax {
			position := p.Fset.Position(file.FileEnd)
			if position.Line > fileLines {
				t.Errorf("%s has %d lines, want at most %d", position.Filename, position.Line, fileLines)
			}
		}
		inspect(p, func(n ast.Node) {
			if f, ok := n.(*ast.FuncDecl); ok {
				if lines := span(p.Fset, f); lines > functionSize {
					t.Errorf("%s: %s has %d lines, want at most %d", p.Fset.Position(f.Pos()), f.Name.Name, lines, functionSize)
				}
			}
		})
	}
	var tests []string
	for depth := "*/*_test.go"; ; depth = "*/" + depth {
		found, err := filepath.Glob("../../" + depth)
		if err != nil {
			t.Fatal(err)
		}
		if found == nil {
			break
		}
		tests = append(tests, found...)
	}
	for _, name := range tests {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(text), "\n"); lines > testLines {
			t.Errorf("%s has %d lines, want at most %d", name, lines, testLines)
		}
	}
}

func inspect(p *packages.Package, visit func(ast.Node)) {
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil {
				visit(n)
			}
			return true
		})
	}
}

func span(fset *token.FileSet, n ast.Node) int {
	return fset.Position(n.End()).Line - fset.Position(n.Pos()).Line + 1
}

// Every package has a comment, because it is the first thing that a newcomer reads.
func TestPackageDocs(t *testing.T) {
	for _, p := range load(t) {
		documented := slices.ContainsFunc(p.Syntax, func(f *ast.File) bool { return f.Doc != nil })
		if !documented {
			t.Errorf("%s has no package comment", p.PkgPath)
		}
	}
}

// The package comments of cmd/mmsim and sim list files for newcomers. These files must exist, and
// there must not be too many.
func TestReadingOrders(t *testing.T) {
	const most = 15
	for _, doc := range []struct{ file, folder string }{
		{"../../cmd/mmsim/main.go", "../../cmd/mmsim"},
		{"../../sim/doc.go", "../../sim/engine"},
	} {
		text, err := os.ReadFile(doc.file)
		if err != nil {
			t.Fatal(err)
		}
		listed := 0
		for line := range strings.Lines(string(text)) {
			entry, ok := strings.CutPrefix(line, "//\t")
			if fields := strings.Fields(entry); ok && len(fields) > 0 && strings.HasSuffix(fields[0], ".go") {
				listed++
				if _, err := os.Stat(filepath.Join(doc.folder, fields[0])); err != nil {
					t.Errorf("%s lists %s: %v", doc.file, fields[0], err)
				}
			}
		}
		if listed == 0 || listed > most {
			t.Errorf("%s lists %d files, want 1 to %d", doc.file, listed, most)
		}
	}
}

// changesFiles lists the functions of package os that change files.
var changesFiles = []string{"Create", "CreateTemp", "OpenFile", "WriteFile", "Mkdir", "MkdirAll", "MkdirTemp", "Rename", "Remove", "RemoveAll",
	"Link", "Symlink", "Truncate", "Chmod", "Chown", "Chtimes", "CopyFS"}

// Commands change files through package disk, so that a test can let every change fail.
func TestFilesChangeThroughDisk(t *testing.T) {
	for _, p := range load(t) {
		rest, isCommand := strings.CutPrefix(p.PkgPath, module+"/cmd/mmsim/")
		if !isCommand || rest == "disk" || strings.HasSuffix(rest, "test") { // packages of helpers for tests
			continue
		}
		inspect(p, func(n ast.Node) {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok || !slices.Contains(changesFiles, selector.Sel.Name) {
				return
			}
			if f, ok := p.TypesInfo.Uses[selector.Sel].(*types.Func); ok && f.Pkg() != nil && f.Pkg().Path() == "os" && f.Signature().Recv() == nil {
				t.Errorf("%s: os.%s; a command changes files through package disk", p.Fset.Position(n.Pos()), f.Name())
			}
		})
	}
}
