// Package binding connects the queues of one replication to its data and to the programs around it:
//
//   - rules of matches (Bind): the player attribute that each rule reads, and the datacenters of each
//     region; package newcase and mmsim validate use suggest.go to name attributes that are missing
//   - rules that place players on game servers (NewPlacing): the attributes that they read of players,
//     and those that servers start with
//   - external matchmakers (OpenMatchmaker), and how long they take to answer
//   - captures (Capture): one matching pass, written as a test case for the rules
//   - searches of players who are already busy (NewOverlaps)
package binding
