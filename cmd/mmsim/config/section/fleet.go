package section

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/datasets"
	"mmsim/reports/collect"
	"mmsim/sim"
	"mmsim/sim/fleet"
)

// Fleet is the section fleet of a configuration: the machines that host the matches, and their prices.
type Fleet struct {
	Prices       string // file, or "" for no fleet
	fleet.Config        // without Sites, which Load makes of Min and Max
	Min, Max     Machines
	Traffic      float64 // GB per player and hour
}

// Machines is a number of machines for each datacenter; fleet.NoLimit for none.
type Machines = BySite[int]

// noLimit is the value of fleet.max without a limit.
const noLimit = "none"

// Limits of the settings of a fleet.
const (
	perMachineMax = 10_000
	machinesMax   = 1_000_000
	trafficMax    = 1000
)

// DefaultFleet returns the settings of a fleet that only has prices.
func DefaultFleet() Fleet {
	return Fleet{
		Config: fleet.Config{PerMachine: 8, Start: 90 * sim.Second, Idle: 10 * sim.Minute, Buffer: fleet.Buffer{Share: 0.1}, Billing: sim.Second},
		Max:    Machines{All: fleet.NoLimit}, Traffic: 0.03,
	}
}

// Settings returns the keys of the section. Without prices, they are not written: a configuration that
// is older than they are keeps its hash.
func (f *Fleet) Settings() []value.Key {
	keys := []value.Key{
		value.Named("fleet.prices", "CSV file of prices in any one currency: datacenter,machine_hour,traffic_gb, where traffic_gb may be left out, and * stands for all other datacenters; it switches on the fleet: machines that host the matches, and what they cost", value.Path(&f.Prices, "the name of a file")),
		value.Named("fleet.per_machine", "matches that one machine hosts at once", value.Whole(&f.PerMachine, 1, perMachineMax)),
		value.Named("fleet.start", "time from the order of a machine to its first match", value.Millis(&f.Start, 0, time.Hour)),
		value.Named("fleet.idle", "a machine that has been empty for this time is released, unless it is needed", value.Millis(&f.Idle, 0, 24*time.Hour)),
		value.Named("fleet.buffer", "free slots to keep ready in each datacenter: a number, or a share of the busy ones", slots(&f.Buffer)),
		value.Named("fleet.min", "machines that are kept in each datacenter in use, or by datacenter, such as {frankfurt: 4, default: 1}", machines(&f.Min, false)),
		value.Named("fleet.max", "machines that a datacenter has at most, or by datacenter; a match that finds no free slot waits for one", machines(&f.Max, true)),
		value.Named("fleet.billing", "the billed time of a machine is rounded up to a multiple of this", value.Enum(&f.Billing, []string{"1s", "1m", "1h"}, sim.Second, sim.Minute, sim.Hour)),
		value.Named("fleet.traffic", "traffic of a player in GB per hour of play; 0 means that traffic is not counted", value.Number(&f.Traffic, value.Limits{High: trafficMax})),
	}
	for i := range keys {
		keys[i].Unset = func() bool { return reflect.DeepEqual(*f, DefaultFleet()) }
	}
	return keys
}

// slots returns the Value of free slots.
func slots(b *fleet.Buffer) value.Value {
	v := value.CountOrShare(&b.Slots, &b.Share, machinesMax, value.Limits{High: 10})
	v.Expects = fmt.Sprintf("a number of slots from 0 to %d, or a share from 0%% to 1000%%, such as 10%%", machinesMax)
	return v
}

// machines returns the Value of a number of machines for each datacenter.
func machines(m *Machines, mayBeNone bool) value.Value {
	return m.Value("numbers of machines", func(p *int) value.Value {
		v := value.Whole(p, 0, machinesMax)
		if !mayBeNone {
			return v
		}
		return v.OrWord(noLimit, func() bool { return *p == fleet.NoLimit }, func(isWord bool) {
			if isWord {
				*p = fleet.NoLimit
			}
		})
	})
}

// LoadedFleet is a fleet with its prices, for the datacenters of a list.
type LoadedFleet struct {
	Config  fleet.Config
	Rates   collect.Rates // datacenters of the list that do not take part may have no price
	Content string        // hash of the prices
}

// Load reads the prices and checks that they and the numbers of machines fit the list. If an error is
// about a setting and not about a line of the file of prices, key names the setting.
func (f *Fleet) Load(list *List) (l *LoadedFleet, key string, err error) {
	l = &LoadedFleet{Config: f.Config, Rates: collect.Rates{PerMachine: f.PerMachine, Traffic: f.Traffic, Prices: make([]collect.Price, len(list.Datacenters))}}
	var prices []datasets.Price
	l.Content, err = input.ReadHashed(f.Prices, func(r io.Reader, name string) (err error) {
		prices, err = datasets.ReadPrices(r, name)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	missing, err := l.price(prices, list, input.Shown(f.Prices))
	if err != nil {
		return nil, "", err
	}
	if len(missing) > 0 {
		return nil, "fleet.prices", fmt.Errorf("%s has no price of %s, expected one of every datacenter in use, or %s for all others", input.Shown(f.Prices), strings.Join(missing, ", "), datasets.AnyDatacenter)
	}
	for _, m := range []struct {
		key string
		of  *Machines
	}{{"fleet.min", &f.Min}, {"fleet.max", &f.Max}} {
		known := append(list.UsedNames(), list.UnusedNames()...)
		for _, own := range m.of.Own {
			if own.Datacenter != OtherSites && !slices.Contains(known, own.Datacenter) {
				return nil, m.key, fmt.Errorf("got the datacenter %q%s, expected %s or one in the list", own.Datacenter, input.DidYouMean(own.Datacenter, known), OtherSites)
			}
		}
	}
	for i, dc := range list.Datacenters {
		site := fleet.Site{Max: fleet.NoLimit}
		if list.InUse>>i&1 != 0 {
			if site = (fleet.Site{Min: f.Min.At(dc.Name), Max: f.Max.At(dc.Name)}); site.Max < site.Min {
				return nil, "fleet.max", fmt.Errorf("got at most %d machines in %s, where fleet.min keeps %d: expected fleet.max at or above fleet.min", site.Max, dc.Name, site.Min)
			}
		}
		l.Config.Sites = append(l.Config.Sites, site)
	}
	return l, "", l.Config.Validate()
}

// price sets the price of each datacenter, and returns those in use that have none. The error lists all
// unknown datacenters.
func (l *LoadedFleet) price(prices []datasets.Price, list *List, file string) (missing []string, err error) {
	known := append(list.UsedNames(), list.UnusedNames()...)
	var faults []error
	rest := -1
	for i, p := range prices {
		if p.Datacenter == datasets.AnyDatacenter {
			rest = i
		} else if !slices.Contains(known, p.Datacenter) {
			near := ""
			if name := meant(p.Datacenter, known); name != "" {
				near = "; did you mean " + name + "?"
			}
			faults = append(faults, fmt.Errorf("%s:%d:1: datacenter %q: expected %s or a datacenter in the list%s", file, p.Line, p.Datacenter, datasets.AnyDatacenter, near))
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	for i, dc := range list.Datacenters {
		at := slices.IndexFunc(prices, func(p datasets.Price) bool { return p.Datacenter == dc.Name })
		if at < 0 {
			at = rest
		}
		if at >= 0 {
			l.Rates.Prices[i] = collect.Price{MachineHour: prices[at].MachineHour, TrafficGB: prices[at].TrafficGB}
		} else if list.InUse>>i&1 != 0 {
			missing = append(missing, dc.Name)
		}
	}
	return missing, nil
}
