package resulttest

import (
	"math"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// Article returns a result with the metrics of a realistic replay of a real day.
func Article() *result.Result {
	s := outcome.Summary{Schema: outcome.Schema, Complete: true}
	s.Run = outcome.Run{Seed: 1, Duration: 86400, Reached: 86400, Warmup: 7200}
	s.Players = outcome.Players{Joins: 1_372_411, Returns: 4_054_310, Entries: 5_426_721, Matched: 5_426_700, Losses: outcome.Losses{Failed: 12}, SearchingAtEnd: 9}
	s.Wait = outcome.WaitStats{Count: 5_426_700, Mean: 0.227, SD: 0.55, P50: 0, P90: 0.8, P95: 1.1, P99: 2.5, Max: 20.004, ShareZero: 0.686}
	s.WaitFirst = outcome.WaitStats{Count: 1_372_400, Mean: 0.618, SD: 0.71, P50: 0.512, P90: 1.204, P95: 1.9, P99: 3.877, Max: 20.004, ShareZero: 0.00052}
	s.WaitRepeat = outcome.WaitStats{Count: 4_054_300, Mean: 0.095, SD: 0.4, P50: 0, P90: 0.1, P95: 1, P99: 2, Max: 19.5, ShareZero: 0.918}
	s.RTT = outcome.RTTStats{Count: 5_426_700, Mean: 48.8, SD: 47.2, P50: 37.31, P90: 91.69, P95: 120, P99: 248.13, Max: 412.5, ShareLE50: 0.8281, ShareLE100: 0.9243, ShareLEIdeal: 0.8281, ShareLEExpand: 0.9243}
	s.DeltaRTT = outcome.DeltaStats{Mean: 15.4, P50: 3.2, P90: 38, P95: 61, P99: 180}
	s.Thresholds = outcome.Thresholds{Ideal: 50, Expand: 100}
	s.Matches = outcome.Matches{Count: 1_356_675, Players: 5_426_700, Fill: 1, WithWarmBody: 226_012, RepeatShare: 0.3372}
	s.CCU = outcome.CCU{Peak: 26_604, PeakAt: 70_920, Mean: 20_912.3}
	s.States = outcome.States{Ideal: outcome.StateStats{Matched: 4_493_000, Share: 0.828, WaitMean: 0.1, RTTMean: 32}, Expand: outcome.StateStats{Matched: 520_000, Share: 0.096, WaitMean: 0.4, RTTMean: 77}, WarmBody: outcome.StateStats{Matched: 412_000, Share: 0.076, WaitMean: 1.2, RTTMean: 193}}
	s.ByContinent = outcome.Groups{
		{Name: "AF", Served: outcome.Served{Players: 80_400, RTTMean: 139.8, RTTP95: 260.06}},
		{Name: "AN", Served: outcome.Served{Players: 3, RTTMean: 301, RTTP95: 301}},
		{Name: "EU", Served: outcome.Served{Players: 2_300_000, RTTMean: 31.2, RTTP95: 60}},
	}
	s.ByHour = make([]outcome.Group, 24)
	s.ByHour[4] = outcome.Group{Served: outcome.Served{Players: 92_311, WaitMean: 0.452, WaitP95: 2.104}}
	s.ByHour[5] = outcome.Group{Served: outcome.Served{Players: 99, WaitMean: 12, WaitP95: 20}}
	s.ByHour[20] = outcome.Group{Served: outcome.Served{Players: 300_000, WaitMean: 0.152, WaitP95: 1.1}}
	s.Warnings = []string{"luxembourg has no latency map: model used (100 % of its places)"}
	return withEnds(&result.Result{Summary: s})
}

// withEnds returns r with the Ends that follow from its counts.
func withEnds(r *result.Result) *result.Result {
	s := &r.Summary
	outcome.SetEnds(&s.Players)
	for _, groups := range [][]outcome.Group{s.ByContinent, s.ByHour, s.ByPartySize} {
		for i := range groups {
			outcome.SetEnds(&groups[i])
		}
	}
	for _, a := range s.ByAttributeDecile {
		for i := range a.Deciles {
			outcome.SetEnds(&a.Deciles[i])
		}
	}
	for i := range s.Queues {
		outcome.SetEnds(&s.Queues[i].Players)
	}
	r.Summary.MarkUnmeasured()
	return r
}

// Rules returns a day with a typical ruleset: most matches do not relax rules, there are few
// players at night, and players of unusual skill wait longer and meet players of very different
// skill.
func Rules() *result.Result {
	r := Article()
	s := &r.Summary
	s.States = outcome.States{}
	s.Players.Failed, s.Players.Expired, s.Players.Rejected = 0, 40_211, 310
	s.Matches = outcome.Matches{Count: 542_670, Players: 5_426_700, Fill: 0.9871, RepeatShare: 0.041}
	s.Attributes = outcome.Attributes{
		{Name: "level", Matches: 542_000, SpreadMean: 31, SpreadP95: 60},
		{Name: "mmr", Rules: []string{"skill", "teams"}, Matches: 542_600, SpreadMean: 212.4, SpreadP95: 480, TeamGapMean: 31.25},
	}
	s.Overlaps = outcome.Overlaps{
		{Name: "maps", Rules: []string{"maps"}, Matches: 542_000, SharedMean: 1.62, ShareAny: 0.998},
		{Name: "build", Rules: []string{"version"}, Matches: 542_000, SharedMean: 1, ShareAny: 1},
	}
	s.Rules = &outcome.Rules{
		Name: "ranked 5v5", Dialect: "playfab", Placement: "pool", ExpansionBasis: "longest", OptionalBasis: "all",
		Matches: 542_670, ShareRelaxed: 0.382, FillAtStart: 0.9871,
		Relaxation: outcome.Relaxations{
			{Name: "version", ShareRelaxed: 0, Stages: outcome.Parts{{Name: "0", Count: 542_670, Share: 1}}},
			{Name: "skill", ShareRelaxed: 0.301, Stages: outcome.Parts{{Name: "0", Count: 379_000, Share: 0.699}, {Name: "1", Count: 90_000, Share: 0.166}, {Name: "2", Count: 40_000, Share: 0.074}, {Name: "3", Count: 22_000, Share: 0.041}, {Name: "4", Count: 8_000, Share: 0.015}, {Name: "6", Count: 2_670, Share: 0.005}}},
			{Name: "latency", ShareRelaxed: 0.12, Stages: outcome.Parts{{Name: "0", Count: 477_000, Share: 0.88}, {Name: "1", Count: 48_800, Share: 0.09}, {Name: "optional", Count: 16_300, Share: 0.03}}},
			{Name: "maps", ShareRelaxed: 0.03, Stages: outcome.Parts{{Name: "0", Count: 526_000, Share: 0.97}, {Name: "optional", Count: 16_270, Share: 0.03}}},
		},
		Sizes:   outcome.Parts{{Name: "8", Count: 12_000, Share: 0.02211}, {Name: "9", Count: 46_000, Share: 0.08477}, {Name: "10", Count: 484_670, Share: 0.89312}},
		Layouts: outcome.Parts{{Name: "5v5", Count: 484_670, Share: 0.89312}, {Name: "5v4", Count: 46_000, Share: 0.08477}, {Name: "4v4", Count: 12_000, Share: 0.02211}},
		Refused: outcome.Parts{{Name: "too many players", Count: 310, Share: 1}},
		Expiry: outcome.Expiry{
			Tickets: 30_000, Players: 40_211, Explained: 30_000,
			ByRule: outcome.Parts{{Name: "skill", Count: 6_000, Share: 0.2}, {Name: "latency", Count: 21_360, Share: 0.712}},
			TooFew: outcome.Part{Count: 2_040, Share: 0.068}, Group: outcome.Part{Count: 600, Share: 0.02},
			Pairs: outcome.Pairs{Count: 4_000_000, ByRule: outcome.Parts{{Name: "skill", Count: 1_000_000, Share: 0.25}, {Name: "latency", Count: 2_900_000, Share: 0.725}}, MayMeet: outcome.Part{Count: 100_000, Share: 0.025}},
		},
	}
	for hour := range 24 {
		relaxed := 0.38 + float64(0.3*math.Cos(float64(hour-5)/24*2*math.Pi))
		s.Rules.ByHour = append(s.Rules.ByHour, outcome.RulesHour{Matches: outcome.Count(10_000 + 1000*hour), ShareRelaxed: outcome.RoundShare(relaxed), Furthest: outcome.Parts{
			{Name: "0", Count: 0, Share: outcome.RoundShare(1 - relaxed)}, {Name: "1", Count: 0, Share: outcome.RoundShare(relaxed / 2)}, {Name: "2-3", Count: 0, Share: outcome.RoundShare(relaxed / 4)}, {Name: "not_enforced", Count: 0, Share: outcome.RoundShare(relaxed / 4)},
		}})
	}
	d := outcome.AttributeDeciles{Name: "mmr"}
	for i := range 10 {
		off := math.Abs(float64(i) - 4.5)
		d.Deciles = append(d.Deciles, outcome.Decile{From: outcome.Value(1000 + 100*i), To: outcome.Value(1099 + 100*i), SpreadMean: outcome.RoundValue(150 + float64(20*off*off)), Group: outcome.Group{
			Served: outcome.Served{Players: 542_670, Matches: 54_267, WaitMean: outcome.RoundSeconds(2 + off*off/2), WaitP95: outcome.RoundSeconds(8 + float64(3*off*off)), RTTMean: 48, RTTP95: 110},
		}})
	}
	s.ByAttributeDecile = outcome.Deciles{d}
	s.QueueStatistics = &outcome.QueueStatistics{PlayersMatching: 9, Window: 300, TimeToMatch: outcome.TimeToMatch{Tickets: 812, Average: 4.2, P50: 2, P90: 11, P99: 40},
		WholeRun: outcome.TimeToMatch{Tickets: 4_800_000, Average: 5.1, P50: 3, P90: 12, P99: 60}, PlayersSee: []string{}}
	return withEnds(r)
}

// Servers returns a day on servers.
func Servers() *result.Result {
	r := Synthetic(24, 6, 100_000)
	s := &r.Summary
	s.Wait, s.WaitFirst, s.WaitRepeat = outcome.WaitStats{Count: 100_000, ShareZero: 1}, outcome.WaitStats{Count: 100_000, ShareZero: 1}, outcome.WaitStats{}
	s.States, s.Players = outcome.States{}, outcome.Players{Joins: 100_000, Entries: 100_000, Matched: 99_990, Losses: outcome.Losses{Rejected: 10}}
	s.Servers = &outcome.Servers{
		Revision: "2025-04", Capacity: 8, Opened: 2_113, Peak: 700, Mean: 512.25, Hours: 12_294, OccupancyMean: 0.81234,
		Placed: 99_990, Opening: 2_113, Contest: 97_000, PreferredMatch: 0.1234,
		Metrics: outcome.PlacementStats{
			{Name: "occupancy_ratio", Count: 97_877, Avg: 0.75, P10: 0.5, P50: 0.75, P90: 0.875}, {Name: "age_difference", Count: 90_000, Avg: 8.25, P10: 1.1, P50: 6.4, P90: 18.5},
			{Name: "common_language_ratio", Count: 97_877, Avg: 0.76, P10: 0, P50: 1, P90: 1}, {Name: "ping_ms", Count: 99_990, Avg: 111.08, P10: 24.6, P50: 97.25, P90: 221.94}, {Name: "common_chat_group_ratio"},
			{Name: "Diversity <&>", Count: 97_877, Avg: 0.4, P10: 0.25, P50: 0.4, P90: 1},
		},
		ScoreMean: 6.87, MarginMean: 0.8, ByScore: 0.97, ByAge: 0.02, BySequence: 0.01,
		Signals: outcome.PlacementSignals{{Name: "Friends", Weight: 10, Contribution: 1.2, Advantage: 0.9, Decided: 0.12}, {Name: "Latency", Weight: 3, Contribution: 1.68, Advantage: 0.518, Decided: 0.66}, {Name: "Diversity <&>", Weight: 1, Contribution: 0.4, Advantage: -0.02, Decided: 0.19}},
	}
	for t := 0; t < 24*3600; t += result.WindowLength {
		n := outcome.Count(500 + float64(200*math.Sin(float64(t)/86400*2*math.Pi)))
		r.Servers = append(r.Servers, result.ServerWindow{T: t, Running: outcome.RoundCount(float64(n)), Seats: outcome.RoundCount(8 * float64(n)), Taken: outcome.RoundCount(6.5 * float64(n)), Opened: 22, Placed: 1041, Preferred: 128})
	}
	return withEnds(r)
}

// Queues returns a day with two queues with different rules. The metrics of each queue differ
// from those of the whole run.
func Queues() *result.Result {
	r := Synthetic(24, 6, 100_000)
	s := &r.Summary
	s.Attributes = outcome.Attributes{{Name: "mmr", Rules: []string{"skill"}, Matches: 25_000, SpreadMean: 777, SpreadP95: 888}}
	s.ByAttributeDecile = Rules().Summary.ByAttributeDecile
	queue := func(name string, times float64) outcome.QueueStats {
		return outcome.QueueStats{
			Name: name, Players: outcome.QueuePlayers{Entries: 50_010, Matched: 50_000, Losses: outcome.Losses{Expired: 10}},
			Wait:      outcome.WaitStats{Count: 50_000, Mean: outcome.Seconds(11 * times), P90: outcome.Seconds(21 * times), Max: 30},
			WaitFirst: outcome.WaitStats{Count: 12_500, Mean: outcome.Seconds(12 * times), P90: outcome.Seconds(22 * times), Max: 30},
			RTT:       outcome.RTTStats{Count: 50_000, Mean: outcome.Millis(31 * times), P90: outcome.Millis(41 * times), Max: 500, ShareLEIdeal: 0.5, ShareLEExpand: 0.75},
			Matches:   outcome.QueueMatches{Count: 12_500, Players: 50_000, Fill: 1},
			Common: outcome.Common{Attributes: outcome.Attributes{{Name: "mmr", Rules: []string{"skill"}, Matches: 12_500,
				SpreadMean: outcome.Value(101 * times), SpreadP95: outcome.Value(202 * times)}}},
		}
	}
	s.Queues = outcome.QueueList{queue("ranked", 1), queue("casual <&>", 0.5)}
	s.Queues[0].Rules = Rules().Summary.Rules
	for at, opens := range []string{"as at the start", "skill step 1", "skill step 2, latency optional"} {
		r.Steps = append(r.Steps, result.Step{Queue: "ranked", Of: result.OfRules, At: outcome.Seconds(10 * at), Opens: opens, Players: 12_500 / (1 + at)})
	}
	for _, q := range s.Queues {
		for measure, step := range map[result.Measure]float64{result.MeasureWaitFirst: 1, result.MeasureRTT: 20} {
			d := result.Distribution{Measure: measure, Queue: q.Name}
			for i := range 25 {
				d.Bins = append(d.Bins, result.Bin{From: step * float64(i), To: step * float64(i+1), Players: 500})
			}
			r.Distributions = append(r.Distributions, d)
		}
		for _, c := range r.Map {
			c.Players, c.RTTMean = (c.Players+1)/2, outcome.RoundMillis(float64(c.RTTMean)/2)
			r.QueueMaps = append(r.QueueMaps, result.QueueCell{Queue: q.Name, Cell: c})
		}
	}
	return withEnds(r)
}

// Fleet returns a day with machines in every datacenter, of which the last has no match.
func Fleet() *result.Result {
	r := Synthetic(24, 6, 100_000)
	s := &r.Summary
	s.Fleet = &outcome.Fleet{
		CostPerDay: 1204.5, CostPer1000Hours: 31.25, MachineHours: 4021.5, TrafficGB: 812, MachinesMean: 167.6, MachinesPeak: 240,
		SlotsUsed: 0.71, ShareWaited: 0.004, Wait: outcome.Waits{Mean: 0.2, P99: 12, Max: 90},
	}
	for i := range s.ByDatacenter {
		hours, cost, peak, waited := outcome.Average(900-150*i), outcome.Value(300-50*i), outcome.Count(60-10*i), outcome.Share(0.001*float64(i))
		if i == len(s.ByDatacenter)-1 {
			s.ByDatacenter[i].Matches, peak, waited = 0, 0, outcome.Share(math.NaN())
		}
		s.ByDatacenter[i].SiteFleet = outcome.SiteFleet{MachineHours: &hours, CostPerDay: &cost, MachinesPeak: &peak, ShareWaited: &waited}
	}
	for i := range r.Windows {
		busy := outcome.RoundAverage(120 - float64(90*math.Cos(2*math.Pi*float64(i)/float64(len(r.Windows)))))
		r.Machines = append(r.Machines, result.MachineWindow{T: r.Windows[i].T, Starting: outcome.Average(i % 5), Empty: outcome.RoundAverage(float64(busy) / 3), Busy: busy})
	}
	return r
}
