package dialect

import "mmsim/matcher/dialect/jsontree"

// foreign describes files of services whose rules mmsim does not read, so that the error for such a
// file names the service.
type foreign struct {
	title, advice string
	// isOne reports whether a document looks like such a file.
	isOne func(root jsontree.Value) bool
}

// foreigners lists the services in the order in which a document is compared with them.
var foreigners = []foreign{
	{
		title:  "a queue or a pool of Unity Matchmaker",
		advice: "write its rules in one of these formats (FlexMatch has teams, differences and relaxations too), or give a matchmaker of your own with matcher.external",
		isOne: func(root jsontree.Value) bool {
			return has(root, "matchDefinition", "MatchDefinition", "matchLogic", "defaultPool", "filteredPools", "defaultQueueName", "maxPlayersPerTicket")
		},
	},
	{
		title:  "a session or a search of Epic Online Services, which have no rules for matches",
		advice: "your game searches for sessions itself, so write what it does as a matchmaker of your own (matcher.external)",
		isOne: func(root jsontree.Value) bool {
			return has(root, "minCurrentPlayers", "publicData", "openPublicPlayers", "BucketId", "bucketId") || has(root, "deployment") && has(root, "bucket", "settings", "criteria")
		},
	},
	{
		title:  "a profile of Open Match, whose rules are in its match function",
		advice: "name this file with matcher.profiles (--profiles), and the match function with matcher.external (--matcher openmatch2:…)",
		isOne: func(root jsontree.Value) bool {
			pools, _ := root.Member("pools")
			if list := pools.Elements(); len(list) > 0 {
				return isPool(list[0])
			}
			if list := pools.Members(); len(list) > 0 {
				return isPool(list[0].Value)
			}
			return has(root, "profile", "searchFields", "search_fields") || isPool(root)
		},
	},
}

// isPool reports whether a value looks like a pool of Open Match.
func isPool(v jsontree.Value) bool {
	return has(v, "tag_present_filters", "tagPresentFilters", "double_range_filters", "doubleRangeFilters", "string_equals_filters", "stringEqualsFilters")
}

// has reports whether an object has a member with one of the names.
func has(v jsontree.Value, names ...string) bool {
	for _, name := range names {
		if _, ok := v.Member(name); ok {
			return true
		}
	}
	return false
}

// foreignOf returns the service whose file a document seems to be, or nil. It looks at the first
// element of a list.
func foreignOf(root jsontree.Value) *foreign {
	if list := root.Elements(); len(list) > 0 {
		root = list[0]
	}
	for i := range foreigners {
		if foreigners[i].isOne(root) {
			return &foreigners[i]
		}
	}
	return nil
}
