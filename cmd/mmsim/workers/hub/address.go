package hub

import (
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"net"
	"net/url"
	"os"
	"strings"

	"mmsim/cmd/mmsim/input"
)

// scheme is the URL scheme of a coordinator with a built-in server. A URL with another scheme
// is that of a NATS server.
const scheme = "mmsim"

// TokenVariable is the environment variable with the token of a coordinator. The token is not part
// of the URL, because everyone on a machine can read the arguments of its processes.
const TokenVariable = "MMSIM_WORKER_TOKEN"

// ReadToken returns the token in a file or, if name is empty, in the environment.
func ReadToken(name string) (string, error) {
	if name == "" {
		return strings.TrimSpace(os.Getenv(TokenVariable)), nil
	}
	text, err := input.ReadRegular(name, tokenLimit)
	if err != nil {
		return "", input.Bad(err)
	}
	return strings.TrimSpace(string(text)), nil
}

var tokenLimit = input.Limit{Name: "tokenBytesMax", Bytes: 4096, Expected: "the token that the command printed"}

// An address is what a worker needs to find a coordinator with a built-in server. It is written as
// mmsim://HOST:PORT/FINGERPRINT. The fingerprint is a hash of the server's certificate.
type address struct {
	host        string // HOST:PORT
	fingerprint string
}

func (a address) String() string {
	return (&url.URL{Scheme: scheme, Host: a.host, Path: "/" + a.fingerprint}).String()
}

// parseAddress parses an address. ours is false if text is the URL of a NATS server.
func parseAddress(text string) (a address, ours bool, err error) {
	if !strings.HasPrefix(text, scheme+"://") {
		return a, false, nil
	}
	const expected = "expected the URL that the coordinator prints, mmsim://HOST:PORT/FINGERPRINT, and the token in " + TokenVariable + " or --token-file FILE"
	u, err := url.Parse(text)
	if err != nil { // do not wrap err: its text contains a token that someone wrote into the URL
		return a, true, input.Bad(errors.New(expected))
	}
	a = address{host: u.Host, fingerprint: strings.TrimPrefix(u.Path, "/")}
	sum, err := base64.RawURLEncoding.DecodeString(a.fingerprint)
	if err != nil || len(sum) != sha256.Size || u.User != nil || u.Hostname() == "" || u.Port() == "" {
		return a, true, input.Bad(errors.New(expected))
	}
	return a, true, nil
}

// fingerprintOf returns the hash of a certificate in the form that addresses contain.
func fingerprintOf(certificate []byte) string {
	sum := sha256.Sum256(certificate)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// errOtherCertificate is the error for a server whose certificate is not the one in the address.
var errOtherCertificate = input.Bad(errors.New("the server's certificate does not match the URL: it belongs to another coordinator"))

// tls returns a configuration that accepts only the certificate with the fingerprint. The
// names and dates in the certificate do not matter.
func (a address) tls() *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS13,
		InsecureSkipVerify: true, // VerifyConnection compares the certificate instead
		VerifyConnection: func(state tls.ConnectionState) error {
			if len(state.PeerCertificates) == 0 {
				return errOtherCertificate
			}
			shown := fingerprintOf(state.PeerCertificates[0].Raw)
			if subtle.ConstantTimeCompare([]byte(shown), []byte(a.fingerprint)) != 1 {
				return errOtherCertificate
			}
			return nil
		},
	}
}

// CheckServe splits the HOST:PORT of --serve. HOST may be empty.
func CheckServe(text string) (host, port string, err error) {
	if host, port, err = net.SplitHostPort(text); err != nil {
		return "", "", input.Badf("--serve %s: expected HOST:PORT or :PORT, such as :4222", text)
	}
	return host, port, nil
}
