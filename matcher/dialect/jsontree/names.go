package jsontree

import "strings"

// Identity returns the name of the member that identifies the objects in lists, such as "name" in
// lists of rules. Every object must have the member with a text as its value, and in a list
// these texts must differ. If several members qualify, Identity prefers "name" in any letter case,
// and otherwise the first one in the first object. It returns "" if no member qualifies or if a
// list is empty.
func Identity(lists ...[]Value) string {
	identity := ""
	for _, list := range lists {
		if len(list) == 0 {
			return ""
		}
	}
	for _, m := range lists[0][0].members {
		isName := strings.EqualFold(m.Name, "name")
		if (identity == "" || isName) && isIdentity(lists, m.Name) {
			if identity = m.Name; isName {
				break
			}
		}
	}
	return identity
}

func isIdentity(lists [][]Value, key string) bool {
	for _, list := range lists {
		seen := map[string]bool{}
		for _, element := range list {
			m, has := element.Member(key)
			if !has || m.kind != Text || seen[m.text] {
				return false
			}
			seen[m.text] = true
		}
	}
	return true
}

// Named returns the objects in a list as members. The name of an object is the text of its own
// member with the given key.
func Named(list []Value, key string) []Member {
	members := make([]Member, len(list))
	for i, element := range list {
		m, _ := element.Member(key)
		members[i] = Member{Name: m.text, Value: element, start: element.start}
	}
	return members
}
