package editing

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/pkg/media/blob"
	"litfass/services/admin/internal/catalogue/recurrence"
	"litfass/services/admin/internal/catalogue/rules"
)

// maxShift is the maximum number of days by which a duplicate's dates are moved: a hundred years.
const maxShift = 36_525

// Duplication configures the dates of a duplicate.
type Duplication struct {
	ShiftDays     int // may be negative
	LeaveOutDates bool
}

// DuplicateEvent adds to an event's organization a draft that equals it except for the uuids, its
// release date, its labels, and the statuses and tickets of its dates. Its images have files of
// their own; an image whose file is missing in the store is left out. It returns the faults of
// reading the event and of adding one; Conflict for an event that is taken back; Invalid names the
// fields of Duplication.
func (i *Images) DuplicateEvent(
	ctx context.Context, at Target, how Duplication,
) (created Versioned[EventView], err error) {
	original, err := i.readToDuplicate(ctx, at)
	if err = cmp.Or(err, how.check()); err != nil {
		return created, err
	}
	duplicate, err := how.duplicate(original)
	if err != nil {
		return created, err
	}
	images := duplicate.Images
	if duplicate.Images, err = i.copyFiles(ctx, original.Images, images); err != nil {
		i.discard(ctx, images...)
		return created, err
	}
	duplicate.DropTextsOfImages()
	if created, err = i.Editor.insertEvent(ctx, duplicate, ofShift(rules.CheckValues(duplicate))); notStored(err) {
		i.discard(ctx, images...)
	}
	return created, err
}

// readToDuplicate returns an event to members who may add one like it. The rights that it claims
// elsewhere are checked when it is added.
func (i *Images) readToDuplicate(ctx context.Context, at Target) (event *rules.Event, err error) {
	err = i.Editor.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		stored, _, err := events.load(ctx, tx, at, events.addRight)
		if err != nil {
			return err
		}
		event = stored.Entity
		return refuseTakenBack(ctx, tx, at.Key) // the duplicate could be released
	})
	return event, err
}

// copyFiles gives each image of a duplicate a copy of the file of the original's image in the same
// place, and returns the images that have one.
func (i *Images) copyFiles(ctx context.Context, originals, images []rules.Image) (copied []rules.Image, err error) {
	if i.Blobs == nil {
		return nil, nil
	}
	for place, image := range images {
		err := i.Blobs.Copy(ctx, blob.OriginalKey(originals[place].UUID), blob.OriginalKey(image.UUID))
		switch {
		case err == nil:
			copied = append(copied, image)
		case !errors.Is(err, blob.ErrGone):
			return nil, err
		}
	}
	return copied, nil
}

func (how Duplication) check() error {
	var bad fault.Violations
	if how.ShiftDays < -maxShift || how.ShiftDays > maxShift {
		bad.Add("shift_days", reason.NotBetween(float64(-maxShift), float64(maxShift)))
	}
	if how.LeaveOutDates && how.ShiftDays != 0 {
		bad.Add("shift_days", reason.DatesLeftOut)
	}
	return bad.Err("invalid_parameters", "some fields are not right")
}

// duplicate returns the duplicate of a stored event.
func (how Duplication) duplicate(original *rules.Event) (*rules.Event, error) {
	e, err := clone(original)
	if err != nil {
		return nil, err
	}
	if e.UUID, err = newUUID(); err != nil {
		return nil, err
	}
	e.ReleaseStatus, e.ReleaseDate, e.StatusNote, e.Labels = rules.StatusDraft, nil, "", nil
	e.StatusChangedAt = ""
	for i := range e.EventLinks {
		e.EventLinks[i].UUID = "" // insert gives them new ones
	}
	e.DropStatusNotes()
	renamed := map[string]string{}
	for i, image := range e.Images {
		if e.Images[i].UUID, err = newUUID(); err != nil {
			return nil, err
		}
		renamed[image.UUID] = e.Images[i].UUID
	}
	e.MoveTextsOfImages(renamed)
	if how.LeaveOutDates {
		e.MoveTextsOfDates(nil)
		e.Dates, e.DateRules = nil, nil
		return e, nil
	}
	for i := range e.Dates {
		d := &e.Dates[i]
		original := d.UUID
		if d.UUID, err = newUUID(); err != nil {
			return nil, err
		}
		renamed[original] = d.UUID
		d.ReleaseStatus, d.StatusNote = rules.StatusInherited, ""
		d.DateTickets, d.PreviousStart, d.StatusChangedAt = adminapi.DateTickets{}, "", ""
		d.StartDate, d.EndDate = addDays(d.StartDate, how.ShiftDays), value.Text(addDays(string(d.EndDate), how.ShiftDays))
	}
	e.MoveTextsOfDates(renamed)
	for i := range e.DateRules {
		if err := how.duplicateRule(e, i); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// duplicateRule gives a rule of a duplicate a uuid of its own. A rule whose dates move becomes a
// list of them: moved by a day, the dates of a rule for every Tuesday are Wednesdays.
func (how Duplication) duplicateRule(e *rules.Event, place int) error {
	rule := &e.DateRules[place]
	old, uuid := value.Text(rule.UUID), ""
	series, err := rule.Series(), error(nil)
	if how.ShiftDays != 0 {
		series, err = listed(series, originalsOf(e, old), how.ShiftDays)
	}
	if err == nil {
		uuid, err = newUUID()
	}
	if err != nil {
		return err
	}
	for i := range e.Dates {
		if d := &e.Dates[i]; d.RuleUUID == old {
			d.RuleUUID, d.RecurrenceID = value.Text(uuid), value.Text(shiftID(string(d.RecurrenceID), how.ShiftDays))
		}
	}
	*rule, err = rules.NewDateRule(uuid, series)
	return ofShift(err)
}

// shiftID moves the start of a date in its rule by some days.
func shiftID(id string, days int) string {
	day, clock, timed := strings.Cut(id, "T")
	o := recurrence.Occurrence{StartDate: addDays(day, days)}
	if timed {
		o.StartTime = clock
	}
	return o.ID()
}

// ofShift makes a fault about dates that were valid before they were moved one about the move.
func ofShift(err error) error {
	if !fault.Is(err, fault.Invalid) {
		return err
	}
	moved := func(v fault.Violation) bool { return strings.Contains(v.Field, "date") }
	if !slices.ContainsFunc(fault.Of(err).Violations, moved) {
		return err
	}
	return invalid(rules.KindEvent, fault.Violations{
		fault.Violate("shift_days", reason.ShiftOutOfRange(1900, 2999)),
	})
}
