package main

import (
	"bytes"
	"errors"
	"fmt"
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
	kindList         // no setting takes one
)

// node is one YAML value and its place. It exists so that the library's syntax
// tree is met in this file only, and so that every message can point at a place.
type node struct {
	kind         kind
	text         string // of a scalar, without quotes
	entries      []entry
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

// String quotes a value for a message, shortened.
func (n node) String() string {
	switch n.kind {
	case kindNull:
		return "nothing"
	case kindMapping:
		return "a mapping"
	case kindList:
		return "a list"
	}
	const longest = 40
	if runes := []rune(n.text); len(runes) > longest {
		return strconv.Quote(string(runes[:longest])) + "…"
	}
	return strconv.Quote(n.text)
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
	file, err := parser.ParseBytes(bytes.TrimPrefix(text, []byte("\ufeff")), 0)
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
func (s *source) at(a ast.Node) node {
	n := node{from: s}
	if t := a.GetToken(); len(s.lines) > 0 && t != nil && t.Position != nil {
		n.line, n.column = t.Position.Line, t.Position.Column
	}
	return n
}

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
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		return node{}, n.errorf("anchors, aliases and tags are not supported")
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
		n.kind = kindList
	case *ast.CommentGroupNode:
	default:
		return node{}, n.errorf("a %s is no value, expected text, a number or a mapping", a.Type())
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
