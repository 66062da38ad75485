// Package mailtest is an SMTP server inside the test process. It keeps what it is given.
package mailtest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// User and Password are the ones that a server with authentication knows.
const (
	User     = "litfass"
	Password = "s3cret/with?signs"
)

// Options are how a server behaves.
type Options struct {
	Address  string // where it listens; default: a port of its own
	TLS      bool   // it offers STARTTLS, with the certificate of Server.Roots
	Login    bool   // it takes mail only after a login, and that only over TLS
	RcptTo   func(address string) error
	Received func() error // asked when a mail has arrived; an error refuses it
}

// Received is one mail that the server has taken.
type Received struct {
	From, To string
	TLS      bool
	Login    string
	Raw      []byte
}

// Server is a running SMTP server.
type Server struct {
	Address string
	Roots   *x509.CertPool // trusts the server's certificate

	options  Options
	listener net.Listener
	server   *smtp.Server
	mutex    sync.Mutex
	mails    []Received
}

// Start runs a server until the test ends or Stop is called.
func Start(t testing.TB, options Options) *Server {
	t.Helper()
	s := &Server{options: options, Roots: x509.NewCertPool()}
	address := options.Address
	if address == "" {
		address = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	s.Address, s.listener = listener.Addr().String(), listener
	s.server = smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &session{server: s, conn: c}, nil
	}))
	s.server.Domain = "localhost"
	s.server.ErrorLog = quiet{}
	if options.TLS {
		s.server.TLSConfig = s.certificate(t)
	}
	go func() { _ = s.server.Serve(listener) }()
	t.Cleanup(s.Stop)
	return s
}

// Stop ends the server and every connection to it.
func (s *Server) Stop() {
	_ = s.listener.Close() // also when the server has not begun to listen
	_ = s.server.Close()
}

// Mails returns what was received so far.
func (s *Server) Mails() []Received {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]Received{}, s.mails...)
}

// certificate makes one for 127.0.0.1 and trusts it in Roots.
func (s *Server) certificate(t testing.TB) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	s.Roots.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

type session struct {
	server *Server
	conn   *smtp.Conn
	mail   Received
}

func (s *session) Reset()        { s.mail = Received{Login: s.mail.Login} }
func (s *session) Logout() error { return nil }

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.server.options.Login && s.mail.Login == "" {
		return &smtp.SMTPError{Code: 530, EnhancedCode: smtp.EnhancedCode{5, 7, 0}, Message: "log in first"}
	}
	s.mail.From = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.server.options.RcptTo != nil {
		if err := s.server.options.RcptTo(to); err != nil {
			return err
		}
	}
	s.mail.To = to
	return nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if s.server.options.Received != nil {
		if err := s.server.options.Received(); err != nil {
			return err
		}
	}
	_, s.mail.TLS = s.conn.TLSConnectionState()
	s.mail.Raw = raw
	s.server.mutex.Lock()
	defer s.server.mutex.Unlock()
	s.server.mails = append(s.server.mails, s.mail)
	return nil
}

// AuthMechanisms returns PLAIN, which is offered by a server with authentication.
func (s *session) AuthMechanisms() []string {
	if !s.server.options.Login {
		return nil
	}
	return []string{sasl.Plain}
}

// Auth checks a login.
func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, username, password string) error {
		if username != User || password != Password {
			return errors.New("wrong user or password")
		}
		s.mail.Login = username
		return nil
	}), nil
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

// Parsed is a mail as its reader sees it.
type Parsed struct {
	Header  netmail.Header
	Subject string
	Text    string
	HTML    string
}

// Parse decodes a mail with a text and an HTML part.
func (r Received) Parse(t testing.TB) Parsed {
	t.Helper()
	mail, err := netmail.ReadMessage(bytes.NewReader(r.Raw))
	if err != nil {
		t.Fatal(err)
	}
	parsed := Parsed{Header: mail.Header}
	if parsed.Subject, err = new(mime.WordDecoder).DecodeHeader(mail.Header.Get("Subject")); err != nil {
		t.Fatal(err)
	}
	_, parameters, err := mime.ParseMediaType(mail.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	parts := multipart.NewReader(mail.Body, parameters["boundary"])
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return parsed
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(content), "\r\n", "\n")
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			parsed.HTML = text
		} else {
			parsed.Text = text
		}
	}
}
