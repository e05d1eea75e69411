package hub

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"testing"
)

// A caller is one end of a connection that comes from an address.
type caller struct {
	net.Conn
	from     string
	isClosed bool
}

func (c *caller) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(c.from), 1))
}

func (c *caller) Close() error { c.isClosed = true; return nil }

// An address with too many silent connections loses its oldest one. The other addresses keep
// theirs, unless there are too many in all.
func TestStrangers(t *testing.T) {
	t.Parallel()
	several := func(n int, format string) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf(format, i))
		}
		return list
	}
	for name, test := range map[string]struct {
		from   []string
		closed []int // indices of the callers that are sent away
	}{
		"as many as may be":           {append(slices.Repeat([]string{"192.0.2.1"}, 16), slices.Repeat([]string{"192.0.2.2"}, 16)...), nil},
		"too many of one address":     {append([]string{"192.0.2.2"}, slices.Repeat([]string{"192.0.2.1"}, 18)...), []int{1, 2}},
		"the same address in IPv6":    {append(slices.Repeat([]string{"192.0.2.1"}, 9), slices.Repeat([]string{"::ffff:192.0.2.1"}, 8)...), []int{0}},
		"too many of an IPv6 network": {several(17, "2001:db8::%x"), []int{0}},
		"several IPv6 networks":       {several(17, "2001:db8:0:%x::1"), nil},
		"too many in all":             {append(several(255, "192.0.2.%d"), several(3, "198.51.100.%d")...), []int{0, 1}},
	} {
		var d door
		callers := make([]*caller, len(test.from))
		for i, from := range test.from {
			callers[i] = &caller{from: from}
			d.enter(callers[i])
		}
		var closed []int
		for i, c := range callers {
			if c.isClosed {
				closed = append(closed, i)
			}
		}
		if !slices.Equal(closed, test.closed) || len(d.strangers) != len(callers)-len(closed) {
			t.Errorf("%s: got connections %v closed and %d held, want %v closed and the others held", name, closed, len(d.strangers), test.closed)
		}
	}
}
