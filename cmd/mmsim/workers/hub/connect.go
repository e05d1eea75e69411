package hub

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"mmsim/cmd/mmsim/input"
)

// Events are what a worker wants to know about its connection.
type Events struct {
	Disconnected func()      // the connection is lost; the library tries to restore it
	Closed       func(error) // the server rejects the worker
}

// Join connects a worker to the server at a URL. If single is set, the server is built into a
// coordinator, and ends with it.
func Join(url, token, creds string, on Events) (j Server, single bool, err error) {
	host, single, err := parseURL(url)
	if err != nil {
		return j, single, err
	}
	options := []nats.Option{nats.DisconnectErrHandler(func(*nats.Conn, error) { on.Disconnected() }),
		nats.ClosedHandler(func(nc *nats.Conn) { on.Closed(nc.LastError()) })}
	if !single {
		j, err = ConnectNATS(url, creds, options...)
		return j, single, err
	}
	secure, err := mutual(token)
	if err != nil {
		return j, single, err
	}
	dialer := &tls.Dialer{NetDialer: &net.Dialer{Timeout: 10 * time.Second}, Config: secure}
	j, err = connect("nats://"+host, jetstream.MemoryStorage, append(options, nats.SetCustomDialer(dialer))...)
	switch {
	case errors.Is(err, errOtherToken):
		err = errOtherToken
	case err != nil:
		err = fmt.Errorf("cannot connect to the coordinator: %w", err)
	}
	return j, single, err
}

// ConnectNATS connects to an existing NATS server, with credentials or with the user and the
// password in the variables of the program nats.
func ConnectNATS(url, creds string, options ...nats.Option) (j Server, err error) {
	if scheme, _, has := strings.Cut(url, "://"); has && !slices.Contains([]string{"nats", "tls", "ws", "wss"}, scheme) {
		return j, input.Badf("got a URL that begins with %s://, expected nats://HOST:4222 of a NATS server or, for a worker, the mmsim:// URL that the command printed", scheme)
	}
	if strings.Contains(url, "@") { // the URL is not shown: everyone on the machine can read a password in the arguments
		return j, input.Badf("got a URL with a user, expected the password in NATS_PASSWORD and the user in NATS_USER, or --creds FILE")
	}
	if user := os.Getenv("NATS_USER"); user != "" {
		options = append(options, nats.UserInfo(user, os.Getenv("NATS_PASSWORD")))
	}
	if creds != "" {
		if err := input.CheckRegular(creds); err != nil {
			return j, input.Bad(err)
		}
		options = append(options, nats.UserCredentials(creds))
	}
	if j, err = connect(url, jetstream.FileStorage, options...); err == nil {
		return j, nil
	}
	if errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked) {
		return j, input.Badf("the NATS server rejects the connection (%w): expected --creds FILE or the right NATS_USER and NATS_PASSWORD", err)
	}
	return j, fmt.Errorf("cannot connect to the NATS server: %w", err)
}

// connect connects to a server. The NATS library restores a lost connection.
func connect(url string, storage jetstream.StorageType, options ...nats.Option) (j Server, err error) {
	options = append(options, nats.Name("mmsim"), nats.MaxReconnects(-1), nats.ReconnectWait(500*time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, 500*time.Millisecond))
	j.storage = storage
	if j.Conn, err = nats.Connect(url, options...); err != nil {
		return j, err
	}
	if j.JS, err = jetstream.New(j.Conn); err != nil {
		j.Conn.Close()
	}
	return j, err
}
