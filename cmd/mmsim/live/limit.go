package live

import (
	"net"
	"sync"
)

// limitedListener limits the number of open connections. Further connections wait in the
// system's queue. Without a limit, clients could use up the files that this process may open,
// and mmsim could not write its results.
type limitedListener struct {
	net.Listener
	seats chan struct{}
	done  chan struct{}
	close func() error
}

func limitConnections(l net.Listener, most int) net.Listener {
	done := make(chan struct{})
	return &limitedListener{l, make(chan struct{}, most), done, sync.OnceValue(func() error {
		close(done)
		return l.Close()
	})}
}

func (l *limitedListener) Accept() (net.Conn, error) {
	select {
	case l.seats <- struct{}{}:
	case <-l.done:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.seats
		return nil, err
	}
	return &seatedConn{c, sync.OnceFunc(func() { <-l.seats })}, nil
}

func (l *limitedListener) Close() error { return l.close() }

// seatedConn is a connection that limitedListener counts as open until it is closed.
type seatedConn struct {
	net.Conn
	leave func()
}

func (c *seatedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
