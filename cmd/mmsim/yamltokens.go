package main

import (
	"bytes"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// Limits of a YAML text. The parser takes time that grows with the square of
// both, so that a short file could keep it busy for minutes; a configuration
// stays far below them.
const (
	yamlDepthMax  = 32     // of brackets and braces
	yamlTokensMax = 10_000 // comments do not count
)

// tokenize splits a YAML text into its tokens, in linear time, and refuses what
// no configuration needs before the parser sees it.
func tokenize(text []byte, start node) (token.Tokens, error) {
	tokens := lexer.Tokenize(string(text))
	if len(tokens) == 0 && len(bytes.TrimSpace(text)) > 0 {
		return nil, start.errorf("the text is not YAML")
	}
	depth, count := 0, 0
	for _, t := range tokens {
		if t.Type == token.CommentType {
			continue
		}
		count++
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.AnchorType, token.AliasType, token.TagType:
			return nil, start.from.place(t).errorf("anchors, aliases and tags are not supported")
		}
		if depth > yamlDepthMax {
			return nil, start.from.place(t).errorf("more than %d brackets inside each other, expected fewer", yamlDepthMax)
		}
		if count > yamlTokensMax {
			return nil, start.from.place(t).errorf("more than %d words and signs, expected a configuration", yamlTokensMax)
		}
	}
	return tokens, nil
}

// place returns an empty node at the place of a token.
func (s *source) place(t *token.Token) node {
	n := node{from: s}
	if len(s.lines) > 0 && t != nil && t.Position != nil {
		n.line, n.column = t.Position.Line, t.Position.Column
	}
	return n
}
