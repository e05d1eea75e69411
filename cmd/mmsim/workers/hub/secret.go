package hub

import (
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nkeys"
	"github.com/nats-io/nuid"

	"mmsim/cmd/mmsim/disk"
)

// A Secret has the name of a session, and protects a coordinator with a built-in server. Workers
// must present its token, and they recognise the coordinator by its certificate. The secret is
// kept in a file beside the result directory, so that a coordinator that was killed and restarted
// continues its session, and its workers recognise it.
type Secret struct {
	Session     string `json:"session"`
	Token       string `json:"token"`
	Certificate []byte `json:"certificate"` // DER
	Key         []byte `json:"key"`         // PKCS #8
}

// secretBytesMax limits the size of the file with the secret.
const secretBytesMax = 1 << 16

// SecretIn reads the secret in file. If there is none, it creates a secret and writes it to
// file, unless file is empty. isOld is true if a killed coordinator left the secret.
func SecretIn(file string) (s *Secret, isOld bool, err error) {
	if file == "" {
		s, err = newSecret()
		return s, false, err
	}
	s, err = readSecret(file)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return s, true, err
	}
	if s, err = newSecret(); err != nil {
		return nil, false, err
	}
	return s, false, s.write(file)
}

// write writes the secret to a new file.
func (s *Secret) write(file string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("writing the secret of the coordinator: %w", err)
	}
	// The file is created with its final permissions, so that other users can never read it.
	// The lock on the directory excludes other writers.
	f, err := disk.Create(file, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// readSecret reads the secret of a killed coordinator. If the file is broken or other users
// can read it, readSecret removes it and returns fs.ErrNotExist.
func readSecret(file string) (*Secret, error) {
	info, err := os.Lstat(file)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() && info.Mode().Perm()&0o077 == 0 && info.Size() <= secretBytesMax {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var s Secret
		if json.Unmarshal(text, &s) == nil && s.Token != "" && isSessionName(s.Session) {
			if _, err := s.tls(); err == nil {
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

// newSecret generates a token and a self-signed certificate. The certificate has no names,
// because workers recognise it by its fingerprint.
func newSecret() (*Secret, error) {
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	token, err := pair.Seed() // 32 random bytes
	if err != nil {
		return nil, err
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Now().Add(-24 * time.Hour),
		NotAfter:     time.Now().AddDate(10, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	s := &Secret{Session: nuid.Next(), Token: string(token)}
	if s.Certificate, err = x509.CreateCertificate(nil, &template, &template, public, key); err != nil {
		return nil, err
	}
	s.Key, err = x509.MarshalPKCS8PrivateKey(key)
	return s, err
}

// tls returns the TLS configuration of the server.
func (s *Secret) tls() (*tls.Config, error) {
	key, err := x509.ParsePKCS8PrivateKey(s.Key)
	if err != nil {
		return nil, err
	}
	if _, err := x509.ParseCertificate(s.Certificate); err != nil {
		return nil, err
	}
	certificate := tls.Certificate{Certificate: [][]byte{s.Certificate}, PrivateKey: key}
	return &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{certificate}}, nil
}
