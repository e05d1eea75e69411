package workers

import (
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"net"
	"net/url"
	"strings"

	"mmsim/cmd/mmsim/input"
)

// scheme begins the address of a coordinator with a built-in server. Any other address is a
// NATS server's.
const scheme = "mmsim"

// An address is the host and port of a coordinator with a built-in server, the token that it
// requires, and the fingerprint of its certificate. A worker gets it as
// mmsim://TOKEN@HOST:PORT/FINGERPRINT.
type address struct {
	host        string // with the port
	token       string
	fingerprint string
}

func (a address) String() string {
	return (&url.URL{Scheme: scheme, User: url.User(a.token), Host: a.host, Path: "/" + a.fingerprint}).String()
}

// parseAddress reads an address; ours is false for a NATS server's.
func parseAddress(text string) (a address, ours bool, err error) {
	if !strings.HasPrefix(text, scheme+"://") {
		return a, false, nil
	}
	const expected = "expected the URL that the coordinator prints, mmsim://TOKEN@HOST:PORT/FINGERPRINT"
	u, err := url.Parse(text)
	if err != nil { // the library's message would contain the token
		return a, true, input.Bad(errors.New(expected))
	}
	a = address{host: u.Host, token: u.User.Username(), fingerprint: strings.TrimPrefix(u.Path, "/")}
	sum, err := base64.RawURLEncoding.DecodeString(a.fingerprint)
	if err != nil || len(sum) != sha256.Size || a.token == "" || u.Hostname() == "" || u.Port() == "" {
		return a, true, input.Bad(errors.New(expected))
	}
	return a, true, nil
}

// fingerprintOf returns the hash of a certificate in the form that an address has.
func fingerprintOf(certificate []byte) string {
	sum := sha256.Sum256(certificate)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// errStranger is the error about a server with another certificate than the address.
var errStranger = input.Bad(errors.New("the server shows another certificate than the one in the URL: it is not that coordinator"))

// tls trusts only the certificate with the fingerprint, whatever names and dates it contains.
func (a address) tls() *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS13,
		InsecureSkipVerify: true, // skips names and authorities; VerifyConnection compares the certificate itself
		VerifyConnection: func(state tls.ConnectionState) error {
			if len(state.PeerCertificates) == 0 {
				return errStranger
			}
			shown := fingerprintOf(state.PeerCertificates[0].Raw)
			if subtle.ConstantTimeCompare([]byte(shown), []byte(a.fingerprint)) != 1 {
				return errStranger
			}
			return nil
		},
	}
}

// checkServe checks the HOST:PORT of --serve; the host may be missing.
func checkServe(text string) (host, port string, err error) {
	if host, port, err = net.SplitHostPort(text); err != nil {
		return "", "", input.Badf("--serve %s: expected HOST:PORT or :PORT, such as :4222", text)
	}
	return host, port, nil
}
