package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// source is a text that values come from: a configuration file, or one
// command-line flag. Messages begin with its name.
type source struct {
	name   string   // file name as the user wrote it, or the flag: "--set match.size=1"
	key    string   // the setting that a flag's name tells already; "" elsewhere
	folder string   // relative paths among its values are relative to this folder
	lines  []string // for excerpts in messages; empty for a flag
}

// kind is the shape of a YAML value, as far as a configuration cares.
type kind uint8

const (
	kindNull    kind = iota
	kindPlain        // scalar without quotes: text, a number, true or false
	kindText         // scalar in quotes or a block: text whatever it looks like
	kindMapping      // entries in the order of the file
	kindList         // elements in the order of the file
)

// node is one YAML value and its place. It exists so that the library's syntax
// tree is met in this file only, and so that every message can point at a place.
type node struct {
	kind         kind
	text         string  // of a scalar, without quotes
	entries      []entry // of a mapping
	elements     []node  // of a list
	from         *source
	line, column int // from 1; 0 when from is a flag
}

// entry is one key of a mapping with its value.
type entry struct{ key, value node }

// inputError is a message about one value. Its text begins with the place and
// ends with the offending line and a caret where the source has lines.
type inputError struct {
	place, message, excerpt string
}

func (e *inputError) Error() string { return e.place + ": " + e.message + e.excerpt }

// errorf makes the error about this node.
func (n node) errorf(format string, args ...any) error {
	e := &inputError{place: n.from.name, message: fmt.Sprintf(format, args...)}
	if n.line > 0 {
		e.place = fmt.Sprintf("%s:%d:%d", n.from.name, n.line, n.column)
		e.excerpt = n.from.excerpt(n.line, n.column)
	}
	return badInput(e)
}

// excerptMax bounds the width of a quoted line, so that a binary file given by
// mistake does not flood the terminal.
const excerptMax = 120

// excerpt shows a line with a caret under the column; nothing where the line
// does not exist or is too wide to help.
func (s *source) excerpt(line, column int) string {
	if line < 1 || line > len(s.lines) || column < 1 {
		return ""
	}
	text := strings.ReplaceAll(s.lines[line-1], "\t", " ")
	if utf8.RuneCountInString(text) > excerptMax || column > excerptMax+1 {
		return ""
	}
	number := strconv.Itoa(line)
	return fmt.Sprintf("\n  %s | %s\n  %s | %s^", number, text,
		strings.Repeat(" ", len(number)), strings.Repeat(" ", column-1))
}

// alsoAt names the line of a node that another one repeats.
func (n node) alsoAt() string {
	if n.line == 0 {
		return ""
	}
	return fmt.Sprintf(", which stands in line %d already", n.line)
}

// misfit is what was got instead of a value that fits. Quotes make a text of
// what looks like a number, and the message must say so.
func (n node) misfit() error {
	if n.kind == kindText {
		return errors.New("the text " + n.String())
	}
	return errors.New(n.String())
}

// String quotes a value for a message, shortened.
func (n node) String() string {
	switch n.kind {
	case kindNull:
		return "nothing"
	case kindMapping:
		return emptyOr(len(n.entries), "mapping")
	case kindList:
		return emptyOr(len(n.elements), "list")
	}
	text, rest := shortened(n.text, 40)
	return strconv.Quote(text) + rest
}

func emptyOr(length int, what string) string {
	if length == 0 {
		return "an empty " + what
	}
	return "a " + what
}

// shortened cuts a text for a message; rest is a sign that it was cut.
func shortened(text string, longest int) (cut, rest string) {
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]), "…"
	}
	return text, ""
}

// parseYAML reads one YAML document. JSON is YAML too. Anchors, aliases, tags
// and further documents are errors: a configuration needs none of them, and a
// construct that is half understood would be a wrong number later.
func parseYAML(text []byte, from *source) (n node, err error) {
	start := node{from: from, line: min(1, len(from.lines)), column: 1}
	if !utf8.Valid(text) {
		return node{}, start.errorf("the file is not UTF-8 text")
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return node{}, start.errorf("the file is binary, expected YAML text")
	}
	// The parser is a dependency that has panicked on malformed text before;
	// bad input must stay an error message whatever it contains.
	defer func() {
		if fault := recover(); fault != nil {
			n, err = node{}, start.errorf("the text is not YAML: %v", fault)
		}
	}()
	tokens, err := tokenize(bytes.TrimPrefix(text, []byte("\ufeff")), start)
	if err != nil {
		return node{}, err
	}
	// Keys that are there twice are found by mapping, which can say so.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return node{}, syntaxError(err, start)
	}
	if len(file.Docs) == 0 {
		return start, nil
	}
	for _, doc := range file.Docs[1:] {
		second, err := from.convert(doc.Body)
		if err != nil {
			return node{}, err
		}
		if second.kind != kindNull {
			return node{}, second.errorf("a second YAML document, expected one")
		}
	}
	return from.convert(file.Docs[0].Body)
}

// syntaxError translates the parser's error.
func syntaxError(err error, start node) error {
	var known yaml.Error
	if !errors.As(err, &known) {
		return start.errorf("the text is not YAML: %v", err)
	}
	if t := known.GetToken(); t != nil && t.Position != nil && start.line > 0 {
		start.line, start.column = t.Position.Line, t.Position.Column
	}
	return start.errorf("the text is not YAML: %s", known.GetMessage())
}

// at returns an empty node at the place of a.
func (s *source) at(a ast.Node) node { return s.place(a.GetToken()) }

// convert turns the library's syntax tree into nodes.
func (s *source) convert(a ast.Node) (node, error) {
	if a == nil {
		return node{from: s}, nil
	}
	n := s.at(a)
	switch a := a.(type) {
	case *ast.NullNode:
	case *ast.StringNode:
		n.kind, n.text = kindPlain, a.Value
		if t := a.GetToken().Type; t == token.SingleQuoteType || t == token.DoubleQuoteType {
			n.kind = kindText
		}
	case *ast.LiteralNode:
		n.kind, n.text = kindText, a.Value.Value
	case *ast.MergeKeyNode:
		return node{}, n.errorf("merge keys are not supported")
	case ast.ScalarNode:
		n.kind, n.text = kindPlain, a.GetToken().Value
	case *ast.MappingValueNode:
		return s.mapping(s.at(a.Key), []*ast.MappingValueNode{a})
	case *ast.MappingNode:
		if !a.IsFlowStyle && len(a.Values) > 0 {
			n = s.at(a.Values[0].Key) // the node itself stands at the first colon
		}
		return s.mapping(n, a.Values)
	case *ast.SequenceNode:
		return s.list(n, a.Values)
	case *ast.CommentGroupNode:
	default:
		return node{}, n.errorf("a %s is no value, expected text, a number or a mapping", a.Type())
	}
	return n, nil
}

// list converts the elements of a list that begins at n.
func (s *source) list(n node, values []ast.Node) (node, error) {
	n.kind = kindList
	for _, v := range values {
		element, err := s.convert(v)
		if err != nil {
			return node{}, err
		}
		n.elements = append(n.elements, element)
	}
	return n, nil
}

// mapping converts the entries of a mapping that begins at n.
func (s *source) mapping(n node, values []*ast.MappingValueNode) (node, error) {
	n.kind = kindMapping
	for _, v := range values {
		key := s.at(v.Key)
		scalar, ok := v.Key.(ast.ScalarNode)
		if !ok || v.Key.IsMergeKey() {
			return node{}, key.errorf("a key must be plain text")
		}
		key.kind, key.text = kindPlain, scalar.GetToken().Value
		if i := slices.IndexFunc(n.entries, func(e entry) bool { return e.key.text == key.text }); i >= 0 {
			return node{}, key.errorf("duplicate key %s%s, expected it once", key, n.entries[i].key.alsoAt())
		}
		value, err := s.convert(v.Value)
		if err != nil {
			return node{}, err
		}
		if value.kind == kindNull {
			value.line, value.column = key.line, key.column
		}
		n.entries = append(n.entries, entry{key, value})
	}
	return n, nil
}
