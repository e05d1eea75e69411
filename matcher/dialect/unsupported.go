package dialect

import (
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// unsupported describes files of services whose rules mmsim does not read, so that the error for such a
// file names the service.
type unsupported struct {
	title, advice string
	// isOne reports whether a document looks like such a file.
	isOne func(root jsontree.Value) bool
}

// unsupportedServices lists the services in the order in which a document is compared with them.
var unsupportedServices = []unsupported{
	{
		title:  "a queue or a pool of Unity Matchmaker",
		advice: "write its rules as a FlexMatch rule set, which also has teams, differences and relaxations, or run a matchmaker of your own with matcher.external (--matcher)",
		isOne: func(root jsontree.Value) bool {
			return vendor.HasMember(root, "matchDefinition", "MatchDefinition", "matchLogic", "defaultPool", "filteredPools", "defaultQueueName", "maxPlayersPerTicket")
		},
	},
	{
		title:  "a session or a search of Epic Online Services",
		advice: "such a game searches for sessions itself, so run its search as a matchmaker of your own with matcher.external (--matcher)",
		isOne: func(root jsontree.Value) bool {
			if sessions, _ := root.Member("sessions"); len(sessions.Elements()) > 0 {
				root = sessions.Elements()[0]
			}
			return vendor.HasMember(root, "minCurrentPlayers", "publicData", "openPublicPlayers", "BucketId", "bucketId") || vendor.HasMember(root, "deployment") && vendor.HasMember(root, "bucket", "settings", "criteria")
		},
	},
	{
		title:  "a profile or a ticket of Open Match",
		advice: "the rules are in the match function, so name it with matcher.external (--matcher openmatch2:HOST:PORT), and write the profile in the file of matcher.profiles (--profiles)",
		isOne: func(root jsontree.Value) bool {
			if list, _ := root.Member("profiles"); len(list.Elements()) > 0 {
				root = list.Elements()[0]
			}
			return vendor.HasMember(root, "profile", "pools", "searchFields", "search_fields", "tag_present_filters", "tagPresentFilters",
				"double_range_filters", "doubleRangeFilters", "string_equals_filters", "stringEqualsFilters")
		},
	},
}

// UnsupportedErr returns an error that names the service whose file a document seems to be, or nil if it
// does not look like a file of a service whose rules mmsim does not read.
func UnsupportedErr(root jsontree.Value) error {
	f := unsupportedOf(root)
	if f == nil {
		return nil
	}
	return root.Errorf("this seems to be %s, not %s: %s", f.title, Titles(), f.advice)
}

// unsupportedOf returns the service whose file a document seems to be, or nil. It looks at the first
// element of a list.
func unsupportedOf(root jsontree.Value) *unsupported {
	if list := root.Elements(); len(list) > 0 {
		root = list[0]
	}
	for i := range unsupportedServices {
		if unsupportedServices[i].isOne(root) {
			return &unsupportedServices[i]
		}
	}
	return nil
}
