package eventimport

import (
	"context"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/remote"
)

// Reading is an import of a file that a program has read from its address, as sources do on their
// schedules.
type Reading struct {
	Body   adminapi.ImportBody // without the file; with DryRun nothing is written
	Source string              // names the file from one import to the next
	Data   []byte

	// Hold is asked about each event that would be created. It returns the action ImportHeld or
	// ImportLinked with the uuid of the event that it looks like, or "" to create it.
	Hold func(ctx context.Context, found Found) (action, like string, err error)
	// Withdraws is asked whether events that the file no longer has are cancelled or withdrawn: so
	// many of the known ones, which are coming and public.
	Withdraws func(known, missing int) bool
}

// Found is an event of a file that would be created.
type Found struct {
	ExternalID string
	Event      *rules.Event
	VenueName  string // "" without a venue
}

// CheckReading returns the Invalid fault of the choices in a body without a file, naming its bad
// fields.
func CheckReading(body adminapi.ImportBody) error {
	_, err := readReading(Reading{Body: body})
	return err
}

func readReading(reading Reading) (request, error) {
	var bad fault.Violations
	r := newRequest(reading.Body)
	r.data, r.reading = reading.Data, &reading
	r.readChoices(reading.Body, &bad)
	r.source = reading.Source
	return r, bad.Err("invalid_import", "some fields are not right")
}

// ImportReading is Import for a reading. Of events that stay it also cancels or removes the dates
// that the file no longer has and that were not edited here. held reports that Withdraws has
// kept events.
func (s *Service) ImportReading(
	ctx context.Context, org string, reading Reading,
) (report adminapi.ImportReport, held bool, err error) {
	if err := s.requireAnyRight(ctx, org); err != nil {
		return report, false, err
	}
	request, err := readReading(reading)
	if err != nil {
		return report, false, err
	}
	return s.run(ctx, org, request)
}

// ReadChanged reads a file from its address, with the validators of the last answer. The faults are
// those of remote.Reader.ReadChanged.
func (s *Service) ReadChanged(ctx context.Context, address string, known remote.Validators) (remote.Answer, error) {
	if err := acquire(ctx, s.reads); err != nil {
		return remote.Answer{}, err
	}
	defer s.reads.Release(1)
	return s.Remote.ReadChanged(ctx, address, known, eventfile.MaxBytes)
}

// hold fills the result of an event that is not created because it looks like another one.
func (r *run) hold(ctx context.Context, w *fileEvent, event *rules.Event, result *adminapi.ImportEvent) (bool, error) {
	if r.request.reading == nil || r.request.reading.Hold == nil {
		return false, nil
	}
	found := Found{ExternalID: w.externalID, Event: event, VenueName: r.places.venues.byUUID[string(event.VenueUUID)].Name}
	action, like, err := r.request.reading.Hold(ctx, found)
	if err != nil || action == "" {
		return false, err
	}
	result.Action, result.Like, result.Changes = action, value.Text(like), []adminapi.ImportChange{}
	return true, nil
}
