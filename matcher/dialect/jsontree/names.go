package jsontree

import "strings"

// Identity returns the name of the member that identifies the objects of a list, such as
// "name" in a list of rules: every object in all of the lists has the member, its value is a
// text, and no two objects of the same list have the same text. Identity prefers "name" in any
// letter case. Otherwise it takes the first such member of the first object. It returns "" if
// there is none or a list is empty.
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

// Named returns the objects of a list as members, each under the text of its member key.
func Named(list []Value, key string) []Member {
	members := make([]Member, len(list))
	for i, element := range list {
		m, _ := element.Member(key)
		members[i] = Member{Name: m.text, Value: element, start: element.start}
	}
	return members
}
