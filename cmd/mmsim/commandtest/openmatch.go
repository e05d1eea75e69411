package commandtest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// OpenMatch is a match function of Open Match 2 that reads and writes the wire format by field
// numbers. It makes matches of the first tickets of each pool, and puts each match in the
// datacenter "here". The first argument is "teams", to give each ticket its own roster, or the
// name of a fault, which then occurs in the third call. The second argument is the number of
// tickets in a match.
func OpenMatch() {
	wants, calls := os.Args[1], 0
	size, _ := strconv.Atoi(os.Args[2])
	ServeStreams(func(method string, s Stream) error {
		if method != "/open_match2.MatchMakingFunctionService/Run" {
			return fmt.Errorf("got method %s, want Run", method)
		}
		if calls++; calls >= 3 {
			if err, is := wrong(wants, s, Bytes(nil, 1, Bytes(nil, 1, make([]byte, 1<<16)))); is {
				return err
			}
		}
		pools, chunks := map[string][]string{}, 0
		for message := s.Next(); message != nil; message = s.Next() {
			request := Parse(message)
			if len(message) >= 4<<20 {
				return fmt.Errorf("got a message of %d bytes, want less than 4 MiB", len(message))
			}
			for name, pool := range request.In(1).Map(2) {
				for _, ticket := range Parse(pool.Bytes).In(6)[3] {
					pools[name] = append(pools[name], Parse(ticket.Bytes).Text(1))
				}
			}
			if chunks++; chunks == int(request[2][0].Bits) {
				break
			}
		}
		for _, ids := range pools {
			for ; len(ids) >= size; ids = ids[size:] {
				if err := s.SendMsg(Bytes(nil, 1, openMatch(wants, ids[:size]))); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// openMatch returns a match of tickets.
func openMatch(wants string, ids []string) []byte {
	match := Bytes(nil, 1, []byte("match of "+strings.Join(ids, ", ")))
	roster := func(name string, ids []string) {
		r := Bytes(nil, 1, []byte(name))
		r = Bytes(r, 2, Bytes(nil, 1, []byte("here"))) // the assignment
		for _, id := range ids {
			r = Bytes(r, 3, Bytes(nil, 1, []byte(id)))
		}
		match = Bytes(match, 2, Bytes(Bytes(nil, 1, []byte(name)), 2, r))
	}
	if wants != "teams" {
		roster("all", ids)
		return match
	}
	for i := range ids {
		roster(fmt.Sprint("team ", i), ids[i:i+1])
	}
	return match
}
