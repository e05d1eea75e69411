package figure

import (
	"math"
	"strings"
	"testing"

	"mmsim/reports/chart"
	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// regional returns a day with the hours of three regions, one of which has too few players. Europe
// waits longest at 5:00, Africa has the highest RTTs at 3:00 and most searches without a match at 0:00.
func regional() *result.Result {
	r := resulttest.Synthetic(24, 6, 1_000_000)
	for _, code := range []string{"AF", "EU", "OC"} {
		for hour := range 24 {
			h := result.RegionHour{Continent: code, Hour: hour, Entries: 1000, Players: 1000, Waited: 1000, WaitMean: 1, RTTMean: 30}
			switch {
			case code == "OC":
				h.Players, h.Waited, h.WaitMean, h.RTTMean = 4, 4, 99, 999
			case code == "EU" && hour == 5:
				h.WaitMean = 7
			case code == "AF" && hour == 3:
				h.RTTMean = 120
			case code == "AF" && hour == 0:
				h.Players, h.Unmatched = 750, 250
			case code == "AF" && hour == 9:
				h.Players, h.Waited, h.WaitMean, h.RTTMean = 0, 0, outcome.Seconds(math.NaN()), outcome.Millis(math.NaN())
			}
			r.RegionHours = append(r.RegionHours, h)
		}
	}
	return r
}

// The title names the worst hour of a region for every measure that says something about the result.
func TestRegions(t *testing.T) {
	const wait, rtt, unmatched = "ongest waits in Europe at 05:00 (7.00 s)", "ighest RTTs in Africa at 03:00 (120 ms)", "ost unmatched in Africa at 00:00 (25.0 %)"
	servers, queues, matched, hour, before := regional(), regional(), regional(), regional(), regional()
	servers.Summary.Servers = &outcome.Servers{}
	queues.Summary.Queues = outcome.QueueList{{Name: "a"}, {Name: "b"}}
	for i := range matched.RegionHours {
		matched.RegionHours[i].Unmatched = 0
	}
	hour.Summary.Run.Duration, before.RegionHours = 3600, nil
	for _, test := range []struct {
		of   *result.Result
		want string
	}{
		{regional(), "L" + wait + ", h" + rtt + ", m" + unmatched}, {servers, "H" + rtt + ", m" + unmatched}, {queues, "M" + unmatched},
		{matched, "L" + wait + ", h" + rtt}, {hour, ""}, {before, ""},
	} {
		plots, got := plotRegions(test.of, nil), ""
		for i := range plots {
			got = plots[i].Title
		}
		if got != test.want {
			t.Errorf("got title %q, want %q", got, test.want)
		}
		checkTexts(t, plots)
	}
	if regions := regionsOf(regional().RegionHours); len(regions) != 2 || regions[0].code != "EU" || len(regions[1].hours) != 24 {
		t.Errorf("got regions %+v, want Europe, then Africa", regions)
	}
}

// The picture of searches without a match names the groups with the highest share of at least 1 % of
// all searches. It is absent if hardly any search ends without a match.
func TestUnmatched(t *testing.T) {
	if plots := plotUnmatched(resulttest.Article(), nil); len(plots) != 0 {
		t.Errorf("12 of 5 million players without a match: got %d pictures, want none", len(plots))
	}
	r := resulttest.Synthetic(24, 6, 1_000_000)
	s := &r.Summary
	s.Players.Failed = 250_000 // 20 % of 1,250,000
	s.ByContinent = outcome.Groups{
		{Name: "EU", Served: outcome.Served{Players: 900_000}, Losses: outcome.Losses{Failed: 100_000}},
		{Name: "AF", Served: outcome.Served{Players: 100_000}, Losses: outcome.Losses{Bots: 145_000, Rejected: 5_000}}, // 60 %
		{Name: "AN", Losses: outcome.Losses{Failed: 10}},                                                               // all, but too few
		{Name: "OC"},
	}
	s.ByHour[7].Failed, s.ByHour[7].Players = 30_000, 10_000 // 75 %
	attribute := outcome.AttributeDeciles{Name: "mmr"}
	for i := range 10 {
		attribute.Deciles = append(attribute.Deciles, outcome.Decile{From: outcome.Value(1000 + 100*i), To: outcome.Value(1099 + 100*i),
			Group: outcome.Group{Served: outcome.Served{Players: 100_000}, Losses: outcome.Losses{Expired: outcome.Count(10_000 * i)}}})
	}
	for _, searches := range [][]outcome.Group{s.ByContinent, s.ByHour} {
		for i := range searches {
			outcome.SetEnds(&searches[i])
		}
	}
	for i := range attribute.Deciles {
		outcome.SetEnds(&attribute.Deciles[i])
	}
	outcome.SetEnds(&s.Players)
	const want = "20.0 % of searches end without a match, 60.0 % in Africa, 75.0 % at 07:00 UTC"
	plots := plotUnmatched(r, nil)
	if len(plots) != 1 || plots[0].Title != want {
		t.Fatalf("got pictures %+v, want one with the title %q", plots, want)
	}
	s.ByAttributeDecile, s.Attributes = outcome.Deciles{attribute}, outcome.Attributes{{Name: "mmr", Rules: []string{"skill"}}}
	ruled := plotUnmatched(r, nil) // 90,000 of 190,000 in the last tenth
	if !strings.HasPrefix(ruled[0].Title, want+", 47.4 % with mmr ") {
		t.Errorf("got title %q, want one that ends with the last tenth, 47.4 %%", ruled[0].Title)
	}
	even := resulttest.Synthetic(24, 6, 1_000_000)
	e := &even.Summary
	e.Players.Matched, e.Players.Expired, e.ByContinent = 0, 1_000_000, outcome.Groups{{Name: "EU", Losses: outcome.Losses{Expired: 1_000_000}}}
	for i := range e.ByHour {
		e.ByHour[i] = outcome.Group{Losses: outcome.Losses{Expired: 41_666}}
	}
	if plots := plotUnmatched(even, nil); len(plots) != 0 {
		t.Errorf("no search has a match: got the picture %q, want none, because all groups are equal", plots[0].Title)
	}
	s.Attributes[0].Name, s.ByAttributeDecile[0].Name = strings.Repeat("long <&> ", 20), strings.Repeat("long <&> ", 20)
	checkTexts(t, append(append(plots, ruled...), plotUnmatched(r, nil)...))
}

// checkTexts checks that the texts of pictures keep apart, and that the files are well-formed.
func checkTexts(t *testing.T, plots []chart.Plot) {
	t.Helper()
	for i := range plots {
		checkPNG(t, &plots[i])
		checkSVG(t, &plots[i])
		for _, fault := range resulttest.TextFaults(&plots[i]) {
			t.Error(fault)
		}
	}
}
