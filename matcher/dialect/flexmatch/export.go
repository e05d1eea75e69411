package flexmatch

import (
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// bodyMember is the member of an export that contains a rule set, as a text.
const bodyMember = "RuleSetBody"

// exported returns the rule sets in a document as the service's API returns them: the list RuleSets
// of describe-matchmaking-rule-sets, the single RuleSet of create-matchmaking-rule-set, or one of
// its rule sets alone. It returns nil for any other document.
func exported(root jsontree.Value) []jsontree.Value {
	if list, ok := root.Member("RuleSets"); ok {
		root = list
	}
	if set, ok := root.Member("RuleSet"); ok {
		root = set
	}
	list := root.Elements()
	if root.Kind() == jsontree.Struct {
		list = []jsontree.Value{root}
	}
	for _, set := range list {
		if _, ok := set.Member(bodyMember); !ok {
			return nil
		}
	}
	return list
}

// split lists the rule sets of a document.
func split(root jsontree.Value, problems *jsontree.Problems) []vendor.Ruleset {
	sets := exported(root)
	if len(sets) == 0 {
		name, _ := root.Member("name")
		return []vendor.Ruleset{{Name: name.Text(), Value: root}}
	}
	if root.Size() > bytesMax {
		problems.Add(jsontree.TooLarge(root.Position(), root.Size(), bytesMax))
		return nil
	}
	var list []vendor.Ruleset
	for _, v := range sets {
		o, _ := problems.Object(v, "")
		set := vendor.Ruleset{Name: o.TextOr("RuleSetName", o.TextOr("Name", ""))}
		o.Ignore("RuleSetArn", "CreationTime", "Tags")
		if set.Value, _ = o.Get(bodyMember); set.Value.Kind() == jsontree.Text {
			set.Value, set.Err = set.Value.Inner(bodyMember)
		}
		o.Done()
		list = append(list, set)
	}
	return list
}
