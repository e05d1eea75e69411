// Command mmsim replays a day of geo-distributed joins through a matchmaking
// configuration on a virtual clock and reports waits, RTTs and matches.
//
// This is the only package of the project that knows arguments, files by name,
// the terminal, the wall clock and exit codes, and the only place where the
// other rooms meet: datasets and latencymap are adapted here to what sim asks for.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
