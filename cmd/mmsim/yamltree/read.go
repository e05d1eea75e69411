package yamltree

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"

	"mmsim/cmd/mmsim/input"
)

// ReadFile reads a YAML file. Every error is a bad input error and names its position; see Parse.
func ReadFile(file string) (Node, error) {
	text, err := input.ReadFile(file, Limit)
	if err != nil {
		return Node{}, input.Bad(err)
	}
	return ParseFile(file, text)
}

// ParseFile parses the text of a file. Paths in it are relative to the file's folder.
func ParseFile(file string, text []byte) (Node, error) {
	folder := filepath.Dir(file)
	if !filepath.IsAbs(folder) {
		here, err := input.WorkingFolder()
		if err != nil {
			return Node{}, err
		}
		folder = filepath.Join(here, folder)
	}
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	return Parse(text, &Source{Name: file, Folder: folder, lines: lines})
}

// Join returns the key inside the section, mapping or list at path, which is "" for a whole file.
func Join(path, key string) string {
	if path == "" || key == "" || key[0] == '[' {
		return path + key
	}
	return path + "." + key
}

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
