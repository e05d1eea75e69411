package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Limits of connections that have not shown the token yet, so that strangers cannot use up the file
// descriptors that results need.
const (
	strangersMax = 16               // of one address
	outsideMax   = 256              // of all addresses
	strangerFor  = 10 * time.Second // after which such a connection is closed
)

// A door lets workers in to the built-in server, which does not listen itself: a server of NATS
// limits only the number of all connections, so that silent ones keep workers out.
type door struct {
	net.Listener
	mutual *tls.Config
	server *server.Server

	mutex     sync.Mutex
	strangers []net.Conn // that have not shown the token yet; the oldest one first
}

// open accepts connections until the door is closed.
func (d *door) open() {
	for {
		c, err := d.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // perhaps too many open files
			time.Sleep(50 * time.Millisecond)
		default:
			d.enter(c)
			go d.admit(c)
		}
	}
}

// enter adds a stranger. If there are too many, the one that has been silent for longest makes room.
// A worker shows its token within milliseconds, so that silent strangers do not keep it out, even if
// they have the same address.
func (d *door) enter(c net.Conn) {
	from := networkOf(c)
	d.mutex.Lock()
	defer d.mutex.Unlock()
	crowd, most := slices.DeleteFunc(slices.Clone(d.strangers), func(s net.Conn) bool { return networkOf(s) != from }), strangersMax
	if len(crowd) < most {
		crowd, most = d.strangers, outsideMax
	}
	if len(crowd) >= most {
		_ = crowd[0].Close()
		d.forget(crowd[0])
	}
	d.strangers = append(d.strangers, c)
}

// forget removes a stranger from the list.
func (d *door) forget(c net.Conn) {
	d.strangers = slices.DeleteFunc(d.strangers, func(s net.Conn) bool { return s == c })
}

// networkOf returns the address at the other end. An IPv6 network counts as one address, because
// each of its machines has any number of them.
func networkOf(c net.Conn) netip.Prefix {
	at := c.RemoteAddr().(*net.TCPAddr).AddrPort().Addr().Unmap()
	bits := at.BitLen()
	if at.Is6() {
		bits = 64
	}
	network, _ := at.Prefix(bits) // fails only if there are too many bits
	return network
}

// admit connects the other end to the server if it has the token.
func (d *door) admit(c net.Conn) {
	defer c.Close()
	secure := tls.Server(c, d.mutual)
	ctx, cancel := context.WithTimeout(context.Background(), strangerFor)
	err := secure.HandshakeContext(ctx)
	cancel()
	d.mutex.Lock()
	d.forget(c)
	d.mutex.Unlock()
	if err != nil {
		return
	}
	inner, err := d.server.InProcessConn()
	if err != nil {
		return // the server stops
	}
	defer inner.Close()
	go func() {
		_, _ = io.Copy(inner, secure)
		_ = inner.Close()
	}()
	_, _ = io.Copy(secure, inner)
}
