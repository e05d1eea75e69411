package workers

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
	"time"

	"github.com/nats-io/nkeys"
)

// A secret is what makes a coordinator with its server inside safe: the token that workers
// must have, and the certificate that they recognise it by. It is kept in a file of the result
// directory's holder, so that workers find a coordinator again that was killed and restarted.
type secret struct {
	Token       string `json:"token"`
	Certificate []byte `json:"certificate"` // DER
	Key         []byte `json:"key"`         // PKCS #8
}

// secretBytesMax bounds the file.
const secretBytesMax = 1 << 16

// secretIn reads the secret in a file, or makes one and writes it there; "" is no file. It was
// left by a coordinator that was killed if isOld.
func secretIn(file string) (s *secret, isOld bool, err error) {
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

// write writes the secret into a new file.
func (s *secret) write(file string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("writing the secret of the coordinator: %w", err)
	}
	// The holder of the directory is alone, and others may not read the file at any instant.
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// readSecret reads the secret that a killed coordinator left. One that others may read, or
// that is broken, is removed: it does not exist.
func readSecret(file string) (*secret, error) {
	info, err := os.Lstat(file)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() && info.Mode().Perm()&0o077 == 0 && info.Size() <= secretBytesMax {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var s secret
		if json.Unmarshal(text, &s) == nil && s.Token != "" {
			if _, err := s.tls(); err == nil {
				return &s, nil
			}
		}
	}
	if err := os.Remove(file); err != nil {
		return nil, err
	}
	return nil, fs.ErrNotExist
}

// newSecret draws a token and makes a certificate that signs itself. It names nobody: workers
// know it by its fingerprint.
func newSecret() (*secret, error) {
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	token, err := pair.Seed() // of 32 random bytes
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
	s := &secret{Token: string(token)}
	if s.Certificate, err = x509.CreateCertificate(nil, &template, &template, public, key); err != nil {
		return nil, err
	}
	s.Key, err = x509.MarshalPKCS8PrivateKey(key)
	return s, err
}

// tls is the side of the server.
func (s *secret) tls() (*tls.Config, error) {
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
