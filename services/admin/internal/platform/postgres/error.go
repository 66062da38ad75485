package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"litfass/pkg/chassis/fault"
)

// The SQLSTATE codes and classes that the package acts on.
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	foreignKeyViolation  = "23503"

	classConnection   = "08"
	classData         = "22" // a value that its type does not allow
	classIntegrity    = "23" // a constraint
	classResources    = "53" // for example too many connections
	classIntervention = "57" // the server shuts down or starts up; but also queryCanceled
	queryCanceled     = "57014"

	lockNotAvailable   = "55P03"
	tooManyConnections = "53300"
)

// Refused reports whether the database refused the values of a write, and by which constraint; ""
// for a value that its type does not allow.
func Refused(err error) (constraint string, refused bool) {
	var reason *pgconn.PgError
	if !errors.As(err, &reason) || !inClass(reason, classIntegrity, classData) {
		return "", false
	}
	return reason.ConstraintName, true
}

// retryAfter is the Retry-After while the database cannot be reached.
const retryAfter = 2 * time.Second

// busyAfter is the Retry-After of a fault with the code busy.
const busyAfter = time.Second

const tooMuchAtOnce = "too much is being done at once; try again in a moment"

const othersSave = "others are saving the same; try again in a moment"

func errBusy(cause error, message string) error {
	f := fault.Wrap(cause, fault.Unavailable, "busy", "%s", message)
	f.RetryAfter = busyAfter
	return f
}

// asUnavailable converts an error of the connection to an Unavailable fault, also that of a
// statement which waited too long or was cancelled. It returns any other error unchanged.
func asUnavailable(err error) error {
	var known *fault.Fault
	var refused *pgconn.PgError
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.As(err, &refused) && (refused.Code == lockNotAvailable || refused.Code == queryCanceled):
		return errBusy(err, othersSave)
	case errors.As(err, &refused) && refused.Code == tooManyConnections:
		return errBusy(err, tooMuchAtOnce)
	case !unreachable(err):
		return err
	}
	f := fault.Wrap(err, fault.Unavailable, "database_unavailable", "the database cannot be reached")
	f.RetryAfter = retryAfter
	return f
}

func unreachable(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return inClass(refused, classConnection, classResources, classIntervention)
	}
	var network net.Error
	var connect *pgconn.ConnectError
	switch {
	case errors.Is(err, context.Canceled):
		return false
	case errors.As(err, &connect), errors.As(err, &network), errors.Is(err, context.DeadlineExceeded):
		return true
	default: // the connection was lost
		return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err)
	}
}

func inClass(err *pgconn.PgError, classes ...string) bool {
	for _, class := range classes {
		if strings.HasPrefix(err.Code, class) {
			return true
		}
	}
	return false
}
