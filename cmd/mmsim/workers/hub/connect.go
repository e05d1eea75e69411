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

// Join connects a worker to the server at a URL: one that is built into a coordinator, or a NATS
// server.
func Join(url, token, creds string) (*Server, error) {
	if !strings.HasPrefix(url, scheme) {
		return ConnectNATS(url, creds)
	}
	host, err := hostOf(url)
	if err != nil {
		return nil, err
	}
	secure, err := mutual(token)
	if err != nil {
		return nil, err
	}
	dialer := &tls.Dialer{NetDialer: &net.Dialer{Timeout: 10 * time.Second}, Config: secure}
	s, err := connect("nats://"+host, jetstream.MemoryStorage, nats.SetCustomDialer(dialer))
	if err != nil {
		return nil, fmt.Errorf("cannot connect to the coordinator: %w", err)
	}
	s.Single = true
	return s, nil
}

// ConnectNATS connects to an existing NATS server, with credentials or with the user and the
// password in the variables of the program nats.
func ConnectNATS(url, creds string) (*Server, error) {
	if scheme, _, has := strings.Cut(url, "://"); has && !slices.Contains([]string{"nats", "tls", "ws", "wss"}, scheme) {
		return nil, input.Badf("got a URL that begins with %s://, expected nats://HOST:4222 of a NATS server or, for a worker, the mmsim:// URL that the command printed", scheme)
	}
	if strings.Contains(url, "@") { // the URL is not shown: everyone on the machine can read a password in the arguments
		return nil, input.Badf("got a URL with a user, expected the password in NATS_PASSWORD and the user in NATS_USER, or --creds FILE")
	}
	var options []nats.Option
	if user := os.Getenv("NATS_USER"); user != "" {
		options = append(options, nats.UserInfo(user, os.Getenv("NATS_PASSWORD")))
	}
	start := ""
	if creds != "" {
		if err := input.CheckRegular(creds); err != nil {
			return nil, input.Bad(err)
		}
		options, start = append(options, nats.UserCredentials(creds)), " --creds FILE"
	}
	s, err := connect(url, jetstream.FileStorage, options...)
	switch {
	case errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked):
		return nil, input.Badf("the NATS server rejects the connection (%w): expected --creds FILE or the right NATS_USER and NATS_PASSWORD", err)
	case err != nil:
		return nil, fmt.Errorf("cannot connect to the NATS server: %w", err)
	}
	s.Start = "mmsim worker " + s.Conn.ConnectedUrlRedacted() + start
	return s, nil
}

// connect connects to a server. The NATS library restores a lost connection.
func connect(url string, storage jetstream.StorageType, options ...nats.Option) (*Server, error) {
	options = append(options, nats.Name("mmsim"), nats.MaxReconnects(-1), nats.ReconnectWait(500*time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, 500*time.Millisecond))
	conn, err := nats.Connect(url, options...)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(Answer))
	return &Server{Conn: conn, JS: js, storage: storage}, err
}
