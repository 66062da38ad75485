package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// Transport delivers mails. Send returns nil once the next server has accepted the mail, a
// *RefusedError when that server will never accept it, a *DownError when it accepts no mail at the
// moment, and any other error when this mail may be retried.
type Transport interface {
	Send(ctx context.Context, message Message) error
}

// RefusedError is a mail that will never be delivered.
type RefusedError struct{ cause error }

// Error returns the server's answer.
func (r *RefusedError) Error() string { return "refused: " + r.cause.Error() }

// Unwrap returns the cause.
func (r *RefusedError) Unwrap() error { return r.cause }

// DownError is a server that cannot be reached or refuses the login.
type DownError struct{ cause error }

// Error returns the cause as text.
func (d *DownError) Error() string { return "mail server: " + d.cause.Error() }

// Unwrap returns the cause.
func (d *DownError) Unwrap() error { return d.cause }

// Config is the configuration of mails. With neither URL nor Dir they wait in the queue.
type Config struct {
	// URL is smtp://user:password@host:port or smtps:// for TLS from the first byte. Over smtp the
	// server must offer STARTTLS, unless the query has tls=opportunistic or tls=none.
	URL  string `env:"MAIL_URL"`
	Dir  string `env:"MAIL_DIR"` // for development, without URL: a folder for .eml files
	From string `env:"MAIL_FROM" envDefault:"Litfass <litfass@localhost>"`

	Attempts int           `env:"MAIL_ATTEMPTS" envDefault:"75"` // after which a mail is given up: three days
	Timeout  time.Duration `env:"MAIL_TIMEOUT" envDefault:"20s"` // of one delivery

	TLS *tls.Config `env:"-"` // default: the system's certificates
}

// NewTransport returns the transport that the configuration describes, or nil when it describes
// none.
func NewTransport(config Config, log *slog.Logger) (Transport, error) {
	switch {
	case config.URL != "":
		return newSMTP(config)
	case config.Dir != "":
		return &folder{config.Dir, log}, os.MkdirAll(config.Dir, 0o750)
	default:
		return nil, nil
	}
}

// smtpServer delivers to one SMTP server, over a new connection for each mail.
type smtpServer struct{ client *gomail.Client }

func newSMTP(config Config) (*smtpServer, error) {
	address, err := url.Parse(config.URL)
	if err != nil || address.Hostname() == "" {
		return nil, errors.New("MAIL_URL is not smtp://user:password@host:port") // its text may hold the password
	}
	options := []gomail.Option{gomail.WithTimeout(config.Timeout), gomail.WithoutRset(), gomail.WithoutNoop()}
	secure, err := security(address)
	if err != nil {
		return nil, err
	}
	options = append(options, secure...)
	if address.Port() != "" {
		port, err := strconv.Atoi(address.Port())
		if err != nil {
			return nil, errors.New("MAIL_URL has no port number")
		}
		options = append(options, gomail.WithPort(port))
	}
	if address.User != nil {
		password, _ := address.User.Password()
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(address.User.Username()), gomail.WithPassword(password))
	}
	if config.TLS != nil {
		own := config.TLS.Clone()
		own.ServerName = address.Hostname()
		options = append(options, gomail.WithTLSConfig(own))
	}
	client, err := gomail.NewClient(address.Hostname(), options...)
	if err != nil {
		return nil, fmt.Errorf("MAIL_URL: %w", err)
	}
	return &smtpServer{client}, nil
}

// security returns the options for the scheme and the parameter tls of MAIL_URL.
func security(address *url.URL) ([]gomail.Option, error) {
	asked := address.Query().Get("tls")
	switch {
	case address.Scheme == "smtps" && asked == "":
		return []gomail.Option{gomail.WithPort(465), gomail.WithSSL()}, nil
	case address.Scheme != "smtp":
		return nil, errors.New("MAIL_URL must begin with smtp:// or smtps://, and tls requires smtp://")
	case asked == "" || asked == "required":
		return []gomail.Option{gomail.WithPort(587), gomail.WithTLSPolicy(gomail.TLSMandatory)}, nil
	case asked == "opportunistic":
		return []gomail.Option{gomail.WithPort(587), gomail.WithTLSPolicy(gomail.TLSOpportunistic)}, nil
	case asked == "none":
		return []gomail.Option{gomail.WithPort(25), gomail.WithTLSPolicy(gomail.NoTLS)}, nil
	default:
		return nil, errors.New("tls in MAIL_URL must be required, opportunistic or none")
	}
}

func (s *smtpServer) Send(ctx context.Context, message Message) error {
	msg, err := message.mime()
	if err != nil {
		return &RefusedError{err}
	}
	connection, err := s.client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return &DownError{err}
	}
	defer s.client.CloseWithSMTPClient(connection) //nolint:errcheck // the mail was accepted or is tried again
	err = s.client.SendWithSMTPClient(connection, msg)
	if err == nil || msg.IsDelivered() {
		return nil
	}
	return classify(err)
}

// classify marks the errors that a further attempt cannot change.
func classify(err error) error {
	var failed *gomail.SendError
	if !errors.As(err, &failed) || failed.IsTemp() || failed.ErrorCode() < 500 {
		return err
	}
	if failed.Reason == gomail.ErrSMTPMailFrom { // it refuses our address: a mistake of configuration
		return &DownError{err}
	}
	return &RefusedError{err}
}

// folder writes mails to files, for development without a mail server. Files and log name a mail
// by its number: its recipient is private, and its link is a secret.
type folder struct {
	dir string
	log *slog.Logger
}

func (f *folder) Send(ctx context.Context, message Message) error {
	msg, err := message.mime()
	if err != nil {
		return &RefusedError{err}
	}
	number, _, _ := strings.Cut(message.ID, ".") // unique among mails of the same moment
	name := message.Date.UTC().Format("20060102-150405.000") + "-" + number + ".eml"
	file := filepath.Join(f.dir, name)
	if err := msg.WriteToFile(file); err != nil {
		return &DownError{err}
	}
	f.log.LogAttrs(ctx, slog.LevelInfo, "mail written", slog.String("mail", number))
	return nil
}

// ParseFrom returns the sender of MAIL_FROM.
func ParseFrom(from string) (netmail.Address, error) {
	address, err := netmail.ParseAddress(from)
	if err != nil {
		return netmail.Address{}, fmt.Errorf("MAIL_FROM: %w", err)
	}
	return *address, nil
}
