package yamltree

import (
	"bytes"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"

	"mmsim/cmd/mmsim/input"
)

// Limits of a YAML text. The parser's time grows with the square of both, so a short file
// could keep it busy for minutes. A configuration stays far below them.
const (
	yamlDepthMax  = 32     // of brackets and braces
	yamlTokensMax = 10_000 // comments do not count
)

// MaxConfigBytes is the largest size of a YAML file: a configuration, a gate, a sweep. A larger
// one is another file passed by mistake, most likely the dataset.
const MaxConfigBytes = 1 << 20

// Limit is MaxConfigBytes for messages.
var Limit = input.Limit{Name: "MaxConfigBytes", Bytes: MaxConfigBytes, Expected: "a configuration, a gate or a sweep"}

// tokenize splits a YAML text into tokens in linear time, and refuses constructs that no
// configuration needs before the parser reads them.
func tokenize(text []byte, start Node) (token.Tokens, error) {
	tokens := lexer.Tokenize(string(text))
	if len(tokens) == 0 && len(bytes.TrimSpace(text)) > 0 {
		return nil, start.Errorf("the text is not YAML")
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
			return nil, start.From.place(t).Errorf("anchors, aliases and tags are not supported")
		}
		if depth > yamlDepthMax {
			return nil, start.From.place(t).Errorf("more than %d brackets inside each other, expected fewer", yamlDepthMax)
		}
		if count > yamlTokensMax {
			return nil, start.From.place(t).Errorf("more than %d words and signs, expected a configuration", yamlTokensMax)
		}
	}
	return tokens, nil
}

// place returns an empty node at the place of a token.
func (s *Source) place(t *token.Token) Node {
	n := Node{From: s}
	if len(s.lines) > 0 && t != nil && t.Position != nil {
		n.Line, n.Column = t.Position.Line, t.Position.Column
	}
	return n
}
