package hub

import (
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/nats-io/nuid"

	"mmsim/cmd/mmsim/disk"
	"mmsim/cmd/mmsim/input"
)

// scheme is the URL scheme of a coordinator with a built-in server. A URL with another scheme
// is that of a NATS server.
const scheme = "mmsim"

// TokenVariable is the environment variable with the token of a coordinator. The token is not part
// of the URL, because everyone on a machine can read the arguments of its processes.
const TokenVariable = "MMSIM_WORKER_TOKEN"

// A Secret has the name of a session, and the token that protects a coordinator with a built-in
// server. It is kept in a file beside the result directory, so that a coordinator that was killed
// and restarted continues its session, and its workers recognise it.
type Secret struct {
	Session string `json:"session"`
	Token   string `json:"token"` // a private key, which both ends of a connection must have
}

// secretLimit limits the files with a secret or a token.
var secretLimit = input.Limit{Name: "secretBytesMax", Bytes: 4096, Expected: "the token that the command printed"}

// ReadToken returns the token in a file or, if name is empty, in the environment.
func ReadToken(name string) (string, error) {
	if name == "" {
		return strings.TrimSpace(os.Getenv(TokenVariable)), nil
	}
	text, err := input.ReadRegular(name, secretLimit)
	if err != nil {
		return "", input.Bad(err)
	}
	return strings.TrimSpace(string(text)), nil
}

// SecretIn reads the secret in file. If there is none, it creates a secret and writes it to
// file, unless file is empty. isOld is true if a killed coordinator left the secret.
func SecretIn(file string) (s *Secret, isOld bool, err error) {
	if file != "" {
		s, err = readSecret(file)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return s, true, err
		}
	}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, false, err
	}
	s = &Secret{nuid.Next(), base64.RawURLEncoding.EncodeToString(key.Seed())}
	if file != "" {
		err = s.write(file)
	}
	return s, false, err
}

// write writes the secret to a new file. The file is created with its final permissions, so that
// other users can never read it. The lock on the directory excludes other writers.
func (s *Secret) write(file string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("writing the secret of the coordinator: %w", err)
	}
	f, err := disk.Create(file, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// readSecret reads the secret of a killed coordinator. If the file is broken or other users
// can read it, readSecret removes it and returns fs.ErrNotExist.
func readSecret(file string) (*Secret, error) {
	info, err := os.Lstat(file)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() && info.Mode().Perm()&0o077 == 0 && info.Size() <= secretLimit.Bytes {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var s Secret
		if json.Unmarshal(text, &s) == nil && isSessionName(s.Session) {
			if _, err := mutual(s.Token); err == nil {
				return &s, nil
			}
		}
	}
	if err := disk.Remove(file); err != nil {
		return nil, err
	}
	return nil, fs.ErrNotExist
}

// isSessionName reports whether text can be the name of a session, which is part of the names of
// streams.
func isSessionName(text string) bool {
	isOther := func(c rune) bool { return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') }
	return text != "" && len(text) <= 64 && strings.IndexFunc(text, isOther) < 0
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

// parseURL returns the HOST:PORT of a coordinator with a built-in server, whose URL is
// mmsim://HOST:PORT. ours is false if text is the URL of a NATS server.
func parseURL(text string) (host string, ours bool, err error) {
	if !strings.HasPrefix(text, scheme+"://") {
		return "", false, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.User != nil || u.Hostname() == "" || u.Port() == "" || u.Path != "" { // do not show text: someone may have written a token into it
		return "", true, input.Badf("expected the URL that the coordinator prints, mmsim://HOST:PORT, and the token in %s or --token-file FILE", TokenVariable)
	}
	return u.Host, true, nil
}

// CheckServe checks the HOST:PORT of --serve. HOST may be empty.
func CheckServe(text string) error {
	if _, _, err := net.SplitHostPort(text); err != nil {
		return input.Badf("--serve %s: expected HOST:PORT or :PORT, such as :4222", text)
	}
	return nil
}
