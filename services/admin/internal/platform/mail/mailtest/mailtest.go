// Package mailtest is an SMTP server inside the test process. It stores the received mails.
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

// User and Password are the credentials of a server with authentication.
const (
	User     = "litfass"
	Password = "s3cret/with?signs"
)

// Options are the options of a server.
type Options struct {
	Address string // to listen on; default: a free port
	TLS     bool   // offers STARTTLS, with the certificate of Server.Roots
	Login   bool   // requires a login, which requires TLS
	RcptTo  func(address string) error
	OnMail  func() error // called for each mail; an error refuses it
}

// Mail is a mail that the server has accepted.
type Mail struct {
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
	mails    []Mail
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

// Mails returns the mails so far.
func (s *Server) Mails() []Mail {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]Mail{}, s.mails...)
}

// certificate creates a certificate for 127.0.0.1 and adds it to Roots.
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
	mail   Mail
}

func (s *session) Reset()        { s.mail = Mail{Login: s.mail.Login} }
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
	if s.server.options.OnMail != nil {
		if err := s.server.options.OnMail(); err != nil {
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

// AuthMechanisms returns PLAIN for a server with authentication.
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

// Content is the decoded content of a mail.
type Content struct {
	Header  netmail.Header
	Subject string
	Text    string
	HTML    string
}

// Parse decodes a mail with a text and an HTML part.
func (r Mail) Parse(t testing.TB) Content {
	t.Helper()
	mail, err := netmail.ReadMessage(bytes.NewReader(r.Raw))
	if err != nil {
		t.Fatal(err)
	}
	parsed := Content{Header: mail.Header}
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
