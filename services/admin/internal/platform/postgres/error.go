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

	classConnection   = "08"
	classData         = "22" // a value that its type does not admit
	classIntegrity    = "23" // a constraint
	classResources    = "53" // for example too many connections
	classIntervention = "57" // the server shuts down or starts up; but also a cancelled query
	queryCanceled     = "57014"
)

// Refused reports whether the database refused a write for what it says, and by which constraint;
// "" when it is a value that its type does not admit.
func Refused(err error) (constraint string, refused bool) {
	var reason *pgconn.PgError
	if !errors.As(err, &reason) || !inClass(reason, classIntegrity, classData) {
		return "", false
	}
	return reason.ConstraintName, true
}

// retryAfter is how long a client is asked to wait when the database cannot be reached.
const retryAfter = 2 * time.Second

// asUnavailable makes an error of reaching the database a fault of that kind, and returns every
// other one as it is.
func asUnavailable(err error) error {
	if err == nil || !unreachable(err) {
		return err
	}
	f := fault.Wrap(err, fault.Unavailable, "database_unavailable", "the database cannot be reached")
	f.RetryAfter = retryAfter
	return f
}

func unreachable(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return inClass(refused, classConnection, classResources, classIntervention) && refused.Code != queryCanceled
	}
	var network net.Error
	var connect *pgconn.ConnectError
	switch {
	case errors.Is(err, context.Canceled):
		return false
	case errors.As(err, &connect), errors.As(err, &network), errors.Is(err, context.DeadlineExceeded):
		return true
	default: // a connection that ended under way, or before the query was sent
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
