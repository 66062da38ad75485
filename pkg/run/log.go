package run

import (
	"fmt"
	"io"
	"log/slog"
	"os"
)

// Format is how log lines are written: FormatJSON or FormatText.
type Format string

// The values of LOG_FORMAT.
const (
	FormatJSON Format = "json"
	FormatText Format = "text"
)

// UnmarshalText reads LOG_FORMAT; anything but its two values is an error.
func (f *Format) UnmarshalText(text []byte) error {
	switch Format(text) {
	case FormatJSON, FormatText:
		*f = Format(text)
		return nil
	default:
		return fmt.Errorf("%q is neither %s nor %s", text, FormatJSON, FormatText)
	}
}

// Logger returns the service's logger. It writes to standard error, so that commands can write data
// to standard output.
func (c Common) Logger(service string) *slog.Logger { return c.logger(os.Stderr, service) }

func (c Common) logger(w io.Writer, service string) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	var handler slog.Handler = slog.NewJSONHandler(w, options)
	if c.LogFormat == FormatText {
		handler = slog.NewTextHandler(w, options)
	}
	return slog.New(handler).With("service", service)
}
