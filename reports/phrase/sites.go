package phrase

import (
	"fmt"
	"math"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// SiteSet names the datacenters of a set, or says which set it is.
func SiteSet(s *judge.SiteSet) string {
	switch s.Is {
	case judge.SetAll:
		return "all"
	case judge.SetOwn:
		return words.Printable(s.Names()) + " (of the configuration)"
	}
	return words.Printable(s.Names())
}

// Site is the conclusion of a site search: the cheapest set that meets every limit, or the one that
// comes closest.
func Site(s *judge.Site) string {
	best := s.Cheapest()
	if best < 0 {
		at := s.Nearest()
		text := fmt.Sprintf("No set meets every limit; %s comes closest", s.Points[at].Set.Name)
		if says := BrokenLimits(s.Broken(at), Metric); says != "" {
			text += ": " + says
		}
		return text
	}
	set := s.Points[best].Set
	text := fmt.Sprintf("%s: %s, %s.yaml", Upper(SiteStar(s)), words.Plural(len(set.Datacenters), "site"), set.Name)
	if says := saving(s, best); says != "" {
		text += "; " + says
	}
	return text
}

// SiteStar says what is special about the set that judge.Site.Cheapest returns.
func SiteStar(s *judge.Site) string {
	text := "cheapest"
	if s.Goals[0] == judge.SitesGoal {
		text = "smallest"
	}
	if len(s.Bounds) > 0 {
		text += " that meets every limit"
	}
	return text
}

// Goal is the name of a goal of a site search.
func Goal(goal string) string {
	if goal == judge.SitesGoal {
		return "number of datacenters"
	}
	return Metric(goal)
}

// saving says how much a set costs less than all datacenters. It returns "" for these themselves.
func saving(s *judge.Site, point int) string {
	all := s.All()
	if all == point {
		return ""
	}
	n := len(s.Points[all].Set.Datacenters)
	if s.Goals[0] == judge.SitesGoal {
		return fmt.Sprintf("%d fewer than all %d", n-len(s.Points[point].Set.Datacenters), n)
	}
	d := s.Saving(point)
	before := float64(d.A)
	if math.IsNaN(float64(d.Difference)) || before == 0 {
		return ""
	}
	side, sign := "below", -1.0
	if d.Difference > 0 {
		side, sign = "above", 1
	}
	percent := func(x judge.Optional) string { return words.Percent(outcome.RoundShare(sign * float64(x) / before)) }
	text := fmt.Sprintf("%s %s all %d", percent(d.Difference), side, n)
	if low, high := d.Low, d.High; !math.IsNaN(float64(low)) {
		if sign < 0 {
			low, high = high, low
		}
		text += fmt.Sprintf(" (95 %% interval %s to %s)", percent(low), percent(high))
	}
	return text
}

// BrokenLimits describes limits that means are beyond, with the names of their metrics. It returns "" if
// there are none.
func BrokenLimits(broken []judge.BrokenLimit, name func(metric string) string) string {
	var says []string
	for _, l := range broken {
		m, _ := outcome.Find(l.Name)
		sign := "<"
		if l.Kind == judge.LimitMax {
			sign = ">"
		}
		value := "has no value"
		if !math.IsNaN(l.Mean) {
			value = words.Quantity(m.Unit, l.Mean, words.Decimals(m.Unit, math.Abs(l.Mean)/100), false)
		}
		says = append(says, fmt.Sprintf("%s %s %s %s", name(l.Name), value, sign, words.Quantity(m.Unit, float64(l.Bound), words.ShortestDecimals(m.Unit, float64(l.Bound)), false)))
	}
	return strings.Join(says, ", ")
}
