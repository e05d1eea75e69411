// Package accelbyte compiles AccelByte (AGS) match rulesets, exactly as the service
// exports them or its documentation prints them, into rulesets of the engine.
//
// [Read] takes the text of a file, [Compile] a tree that was read already. Letter
// case of keys does not count, as at the service; both spellings of a key that the
// documentation and the service write differently are known (max and
// normalizationMax, is_for_balancing and isForBalancing). What the service would
// refuse is an error that names the field; all of them are found in one go. What it
// would ignore is a warning. Role combinations and sub game modes are refused by
// name. [Ruleset.Lint] looks for what loads and yet cannot do what it was written
// for.
//
// A [Ruleset] also reads what its rules look at out of the JSON of tickets, players
// and sessions.
//
// Where documentation and the service's released code differ, Options.Follow chooses, and
// each ruleset can list the points. By default the service is followed: a Scan admits
// candidates one after another, and an option that fails in the end costs the whole match.
// Where the documentation is followed, a ticket that finds nothing never holds up others,
// and an option is a condition on all tickets of a match, checked as they join. Nothing
// depends on the speed of a machine in either.
package accelbyte
