package result

import (
	"math"
	"strings"
	"testing"

	"mmsim/reports/outcome"
)

// Of production, groups of 1 to 19 matched players are left out. Hours and datacenters stay in their lists.
func TestConcealed(t *testing.T) {
	served := func(players outcome.Count) outcome.Served {
		return outcome.Served{Players: players, WaitMean: 7, RTTMean: 40}
	}
	s := &outcome.Summary{
		ByContinent:       outcome.Groups{{Name: "EU", Served: served(20), Entries: 25}, {Name: "AS", Served: served(19), Entries: 90}, {Name: "OC", Entries: 1}},
		ByPartySize:       outcome.Groups{{Name: "1", Served: served(300)}, {Name: "2", Served: served(2)}},
		ByHour:            []outcome.Group{{Served: served(19), Entries: 40}, {Served: served(20), Entries: 40}, {}},
		ByDatacenter:      outcome.Datacenters{{Name: "dublin", Served: served(1)}, {Name: "tokyo", Served: served(20)}},
		ByAttributeDecile: outcome.Deciles{{Name: "mmr", Deciles: []outcome.Decile{{Group: outcome.Group{Served: served(20)}}, {Group: outcome.Group{Served: served(19)}}}}, {Name: "elo", Deciles: []outcome.Decile{{Group: outcome.Group{Served: served(20)}}}}},
	}
	if ConcealedSummary(s) != s {
		t.Error("a simulation is concealed, want it as it is")
	}
	s.Run.Production = true
	c := ConcealedSummary(s)
	if len(c.ByContinent) != 1 || c.ByContinent[0].Name != "EU" || len(c.ByPartySize) != 1 || c.ByPartySize[0].Name != "1" || len(c.ByAttributeDecile) != 1 || c.ByAttributeDecile[0].Name != "elo" {
		t.Errorf("got %+v, %+v and %+v, want only EU, size 1 and elo", c.ByContinent, c.ByPartySize, c.ByAttributeDecile)
	}
	if h := c.ByHour; len(h) != 3 || h[0].Players != 0 || h[0].Entries != 0 || !math.IsNaN(float64(h[0].WaitMean)) || h[1].WaitMean != 7 {
		t.Errorf("got hours %+v, want the first empty and the second as it is", h)
	}
	if d := c.ByDatacenter; len(d) != 2 || d[0].Name != "dublin" || d[0].Players != 0 || !math.IsNaN(float64(d[0].RTTMean)) || d[1].Players != 20 {
		t.Errorf("got datacenters %+v, want the first empty and the second as it is", d)
	}
	if len(s.ByContinent) != 3 || s.ByHour[0].Players != 19 || s.ByDatacenter[0].Players != 1 {
		t.Error("the summary itself changed")
	}
}

// Every list of groups of players is left out of reports about production if they are small, and is a
// group in statistics. A new one is named here when ConcealedSummary and outcome.IsGroup know it.
func TestGroupsOfPlayersAreConcealed(t *testing.T) {
	concealed := map[string]bool{"by_continent": true, "by_party_size": true, "by_hour": true, "by_datacenter": true, "by_attribute_decile": true}
	for _, m := range outcome.Metrics() {
		list, item, found := strings.Cut(m.Name, ".*")
		if !found || !strings.HasSuffix(item, ".players") || list == "queues" {
			continue
		}
		if !concealed[list] || !outcome.IsGroup(m.Name) {
			t.Errorf("%s counts players of a list: want it in ConcealedSummary, and a group for outcome.IsGroup", m.Name)
		}
	}
}
