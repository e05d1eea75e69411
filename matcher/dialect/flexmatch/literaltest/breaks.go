package literaltest

import "strings"

// TeamSizes is in the result of Breaks if a team has a wrong size.
const TeamSizes = "team sizes"

// Breaks returns the names of the rules that a match in a region breaks, in the order of the file.
// If a team has a wrong size, it appends TeamSizes. The parameter match lists the parties of each
// team.
func (t *Rules) Breaks(match [][]Party, region string) (names []string) {
	t.SetMatch(match)
	for _, r := range t.enforced() {
		holds := t.holds(r)
		for _, latency := range t.needed(r) {
			holds = holds && t.Reaches(latency, region)
		}
		if !holds {
			names = append(names, r["name"].(string))
		}
	}
	if !t.sized(match) {
		names = append(names, TeamSizes)
	}
	return names
}

// needed returns the latency rules that must hold if rule r holds, which may include r.
func (t *Rules) needed(r map[string]any) (list []map[string]any) {
	var read func(text string)
	read = func(text string) {
		operator, rest, ok := strings.Cut(strings.TrimSpace(text), "(")
		if !ok {
			list = append(list, t.needed(t.rule(operator))...)
		} else if operator == "and" {
			for _, part := range parts(strings.TrimSuffix(rest, ")")) {
				read(part)
			}
		}
	}
	switch r["type"] {
	case "latency":
		return []map[string]any{r}
	case "compound":
		read(r["statement"].(string))
	}
	return list
}

// sized reports whether every team of a match has an allowed number of players.
func (t *Rules) sized(match [][]Party) bool {
	for i, team := range t.Teams {
		n := 0.0
		for _, p := range match[i] {
			n += float64(len(p.Players))
		}
		if n < number(t.property("teams", team.entry, "minPlayers", team.Min)) || n > number(t.property("teams", team.entry, "maxPlayers", team.Max)) {
			return false
		}
	}
	return true
}

// enforced returns the rules to which no compound rule refers.
func (t *Rules) enforced() (list []map[string]any) {
	named := map[string]bool{}
	for _, r := range Objects(t.JSON["rules"]) {
		if s, ok := r["statement"].(string); ok {
			for word := range strings.FieldsFuncSeq(s, func(c rune) bool { return strings.ContainsRune("(), ", c) }) {
				named[word] = true
			}
		}
	}
	for _, r := range Objects(t.JSON["rules"]) {
		if !named[r["name"].(string)] {
			list = append(list, r)
		}
	}
	return list
}
