package vendor

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Compile compiles a document of at most bytesMax bytes with a function that records its errors and
// warnings in problems. Each of them begins with FILE:LINE:COLUMN. Up to 20 errors are joined. format
// describes how the vendor reads JSON, except for Strict, which o determines.
func Compile[T any](root jsontree.Value, bytesMax int, o CompileOptions, format jsontree.Format, compile func(problems *jsontree.Problems) T) (compiled T, warnings []jsontree.Warning, err error) {
	var none T
	if root.Size() > bytesMax {
		return none, nil, jsontree.TooLarge(root.Position(), root.Size(), bytesMax)
	}
	format.Strict = o.Strict
	problems := jsontree.Problems{Format: format}
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

// Wrapped reports whether a document is recognised: itself, the first element of a list, or the data of
// an answer of a vendor's API.
func Wrapped(root jsontree.Value, recognises func(jsontree.Value) bool) bool {
	if list := root.Elements(); len(list) > 0 {
		return list[0].Kind() == jsontree.Struct && Wrapped(list[0], recognises)
	}
	data, ok := root.Member("data")
	return recognises(root) || ok && Wrapped(data, recognises)
}

// Unwrap calls found for each value inside the lists and answers of a document, see Wrapped. answer is
// the answer whose data the value is, or null if there is none.
func Unwrap(root, answer jsontree.Value, recognises func(jsontree.Value) bool, found func(v, answer jsontree.Value)) {
	data, ok := root.Member("data")
	switch {
	case ok && Wrapped(data, recognises):
		Unwrap(data, root, recognises, found)
	case root.Kind() == jsontree.List && Wrapped(root, recognises):
		for _, e := range root.Elements() {
			Unwrap(e, jsontree.Value{}, recognises, found)
		}
	default:
		found(root, answer)
	}
}

// WarnIfTooLate warns if tickets give up before any rule relaxes. firstMS is the wait at which the
// first rule relaxes, or matcher.Never if none does.
func WarnIfTooLate(problems *jsontree.Problems, rules jsontree.Value, giveUpMS, firstMS int64) {
	if firstMS != matcher.Never && firstMS >= giveUpMS {
		problems.Warnf(rules, "tickets give up after %s, but the first rule relaxes only after %s", Seconds(giveUpMS), Seconds(firstMS))
	}
}

// Seconds formats a duration given in ms, such as "2.5 s".
func Seconds(ms int64) string { return fmt.Sprintf("%g s", float64(ms)/1000) }
