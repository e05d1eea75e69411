// Package seating forms matches by matcher.SeatRules: expressions over named teams.
//
// A Search seats tickets around an anchor, one after the other. What an expression gives
// for a group that others may still join is a range of values (package expression), and a
// rule over ranges holds, fails or is open (rules.go). A ticket is not seated where some
// rule then fails for every match that the group may become. That needs no rule to be
// monotone: "not" turns failing into holding and leaves open what is open.
//
// Rules that say something of two tickets by themselves also narrow the candidates in the
// index (narrow.go): texts that all share, regions, and numbers at most so far apart. A
// search ends early where those who may still join are too few for such rules together
// (quick.go), or have too few who hold a text that teams need (quota.go).
package seating
