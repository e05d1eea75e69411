// Package accelbyte compiles AccelByte (AGS) match rulesets into rulesets of the engine. It accepts
// the JSON that the service exports or that its documentation shows.
//
// Like the service, they ignore
// the letter case of keys. If the service would refuse the input, they return an error that names
// the field, and they report all errors together. If the service would ignore a part of the input,
// they return a warning. Role combinations and sub game modes are not supported and are errors.
// [Ruleset.Lint] warns of entries that are valid but cannot have the intended effect.
//
// A [Ruleset] also converts tickets, players and sessions from JSON to the values that its rules
// read.
//
// The service does not always behave as its documentation says. CompileOptions.Follow selects one of the
// two, and a warning describes each difference that may matter for a ruleset:
//
//   - By default, a ruleset behaves as the service does. The engine admits candidates one after
//     another (matcher.InTurn), checks match_options again for the complete match, and discards the
//     whole match if one of them fails. Only the key spellings of the service count
//     (normalizationMax, isForBalancing).
//   - If rules follow the documentation, a candidate must satisfy match_options together with all
//     tickets already in the match. A ticket that finds no match never delays other tickets, as it
//     can in the service. Both key spellings count (also max and is_for_balancing).
//
// The service stops a pass after a time limit. This package has no time limit, so results do not
// depend on the speed of the machine.
package accelbyte
