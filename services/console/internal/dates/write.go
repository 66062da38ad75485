package dates

import (
	"slices"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/opening"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/price"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// write changes dates of the event as long as check allows it for the current version, to which l
// is set: others may have saved in between.
func (l *parent) write(r *page.Request, check func(parent) error, send func(client.Admin) error) error {
	return version.Write(r.Text, func() error {
		if err := check(*l); err != nil {
			return err
		}
		return send(r.Admin())
	}, func() (err error) {
		*l, err = load(r)
		return err
	})
}

// errGone means that the date no longer exists.
var errGone = fault.New(fault.NotFound, "gone", "another person has deleted this date")

// find returns a date of the event by its uuid.
func (l parent) find(uuid string) (adminapi.Date, bool) {
	at := slices.IndexFunc(l.event.Dates, func(d adminapi.Date) bool { return d.UUID == uuid })
	if at < 0 {
		return adminapi.Date{}, false
	}
	return l.event.Dates[at], true
}

// unchanged returns a check that a date still is as the form was filled with.
func unchanged(uuid, digest string) func(parent) error {
	return func(l parent) error {
		d, found := l.find(uuid)
		switch {
		case !found:
			return errGone
		case base(d) != digest:
			return version.ErrChanged
		}
		return nil
	}
}

// refusal returns the reason for a refused write, by fields where it names some, and whether the
// form can show it; all other errors belong to the page.
func refusal(err error) (errors view.Errors, message string, shown bool) {
	f := fault.Of(err)
	if f == nil {
		return nil, "", false
	}
	switch f.Kind {
	case fault.Invalid:
		return named(err), f.Message, true
	case fault.Forbidden, fault.Conflict, fault.TooLarge, fault.TooMany, fault.Unavailable:
		return nil, f.Message, true
	default:
		return nil, "", false
	}
}

// fieldsOf maps fields of the admin service to the fields of the forms that have other names.
var fieldsOf = map[string]string{
	"rrule": fieldUnit, "rdate": fieldFurther, "exdate": fieldShown, "venue_uuid": fieldPlace, "space_uuid": fieldPlace,
	"previous_start": fieldPreviousDay,
}

// named returns the errors of the admin service by the fields of the forms.
func named(err error) view.Errors {
	errors := view.Errors{}
	for field, reason := range view.ErrorsOf(err) {
		if other, known := fieldsOf[field]; known {
			field = other
		}
		if field = opening.FieldOf(field); field == price.FieldTariffs || strings.HasPrefix(field, price.FieldTariffs+"[") {
			field = fieldTariffs
		}
		if errors[field] == "" {
			errors[field] = reason
		}
	}
	return errors
}
