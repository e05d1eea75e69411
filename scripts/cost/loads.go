package main

// load is a ruleset and the players who are matched under it.
type load struct {
	name    string
	rules   string // the ruleset's file, or a case file that contains it, relative to the repository
	size    int    // number of players of the ruleset's largest match
	parties string // value of players.parties, or "" for solo players
	reads   []string
	set     []string // further settings that only the run with the ruleset has
}

// Party sizes of games with small teams and with squads of four.
const (
	pairs  = "{1: 0.8, 2: 0.2}"
	squads = "{1: 0.5, 2: 0.25, 3: 0.1, 4: 0.15}"
)

// attributes maps the name of an attribute to its generator.
var attributes = map[string]string{
	"mmr":        "{normal: {mean: 1500, sd: 300, min: 0, max: 3000}}",
	"skill":      "{normal: {mean: 1500, sd: 300, min: 0, max: 3000}}",
	"Skill":      "{normal: {mean: 0.5, sd: 0.15, min: 0, max: 1}}",
	"level":      "{uniform: {min: 1, max: 60}}",
	"rating":     "{normal: {mean: 100, sd: 20, min: 0, max: 200}}",
	"build":      `{choice: {"1.4": 0.9, "1.5": 0.1}}`,
	"mode":       "{choice: {duel: 0.3, rush: 0.5, siege: 0.2}}",
	"maps":       "{subset: {of: [canyon, dust, harbour, mill], min: 1, max: 3}}",
	"role":       "{choice: {fighter: 0.6, tank: 0.25, healer: 0.15}, per: player}",
	"GameMode":   "{subset: {of: [ctf, koth, slayer], min: 1, max: 2}}",
	"DeviceType": "{choice: {xbox: 0.6, pc: 0.4}}",
	"wantsBoss":  "{choice: {0: 0.65, 1: 0.35}, kind: number}",
	"language":   "{by_country: {BR: pt, FR: fr, JP: ja, MX: es, default: en}}",
	"friends":    "{graph: {mean: 20, same_continent: 0.9}}",

	"playHistory":     "{lognormal: {median: 120, sigma: 1.5, max: 40320}}",
	"wantedBossSkill": "{normal: {mean: 1400, sd: 200}}",
	"cross_platform":  "{choice: {console: 0.6, pc: 0.4}}",
}

// page selects AccelByte's documentation where its service differs.
var page = []string{"matcher.follow=page"}

const (
	own       = "scripts/cost/rulesets/"
	gallery   = "cmd/mmsim/gallery/"
	playfab   = "matcher/dialect/playfab/testdata/cases/"
	accelbyte = "matcher/dialect/accelbyte/testdata/cases/"
	flexmatch = "matcher/dialect/flexmatch/testdata/cases/"
	roblox    = "matcher/dialect/roblox/testdata/cases/"
)

// loads lists rulesets as people write them. Those in case files are examples of the vendors' pages.
// An AccelByte ruleset is read twice: as the service reads it, and as its documentation says.
//
// These rulesets cost more than ratioMax allows. For each: the ratio, where a profile of the run finds the
// time, why, and what may help.
//
//   - flexmatch/boss, 7.7: 38 percent in seating.Search.Run, of which 12 compare the boss's skill with what
//     hunters want and 5 list the candidates of a search; 10 ask whether a new ticket may meet a seed. No rule
//     excludes a ticket in the candidate index, so every search looks at all who wait. An index by number for
//     comparisons of an average with a maximum may help.
//   - flexmatch/six-rules, 6.2: 31 percent in seating.Search.Run, of which 17 try one group after another and 9
//     list the candidates that may join the seed; 9 count players in the index. The rules about averages of teams
//     exclude neither tickets nor pairs, so the index finds enough players for searches that fail.
//   - flexmatch/backfill, 5.1: 28 percent in seating.Search.Run, of which 9 compute sums of layouts, and 8 to open
//     sessions. A match that changes becomes a new session, so all its players are loaded again. Updating the
//     session may help.
//   - playfab/six-rules, 3.9: 13 percent in clique.Search.Core, half of it to compare each pair of a seed's
//     candidates. These comparisons begin anew for every seed and pass. Keeping their results may help.
//   - accelbyte-page/options, 3.8, and accelbyte/options, 3.3: 19 percent start the queries of seeds, 7 count
//     players by value. Every seed needs a query in a pass with any fresh ticket, even if no fresh ticket is
//     near the seed. Finding the seeds near fresh tickets first may help, as seats.invalidate does for FlexMatch.
//   - flexmatch/trios, 3.3: 28 percent in seating.Search.extend, of which 13 compute the sums of 15 layouts of
//     team sizes. Each ticket that joins changes which numbers may still join, so the sums are computed anew.
var loads = []load{
	{name: "playfab/duel", rules: own + "playfab-duel.json", size: 2, reads: []string{"mmr"}},
	{name: "playfab/ffa-skill", rules: playfab + "example-skill-ffa-expanded.json", size: 4, reads: []string{"Skill"}},
	{name: "playfab/cross-mode", rules: playfab + "example-cross-mode-search.json", size: 4, reads: []string{"GameMode"}},
	{name: "playfab/4v4", rules: playfab + "example-4v4-balanced.json", size: 8, parties: pairs, reads: []string{"Skill"}},
	{name: "playfab/ranked", rules: gallery + "playfab/queue.json", size: 10, reads: []string{"mmr", "build"}},
	{name: "playfab/ranked-parties", rules: gallery + "queues/ranked.json", size: 10, parties: pairs, reads: []string{"mmr"}},
	{name: "playfab/six-rules", rules: own + "playfab-six-rules.json", size: 10, parties: pairs, reads: []string{"mmr", "level", "build", "maps"}},
	{name: "playfab/12v12", rules: playfab + "example-12v12-premade-vs-fives.json", size: 24, parties: squads, reads: []string{"Skill"}},
	{name: "playfab/cross-device", rules: playfab + "example-cross-device.json", size: 32, reads: []string{"DeviceType"}},
	{name: "playfab/royale-teams", rules: playfab + "example-battle-royale-teams.json", size: 32, parties: squads},
	{name: "playfab/battle-royale", rules: gallery + "battle-royale/queue.json", size: 60, parties: squads},
	{name: "playfab/hundred", rules: own + "playfab-hundred.json", size: 100, parties: squads, reads: []string{"build"}},

	{name: "accelbyte/duel", rules: own + "accelbyte-duel.json", size: 2, reads: []string{"mmr"}},
	{name: "accelbyte-page/duel", rules: own + "accelbyte-duel.json", size: 2, reads: []string{"mmr"}, set: page},
	{name: "accelbyte/regions", rules: accelbyte + "region-doc-example-15s.json", size: 2},
	{name: "accelbyte-page/regions", rules: accelbyte + "region-doc-example-15s.json", size: 2, set: page},
	{name: "accelbyte/co-op", rules: gallery + "co-op/ruleset.json", size: 4, parties: pairs, reads: []string{"level"}},
	{name: "accelbyte-page/co-op", rules: gallery + "co-op/ruleset.json", size: 4, parties: pairs, reads: []string{"level"}, set: page},
	{name: "accelbyte/co-op-rules", rules: accelbyte + "coop-two-attributes-match.json", size: 4, reads: []string{"level", "rating"}},
	{name: "accelbyte-page/co-op-rules", rules: accelbyte + "coop-two-attributes-match.json", size: 4, reads: []string{"level", "rating"}, set: page},
	{name: "accelbyte/crossplay", rules: accelbyte + "option-crossplay-4v4-all-same.json", size: 8, reads: []string{"cross_platform"}},
	{name: "accelbyte-page/crossplay", rules: accelbyte + "option-crossplay-4v4-all-same.json", size: 8, reads: []string{"cross_platform"}, set: page},
	{name: "accelbyte/ranked", rules: gallery + "accelbyte/ruleset.json", size: 10, parties: pairs, reads: []string{"mmr"}},
	{name: "accelbyte-page/ranked", rules: gallery + "accelbyte/ruleset.json", size: 10, parties: pairs, reads: []string{"mmr"}, set: page},
	{name: "accelbyte/options", rules: own + "accelbyte-options.json", size: 10, parties: pairs, reads: []string{"mmr", "level", "mode", "maps"}},
	{name: "accelbyte-page/options", rules: own + "accelbyte-options.json", size: 10, parties: pairs, reads: []string{"mmr", "level", "mode", "maps"}, set: page},
	{name: "accelbyte/ffa25", rules: accelbyte + "ffa25-within-200.json", size: 25, reads: []string{"mmr"}},
	{name: "accelbyte-page/ffa25", rules: accelbyte + "ffa25-within-200.json", size: 25, reads: []string{"mmr"}, set: page},
	{name: "accelbyte/sixty", rules: own + "accelbyte-sixty.json", size: 60, parties: squads},
	{name: "accelbyte-page/sixty", rules: own + "accelbyte-sixty.json", size: 60, parties: squads, set: page},
	{name: "accelbyte/hundred", rules: own + "accelbyte-hundred.json", size: 100, parties: squads, reads: []string{"level"}},
	{name: "accelbyte-page/hundred", rules: own + "accelbyte-hundred.json", size: 100, parties: squads, reads: []string{"level"}, set: page},

	{name: "roblox/default", rules: roblox + "doc-default-configuration.json", size: 8, reads: []string{"language", "playHistory", "friends"}},
	{name: "roblox/friends-first", rules: gallery + "roblox/scoring.json", size: 20, reads: []string{"language", "playHistory", "friends"}},
	{name: "roblox/hundred", rules: own + "roblox-hundred.json", size: 100, parties: pairs, reads: []string{"language", "playHistory", "friends"}},

	{name: "flexmatch/duel", rules: own + "flexmatch-duel.json", size: 2, reads: []string{"skill"}},
	{name: "flexmatch/boss", rules: flexmatch + "asymmetric-teams-roles-and-skill.json", size: 3, reads: []string{"skill", "wantsBoss", "wantedBossSkill"}},
	{name: "flexmatch/equal-sizes", rules: flexmatch + "equal-team-sizes-leaves-odd-player.json", size: 4, parties: pairs},
	{name: "flexmatch/ranked", rules: gallery + "flexmatch/rules.json", size: 10, parties: pairs, reads: []string{"skill"}},
	{name: "flexmatch/backfill", rules: own + "flexmatch-trios.json", size: 15, reads: []string{"skill", "role"}, set: []string{"match.backfill=true"}},
	{name: "flexmatch/roles", rules: own + "flexmatch-roles.json", size: 10, reads: []string{"skill", "role"}},
	{name: "flexmatch/six-rules", rules: own + "flexmatch-six-rules.json", size: 10, parties: pairs, reads: []string{"skill", "level", "build", "maps"}},
	{name: "flexmatch/trios", rules: own + "flexmatch-trios.json", size: 15, parties: pairs, reads: []string{"skill", "role"}},
	{name: "flexmatch/large", rules: flexmatch + "large-match-minimums-met.json", size: 47, parties: pairs, reads: []string{"skill"}},
	{name: "flexmatch/sixty", rules: own + "flexmatch-sixty.json", size: 60, parties: squads, reads: []string{"skill"}},
	{name: "flexmatch/hundred", rules: own + "flexmatch-hundred.json", size: 100, parties: squads, reads: []string{"skill"}},
}
