// Package ticketlog reads what a production matchmaker logged about its tickets, and says which
// players joined, who came back after a match, and how each search ended.
//
//	files of tickets (joinfile.Sheet) ┐               ┌─► Log.Day: the joins, without names
//	events of FlexMatch ──────────────┼─► Reader ─► Log ─► Log.Searches, Log.MatchLengths: what is fitted
//	files of players and matches ─────┘               └─► Log.Counts: what was read and left out
//
// A Reader reads its files as streams, in any order of rows and events. It keeps a hash of 64 bits
// of each name, never the name itself, and about 100 bytes a ticket, apart from the values of
// attributes. With 10 million tickets, two names have the same hash with a probability of 3 in a
// million. Errors name a file and a line, never a ticket, player or match.
//
// These rules apply:
//
//   - A ticket without an end is still searching at its last event. If the log goes on for more than
//     the session gap after it, its end was lost.
//   - If a player has a ticket while another one is open, the earlier ticket is cut there.
//   - A search is a return if one of its players finished a match at most the session gap before,
//     and did not search since. Otherwise its players join.
//   - A ticket id that begins again after its end is another ticket.
//   - With Options.Queues, all players of a ticket and all tickets of a match are in one queue.
//   - Only searches that begin in the window count. All others tell what is a return.
package ticketlog
