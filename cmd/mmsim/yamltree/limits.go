package yamltree

import (
	"bytes"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"

	"mmsim/cmd/mmsim/input"
)

// The parser's time is quadratic in depth and in the number of tokens, so it could take
// minutes for a short file. Configurations are far below these limits.
const (
	yamlDepthMax  = 32     // nesting of brackets and braces
	yamlTokensMax = 10_000 // not counting comments
)

// MaxConfigBytes is the maximum size of a YAML file, such as a configuration or a gate. A
// larger file was probably passed by mistake, for example the dataset.
const MaxConfigBytes = 1 << 20

// Limit is MaxConfigBytes in the form that input.ReadFile takes.
var Limit = input.Limit{Name: "MaxConfigBytes", Bytes: MaxConfigBytes, Expected: "a configuration, a gate or a sweep"}

// tokenize splits YAML text into tokens in linear time. It rejects anchors, aliases, tags and
// texts above the limits before the parser reads them.
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
			return nil, start.From.place(t).Errorf("more than %d nested brackets, expected fewer", yamlDepthMax)
		}
		if count > yamlTokensMax {
			return nil, start.From.place(t).Errorf("more than %d words and signs, expected a configuration", yamlTokensMax)
		}
	}
	return tokens, nil
}

// place returns a node without content at the position of a token.
func (s *Source) place(t *token.Token) Node {
	n := Node{From: s}
	if len(s.lines) > 0 && t != nil && t.Position != nil {
		n.Line, n.Column = t.Position.Line, t.Position.Column
	}
	return n
}
