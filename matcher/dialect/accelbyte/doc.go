// Package accelbyte compiles AccelByte (AGS) match rulesets, exactly as the service
// exports them or its documentation prints them, into rulesets of the engine.
//
// [Read] takes the text of a file, [Compile] a parsed tree. Like the service, they ignore the
// letter case of keys. Input that the service would refuse is an error that names the field; all
// errors are reported together. Input that the service would ignore is a warning. Role
// combinations and sub game modes are not supported and are errors. [Ruleset.Lint] warns of
// entries that are valid but cannot have the intended effect.
//
// A [Ruleset] also reads the data for its rules from the JSON of tickets, players and sessions.
//
// The documentation and the released code of the service differ. Options.Follow selects one of
// the two, and a warning lists each difference that may matter for a ruleset:
//
//   - By default a ruleset behaves as the service. A matcher.Scan admits candidates one after
//     another. Options are checked again in the complete match, and the whole match is
//     discarded if one fails. Only the service's spellings of keys count (normalizationMax,
//     isForBalancing).
//   - If the documentation is followed, a ticket without a match never delays other tickets,
//     and each ticket that joins a match must satisfy the options together with the tickets
//     already in it. Both spellings of keys count (max and is_for_balancing too).
//
// The service stops a pass after a time limit; this package has no such limit, so results do
// not depend on the speed of the machine.
package accelbyte
