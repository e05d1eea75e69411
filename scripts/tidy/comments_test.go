package tidy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// properNames lists words of comments that look like identifiers and are names of something else.
var properNames = map[string]bool{
	"kB": true, "KiB": true, "NaNs": true, "SplitMix64": true, "McKay": true, "MySQL": true, "PostgreSQL": true, "ClickHouse": true,
	"name.go":             true,                                                             // any file
	"SetMatchmakingQueue": true, "GetMatchmakingQueue": true, "ListMatchmakingQueues": true, // calls of PlayFab's service
}

// wordLike matches words, also joined by dots. codeLike matches those of them that only an identifier
// looks like, because they have a capital letter inside. qualified matches a name and a name in it.
// fileLike matches the names of Go files and of folders with test data, with or without a path, and
// methodLike the name of a method after that word, because guides say "in the method rule".
var (
	wordLike  = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*`)
	codeLike  = regexp.MustCompile(`^[A-Za-z]*[a-z0-9][A-Z]\w*$`)
	qualified = regexp.MustCompile(`^([A-Za-z_]\w*)\.([A-Za-z_]\w*)$`)
	fileLike  = regexp.MustCompile(`\b[a-z][\w/]*\.go\b|[\w/]+/testdata/\w+`)

	methodLike = regexp.MustCompile(`\bthe method ([a-z]\w*)`)
)

// source is what comments can name.
type source struct {
	names    map[string]bool            // all identifiers, and all words of texts, such as a vendor's keys
	declared map[string]map[string]bool // by package or type: what is declared in it
	paths    []string                   // all Go files and folders
}

// A comment that names an identifier names one that exists.
func TestCommentsNameWhatExists(t *testing.T) {
	set := token.NewFileSet()
	s := source{names: map[string]bool{}, declared: map[string]map[string]bool{}}
	var files []*ast.File
	err := filepath.WalkDir("../..", func(name string, e fs.DirEntry, err error) error {
		if s.paths = append(s.paths, filepath.ToSlash(name)); err != nil || e.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		f, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		if s.collect(f); !ast.IsGenerated(f) {
			files = append(files, f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.has("noSuch"+"Identifier") || s.hasPath("tidy/nosuch.go") { // in two parts, because this file is read, too
		t.Error("a name that does not exist passes the check")
	}
	for _, f := range files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				for _, word := range wordLike.FindAllString(c.Text, -1) {
					if !s.has(word) {
						t.Errorf("%s: the comment names %s, which does not exist", set.Position(c.Pos()), word)
					}
				}
				if strings.HasPrefix(c.Text, "//go:") {
					continue // a directive with patterns of files
				}
				for _, name := range fileLike.FindAllString(c.Text, -1) {
					if !s.hasPath(name) && !properNames[name] {
						t.Errorf("%s: the comment names the file or folder %s, which does not exist", set.Position(c.Pos()), name)
					}
				}
				for _, m := range methodLike.FindAllStringSubmatch(c.Text, -1) {
					if !s.names[m[1]] {
						t.Errorf("%s: the comment names the method %s, which does not exist", set.Position(c.Pos()), m[1])
					}
				}
			}
		}
	}
}

// collect notes what a file declares and mentions.
func (s *source) collect(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			s.declare(f.Name.Name, d.Name.Name)
			if d.Recv != nil {
				s.declare(typeName(d.Recv.List[0].Type), d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					s.declare(f.Name.Name, spec.Name.Name)
					s.declareMembers(spec)
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						s.declare(f.Name.Name, n.Name)
					}
				}
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			s.names[n.Name] = true
		case *ast.BasicLit:
			for _, word := range wordLike.FindAllString(n.Value, -1) {
				for part := range strings.SplitSeq(word, ".") {
					s.names[part] = true
				}
			}
		}
		return true
	})
}

// declareMembers notes the fields of a struct and the methods of an interface.
func (s *source) declareMembers(spec *ast.TypeSpec) {
	var members *ast.FieldList
	switch t := spec.Type.(type) {
	case *ast.StructType:
		members = t.Fields
	case *ast.InterfaceType:
		members = t.Methods
	default:
		return
	}
	for _, m := range members.List {
		for _, n := range m.Names {
			s.declare(spec.Name.Name, n.Name)
		}
		if len(m.Names) == 0 {
			s.declare(spec.Name.Name, typeName(m.Type))
		}
	}
}

func (s *source) declare(in, name string) {
	if s.declared[in] == nil {
		s.declared[in] = map[string]bool{}
	}
	s.declared[in][name] = true
}

// typeName returns the name of a receiver's type.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr: // an embedded field
		return e.Sel.Name
	}
	return ""
}

// hasPath reports whether a file or folder exists. A comment may name the last parts of its path.
func (s *source) hasPath(name string) bool {
	return slices.ContainsFunc(s.paths, func(path string) bool { return strings.HasSuffix(path, "/"+strings.TrimPrefix(name, "/")) })
}

// has reports whether a word of a comment exists, or is no identifier.
func (s *source) has(word string) bool {
	m := qualified.FindStringSubmatch(word)
	if m != nil && s.declared[m[1]] == nil {
		return true // a name of another module, or two sentences
	}
	for part := range strings.SplitSeq(word, ".") {
		if codeLike.MatchString(part) && !s.names[part] && !properNames[part] {
			return false
		}
	}
	if m == nil || s.declared[m[1]][m[2]] {
		return true
	}
	// A package of ours may have the name of another one, and a word before a dot may end a sentence.
	isType := codeLike.MatchString(m[1]) || ast.IsExported(m[1])
	return !isType && (!ast.IsExported(m[2]) || s.names[m[2]])
}
