package vendor

import "mmsim/matcher/dialect/jsontree"

// Read parses a text of at most bytesMax bytes and compiles it. Messages begin with file.
func Read[T any](file string, text []byte, bytesMax int, o Options, compile func(jsontree.Value, Options) (T, []jsontree.Warning, error)) (compiled T, warnings []jsontree.Warning, err error) {
	root, err := jsontree.ParseAtMost(file, text, bytesMax)
	if err != nil {
		return compiled, nil, err
	}
	return compile(root, o)
}

// Compile compiles a document of at most bytesMax bytes with a function that records its errors and
// warnings in problems. Each of them begins with FILE:LINE:COLUMN. Up to 20 errors are joined.
func Compile[T any](root jsontree.Value, bytesMax int, compile func(problems *jsontree.Problems) T) (compiled T, warnings []jsontree.Warning, err error) {
	var none T
	if root.Size() > bytesMax {
		return none, nil, jsontree.TooLarge(root.Position(), root.Size(), bytesMax)
	}
	var problems jsontree.Problems
	compiled = compile(&problems)
	if err := problems.Err(); err != nil {
		return none, problems.Warnings(), err
	}
	return compiled, problems.Warnings(), nil
}

// HasMember reports whether a JSON value is an object with at least one of the members.
func HasMember(v jsontree.Value, names ...string) bool {
	for _, name := range names {
		if _, ok := v.Member(name); ok {
			return true
		}
	}
	return false
}
