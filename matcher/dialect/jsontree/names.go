package jsontree

import "strings"

// Identity returns the name of a member whose text distinguishes the objects of each list,
// such as the name of a rule. It prefers "name"; otherwise it is the first member of the first
// object that every object has and that differs within each list; "" if there is none.
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

// Named lists the objects of a list by the text of one member.
func Named(list []Value, key string) []Member {
	members := make([]Member, len(list))
	for i, element := range list {
		m, _ := element.Member(key)
		members[i] = Member{Name: m.text, Value: element, start: element.start}
	}
	return members
}
