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

// scheme begins the address of a coordinator that has its server inside. Any other address
// is one of NATS.
const scheme = "mmsim"

// An address is where a coordinator with its server inside listens, the token that it asks
// for, and the fingerprint of the certificate that it shows. As text it is what a worker is
// started with: mmsim://TOKEN@HOST:PORT/FINGERPRINT.
type address struct {
	host        string // with port
	token       string
	fingerprint string
}

func (a address) String() string {
	return (&url.URL{Scheme: scheme, User: url.User(a.token), Host: a.host, Path: "/" + a.fingerprint}).String()
}

// parseAddress reads the text of an address; ours is false for one of NATS.
func parseAddress(text string) (a address, ours bool, err error) {
	if !strings.HasPrefix(text, scheme+"://") {
		return a, false, nil
	}
	const expected = "expected the URL that the coordinator prints, mmsim://TOKEN@HOST:PORT/FINGERPRINT"
	u, err := url.Parse(text)
	if err != nil { // the message of the library would show the token
		return a, true, input.Bad(errors.New(expected))
	}
	a = address{host: u.Host, token: u.User.Username(), fingerprint: strings.TrimPrefix(u.Path, "/")}
	sum, err := base64.RawURLEncoding.DecodeString(a.fingerprint)
	if err != nil || len(sum) != sha256.Size || a.token == "" || u.Hostname() == "" || u.Port() == "" {
		return a, true, input.Bad(errors.New(expected))
	}
	return a, true, nil
}

// fingerprintOf is the hash of a certificate as an address has it.
func fingerprintOf(certificate []byte) string {
	sum := sha256.Sum256(certificate)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// errStranger is about a server that is not the coordinator of the address.
var errStranger = input.Bad(errors.New("the server shows another certificate than the one in the URL: it is not that coordinator"))

// tls trusts the one certificate of the fingerprint, whatever names and dates are in it.
func (a address) tls() *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS13,
		InsecureSkipVerify: true, // by names and authorities; VerifyConnection asks for the very certificate
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

// checkServe checks HOST:PORT of --serve, of which the host may be left out.
func checkServe(text string) (host, port string, err error) {
	if host, port, err = net.SplitHostPort(text); err != nil {
		return "", "", input.Badf("--serve %s: expected HOST:PORT or :PORT, such as :4222", text)
	}
	return host, port, nil
}
