package placing

import (
	"fmt"
	"net/netip"
	"strconv"

	"mmsim/datasets/internal/tables"
)

// AddressColumn is the column ip. Its first value tells whether it has IP addresses, which are never
// kept, or texts that stand for households.
type AddressColumn struct {
	Households bool // keep which players have the same address, as a number

	decided, addresses bool
	line               int                // line of the first value
	numbers            map[netip.Addr]int // number of each address, if Households is set
}

// Read reads a cell that is not empty. It returns the address, or the text to keep if there is one.
// No message contains the value.
func (a *AddressColumn) Read(cell []byte, line int) (address netip.Addr, kept []byte, message string) {
	address, err := netip.ParseAddr(string(cell))
	if err != nil && tables.HasAddress(string(cell)) {
		return address, nil, "more than an IP address, or a mistyped one, in the column of addresses: expected one address (the value is not shown)"
	}
	if !a.decided {
		a.decided, a.addresses, a.line = true, err == nil, line
	}
	switch {
	case a.addresses && err != nil:
		return address, nil, fmt.Sprintf("a value that is no IP address in the column of addresses: expected one, as in line %d (the value is not shown)", a.line)
	case !a.addresses && err == nil:
		return address, nil, fmt.Sprintf("an IP address in the column ip: expected the name of a household, as in line %d (the value is not shown)", a.line)
	case !a.addresses:
		return address, cell, ""
	case !a.Households:
		return address, nil, ""
	}
	number, known := a.numbers[address]
	if !known {
		if a.numbers == nil {
			a.numbers = make(map[netip.Addr]int)
		}
		number = len(a.numbers) + 1
		a.numbers[address] = number
	}
	return address, strconv.AppendInt(nil, int64(number), 10), ""
}

// Forget undoes the decision of the first value if its row turns out to be malformed.
func (a *AddressColumn) Forget(line int) {
	if a.line == line {
		a.decided, a.addresses = false, false
	}
}

// Dropped reports whether nothing of the column is kept.
func (a *AddressColumn) Dropped() bool { return a.addresses && !a.Households }

// Unused returns the warning about addresses that place nobody, because there is no database.
func (a *AddressColumn) Unused() string {
	switch {
	case !a.addresses:
		return ""
	case a.Households:
		return "the IP addresses only tell which players share a household: --geoip FILE.mmdb finds the places of players without coordinates"
	}
	return "the IP addresses are left out: --geoip FILE.mmdb finds the places of players without coordinates"
}
