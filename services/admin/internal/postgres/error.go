package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"litfass/pkg/fault"
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

// rule is what a constraint of the schema means to somebody whose write it refused.
type rule struct {
	kind          fault.Kind
	field, reason string
}

// rules are the constraints that only the database can judge. The others repeat what package catalog checks.
var rules = map[string]rule{
	"event_date_pkey":                    {fault.Conflict, "dates", "holds the uuid of another event's date"},
	"event_image_pkey":                   {fault.Conflict, "images", "holds the uuid of another event's image"},
	"organization_holding_org_uuid_fkey": {fault.Invalid, "holding_org_uuid", "names no organization"},
	"venue_org_uuid_fkey":                {fault.Invalid, "org_uuid", "names no organization"},
	"space_venue_uuid_fkey":              {fault.Invalid, "venue_uuid", "names no venue"},
	"event_org_uuid_fkey":                {fault.Invalid, "org_uuid", "names no organization"},
	"event_venue_uuid_fkey":              {fault.Invalid, "venue_uuid", "names no venue"},
	"event_space_of_venue":               {fault.Invalid, "space_uuid", "names no space of the venue"},
	"event_date_venue_uuid_fkey":         {fault.Invalid, "dates", "names no venue"},
	"event_date_space_of_venue":          {fault.Invalid, "dates", "names no space of the venue"},
	"event_type_genre_of_type":           {fault.Invalid, "event_types", "names no genre of the type"},
}

// Refusal returns the fault that tells a client why the database refused to write something, without its own words, or nil
// when err is of another sort. Whatever the schema refuses beyond the rules named here is Invalid without a field.
func Refusal(err error) *fault.Fault {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || !inClass(refused, classIntegrity, classData) {
		return nil
	}
	known, ok := rules[refused.ConstraintName]
	if !ok {
		return fault.Wrap(err, fault.Invalid, "refused", "the catalogue does not admit this")
	}
	f := fault.Wrap(err, known.kind, "refused", "the catalogue does not admit this")
	f.Violations = fault.Violations{{Field: known.field, Reason: known.reason}}
	return f
}

// retryAfter is what a client is told to wait when the database cannot be reached.
const retryAfter = 2 * time.Second

// asUnavailable makes an error of reaching the database a fault of that kind, and returns every other one as it is.
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
