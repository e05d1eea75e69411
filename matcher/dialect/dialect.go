// Package dialect lists the rule languages of the vendors, called dialects, and finds the dialect
// of a document.
//
// To add a vendor, add a folder below this one that exports a [vendor.Dialect], import it here, and
// add the dialect to [All]. The order matters only for a document that two dialects recognise. The
// rest of the program asks the compiled rules for what it needs to know, see [vendor.Queue]. Compile
// the vendor's rules into the form of [mmsim/matcher.Ruleset] that can say them:
//
//   - Rules compare pairs of tickets, such as a largest difference. In a simulated day, running
//     matches take no players under them (backfill). PlayFab compiles into them.
//   - PivotRules compare every ticket with the one that has waited longest, and can backfill.
//     AccelByte compiles into them.
//   - SeatRules are expressions over named teams, and can backfill. FlexMatch compiles into them.
//
// These rules of SeatRules say what vendors usually ask for, with the value of SeatCommon.Party in
// brackets if the default is not right:
//
//	the same text for all players             BatchDistance without Max
//	numbers that are close together           BatchDistance with Max
//	texts that all players have in common     Collection, "intersection" (PartyIntersection)
//	at most N players of a team with a text   Collection, "contains", an expression for each team
//	averages of teams that are close          Distance between two expressions
//	a region that every player reaches        Latency (PartyMax)
//
// Read the JSON in the function that is passed to [vendor.Compile], with [jsontree.Object]: it checks
// words, numbers and lists, all with positions. At the end, its method Done warns of unknown keys, and
// DoneStrict makes them errors. If an API of the vendor wraps rulesets, [vendor.Unwrap] lists them.
//
// Case files in the folder's testdata/cases are run by package casefile. TestEveryDialect checks with them
// that the dialect is complete.
package dialect

import (
	"slices"
	"strings"

	"mmsim/matcher/dialect/accelbyte"
	"mmsim/matcher/dialect/flexmatch"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/playfab"
	"mmsim/matcher/dialect/roblox"
	"mmsim/matcher/dialect/vendor"
)

// All returns the dialects, in the order in which they are tried on a document.
func All() []vendor.Dialect {
	return []vendor.Dialect{
		playfab.Dialect(),
		accelbyte.Dialect(),
		flexmatch.Dialect(),
		roblox.Dialect(),
	}
}

// Names lists the names of all dialects.
func Names() []string { return slices.Concat(NamesThat(false), NamesThat(true)) }

// NamesThat lists the dialects whose rules place players on servers if placement is true. Otherwise it
// lists the dialects whose rules form matches.
func NamesThat(placement bool) []string {
	var names []string
	for _, d := range All() {
		if d.Placement == placement {
			names = append(names, d.Name)
		}
	}
	return names
}

// Titles lists the titles of all dialects in the form "A, B or C".
func Titles() string {
	var titles []string
	for _, d := range All() {
		titles = append(titles, d.Title)
	}
	last := len(titles) - 1
	return strings.Join(titles[:last], ", ") + " or " + titles[last]
}

// Recognise returns the first dialect that recognises a document, or false if none does.
func Recognise(root jsontree.Value) (vendor.Dialect, bool) {
	for _, d := range All() {
		if d.Recognises(root) {
			return d, true
		}
	}
	return vendor.Dialect{}, false
}

// Of returns the dialect with the given name. If the name is empty, it returns the first dialect
// that recognises the rules.
func Of(name string, rules jsontree.Value) (vendor.Dialect, error) {
	if name == "" {
		if d, ok := Recognise(rules); ok {
			return d, nil
		}
	}
	for _, d := range All() {
		if d.Name == name {
			return d, nil
		}
	}
	if name != "" {
		return vendor.Dialect{}, rules.Errorf("the dialect %q is not known, expected one of %s", name, strings.Join(Names(), ", "))
	}
	if err := UnsupportedErr(rules); err != nil {
		return vendor.Dialect{}, err
	}
	return vendor.Dialect{}, rules.Errorf("the vendor of the rules cannot be recognised, expected %s", Titles())
}

// Default returns the dialect and the rules for a run that places players on servers but has no
// rules file.
func Default() (vendor.Dialect, jsontree.Value, error) {
	for _, d := range All() {
		if d.Default != "" {
			root, err := jsontree.Parse("rules", []byte(d.Default))
			return d, root, err
		}
	}
	panic("dialect: no dialect has default rules")
}
