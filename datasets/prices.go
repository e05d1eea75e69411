package datasets

import (
	"io"

	"mmsim/datasets/internal/tables"
)

// Price is what a machine in a datacenter costs, in any one currency.
type Price struct {
	Datacenter  string // or AnyDatacenter
	MachineHour float64
	TrafficGB   float64 // 0 if the list has no prices of traffic
	Line        int
}

// AnyDatacenter is the name of all datacenters without a price of their own.
const AnyDatacenter = "*"

// PriceMax is the highest price.
const PriceMax = 1e9

// Columns of a list of prices, in the order that applies without a header.
const (
	priceDatacenter = iota
	priceMachineHour
	priceTraffic
)

// ReadPrices reads a list of prices, which is CSV with the columns datacenter,machine_hour,traffic_gb.
// The last one, and a header, are optional. Whether the datacenters exist is for the caller to check.
// name is used only in messages. If the list is invalid, the error is a *joinfile.Error.
func ReadPrices(r io.Reader, name string) (prices []Price, err error) {
	list := tables.List{LastOptional: true}
	err = list.Read(r, name, "prices", []string{"datacenter", "machine_hour", "traffic_gb"}, func(l *tables.List) *tables.Fault {
		p := Price{Datacenter: string(l.Cell(priceDatacenter)), Line: l.Line()}
		if p.Datacenter == "" {
			return l.Bad(priceDatacenter, "expected the name of a datacenter, or *")
		}
		read := func(column int, price *float64) (f *tables.Fault) {
			var ok bool
			if *price, ok = tables.ParseNumber(l.Cell(column)); !ok || !(*price >= 0 && *price <= PriceMax) {
				f = l.Bad(column, "expected a price from 0 to 1000000000")
			}
			return f
		}
		if f := read(priceMachineHour, &p.MachineHour); f != nil {
			return f
		}
		if l.HasLast() {
			if f := read(priceTraffic, &p.TrafficGB); f != nil {
				return f
			}
		}
		prices = append(prices, p)
		return l.Once(priceDatacenter, p.Datacenter)
	})
	return prices, err
}
