package live

import (
	"net"
	"sync"
)

// limitedListener accepts a connection only while fewer than its seats are in use; other
// connections wait in the system's queue. Without it, clients could use up the files that the
// process may open, and the results could not be written.
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

// seatedConn frees its seat when it is closed.
type seatedConn struct {
	net.Conn
	leave func()
}

func (c *seatedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
