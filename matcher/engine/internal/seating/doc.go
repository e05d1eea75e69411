// Package seating forms matches by matcher.SeatRules: expressions over named teams.
//
// A Search seats tickets around an anchor, one after another. For a group that others may still
// join, an expression gives a range of values (package expression), and a rule over ranges
// holds, fails or is open (rules.go). A ticket is not seated if some rule then fails for every
// match that the group may become. This works for all rules, monotone or not: "not" turns
// failing into holding and leaves open what is open.
//
// Rules about two tickets alone also narrow the candidates in the index (narrow.go): texts that
// all players share, regions, and numbers with a largest difference. A search ends early if too
// few of the remaining candidates satisfy such rules together (quick.go), or too few have a
// text that teams need (quota.go). Averages and sums are bounds on weighted sums for each of the
// sizes that the teams may have: a ticket may join if for some sizes the remaining candidates
// can still bring all sums within their bounds.
package seating
