// Package seating forms matches by matcher.SeatRules: expressions over named teams.
//
// A Search seats tickets around an anchor, one after another. While others may still join a
// group, the value of an expression is not known, only its range (package expression), so a
// rule holds, fails or is still open (rules.go). A ticket is not seated if a rule would then
// fail however the group is completed. This works for all rules, monotone or not: "not" turns
// failing into holding and leaves open what is open.
//
// Rules that compare only two tickets also narrow the candidates in the index (narrow.go): texts
// that all players must share, regions, and limits on the difference between numbers. A search
// ends early if too few of the remaining candidates satisfy such rules together (quick.go), or
// too few have a text of which teams need a number of players (quota.go).
//
// Rules about averages and sums are checked for every combination of team sizes that is still
// possible: for given sizes, each becomes a bound on a weighted sum. A ticket may join if, for
// at least one combination, the remaining candidates can still bring all sums within bounds.
package seating
