package hub

import (
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"math/big"
	"net"
	"net/url"
	"os"
	"strings"

	"mmsim/cmd/mmsim/disk"
	"mmsim/cmd/mmsim/input"
)

// scheme begins the URL of a coordinator with a built-in server. Other URLs are those of NATS servers.
const scheme = "mmsim://"

// TokenVariable is the environment variable with the token of a coordinator: a private key, which
// both ends of a connection must have. The token is not part of the URL, because everyone on a
// machine can read the arguments of its processes.
const TokenVariable = "MMSIM_WORKER_TOKEN"

// tokenLimit limits the files with a token.
var tokenLimit = input.Limit{Name: "tokenBytesMax", Bytes: 4096, Expected: "the token that the command printed"}

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

// TokenIn reads the token in a file, which a killed coordinator left, so that a coordinator that is
// started again continues the session, and its workers recognise it. If there is none, or other users
// can read the file, it creates a token and writes it to the file, unless the name is empty. The lock
// on the result directory excludes other writers.
func TokenIn(file string) (token string, isOld bool, err error) {
	if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 == 0 {
		if token, err = ReadToken(file); err == nil {
			if _, err = mutual(token); err == nil {
				return token, true, nil
			}
		}
	}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return "", false, err
	}
	token = base64.RawURLEncoding.EncodeToString(key.Seed())
	if file != "" {
		_ = disk.Remove(file) // if there is a file and it remains, it cannot be created
		err = disk.Write(file, []byte(token), 0o600)
	}
	return token, false, err
}

// errOtherToken is the error for the other end of a connection that has another token.
var errOtherToken = input.Bad(errors.New("the server's certificate does not match the token: the URL or the token belongs to another coordinator"))

// mutual returns the TLS configuration for both ends of a connection. Each end shows a certificate
// with the key that the token is, and accepts only that key. So a worker and a coordinator recognise
// each other before either sends anything, and the token itself is never sent.
func mutual(token string) (*tls.Config, error) {
	seed, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(seed) != ed25519.SeedSize { // do not show the token
		return nil, input.Badf("got a token of %d characters, expected the coordinator's token in %s or --token-file FILE", len(token), TokenVariable)
	}
	key := ed25519.NewKeyFromSeed(seed)
	public := key.Public().(ed25519.PublicKey)
	template := &x509.Certificate{SerialNumber: big.NewInt(1)} // nobody looks at its names and dates
	certificate, err := x509.CreateCertificate(nil, template, template, public, key)
	return &tls.Config{
		MinVersion:         tls.VersionTLS13,
		Certificates:       []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}},
		ClientAuth:         tls.RequireAnyClientCert,
		InsecureSkipVerify: true, // VerifyConnection compares the keys instead
		VerifyConnection: func(state tls.ConnectionState) error {
			if len(state.PeerCertificates) == 0 || !public.Equal(state.PeerCertificates[0].PublicKey) {
				return errOtherToken
			}
			return nil
		},
	}, err
}

// hostOf returns the HOST:PORT of a coordinator, whose URL is mmsim://HOST:PORT.
func hostOf(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.User != nil || u.Hostname() == "" || u.Port() == "" || u.Path != "" { // do not show text: someone may have written a token into it
		return "", input.Badf("expected the URL that the coordinator prints, mmsim://HOST:PORT, and the token in %s or --token-file FILE", TokenVariable)
	}
	return u.Host, nil
}

// CheckServe checks the HOST:PORT of --serve. HOST may be empty.
func CheckServe(text string) error {
	if _, _, err := net.SplitHostPort(text); err != nil {
		return input.Badf("--serve %s: expected HOST:PORT or :PORT, such as :4222", text)
	}
	return nil
}
