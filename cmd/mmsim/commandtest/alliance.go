package commandtest

import (
	"encoding/json"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// alliance is the number of teams and of players in each team.
type alliance struct {
	MinTeams   int `json:"min_number"`
	MaxTeams   int `json:"max_number"`
	MinPlayers int `json:"player_min_number"`
	MaxPlayers int `json:"player_max_number"`
}

// allianceOf returns the alliance in the text of an AccelByte ruleset.
func allianceOf(rules string) alliance {
	var set struct{ Alliance alliance }
	_ = json.Unmarshal([]byte(rules), &set) // other rules have no alliance
	return set.Alliance
}

// makeMatches makes matches of single players.
func (a *alliance) makeMatches(s Stream, wants string, tickets [][]byte) error {
	least, most := a.MinTeams*a.MinPlayers, a.MaxTeams*a.MaxPlayers
	for len(tickets) >= least {
		size := least
		if wants == "template" && len(tickets) >= most {
			size = most
		}
		var match []byte
		for _, t := range tickets[:size] {
			match = Bytes(match, 1, t)
		}
		teams, place := a.MinTeams, region
		if wants == "template" {
			teams, place = 1, "any"
		}
		for team := range teams {
			match = Bytes(match, 2, addAll(nil, tickets[team*size/teams:(team+1)*size/teams]))
		}
		if err := s.SendMsg(Bytes(nil, 1, Bytes(match, 3, []byte(place)))); err != nil {
			return err
		}
		tickets = tickets[size:]
	}
	return nil
}

// addAll appends the players of tickets to a team.
func addAll(team []byte, tickets [][]byte) []byte {
	for _, t := range tickets {
		team = Bytes(team, 1, []byte(Parse(t).In(4).Text(1)))
	}
	return team
}

// backfill adds a single player to each session.
func (a *alliance) backfill(s Stream, wants string, tickets, sessions [][]byte) error {
	for _, session := range sessions {
		teams := Parse(session).In(4)[2]
		if wants == "alliance" {
			smallest := 0
			for i, team := range teams {
				if len(Parse(team.Bytes)[1]) < len(Parse(teams[smallest].Bytes)[1]) {
					smallest = i
				}
			}
			if len(Parse(teams[smallest].Bytes)[1]) >= a.MaxPlayers || len(tickets) == 0 {
				continue
			}
			teams[smallest].Bytes = addAll(slices.Clone(teams[smallest].Bytes), tickets[:1])
		} else if len(tickets) > 0 {
			teams = append(teams, Field{Bytes: addAll(nil, tickets[:1])})
		} else {
			if err := s.SendMsg(Bytes(nil, 1, nil)); err != nil { // an empty proposal
				return err
			}
			continue
		}
		proposal := Bytes(Bytes(nil, 1, []byte(Parse(session).Text(1))), 3, tickets[0])
		for _, team := range teams {
			proposal = Bytes(proposal, 4, team.Bytes)
		}
		if err := s.SendMsg(Bytes(nil, protowire.Number(1), proposal)); err != nil {
			return err
		}
		tickets = tickets[1:]
	}
	return nil
}
