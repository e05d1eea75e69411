// Package accelbyte compiles AccelByte (AGS) match rulesets, exactly as the service
// exports them or its documentation prints them, into rulesets of the engine.
//
// [Read] takes the text of a file, [Compile] a parsed tree. Letter case of keys is ignored, as
// by the service. If the documentation and the service spell a key differently, both spellings
// are known (max and normalizationMax, is_for_balancing and isForBalancing). Input that the
// service would refuse is an error that names the field; all errors are reported together.
// Input that the service would ignore is a warning. Role combinations and sub game modes are
// refused. [Ruleset.Lint] finds entries that are valid but cannot have the intended effect.
//
// A [Ruleset] also reads the data for its rules from the JSON of tickets, players and sessions.
//
// If the documentation and the service's released code differ, Options.Follow selects one, and
// each ruleset can list the differences. By default the service is followed: a matcher.Scan
// admits candidates one after another, and an option that fails at the end discards the whole
// match. If the documentation is followed, a ticket without a match never delays others, and
// an option is a condition on all tickets of a match, checked as they join. Neither depends on
// the speed of the machine.
package accelbyte
