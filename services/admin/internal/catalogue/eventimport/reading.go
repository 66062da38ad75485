package eventimport

import (
	"cmp"
	"context"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/remote"
)

// Reading is an import of a file that a program has read from its address, as sources do on their
// schedules.
type Reading struct {
	Body   adminapi.ImportBody // without the file; with DryRun nothing is written
	Source string              // names the file from one import to the next
	Data   []byte
	Pages  []eventfile.Page // to which the list in Data leads

	// Events are given in place of Data by a source whose events come one by one. Those that it
	// lacks have not vanished: Gone are the external ids of the ones that have.
	Events []Given
	Gone   []string

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
	Origin     string // the address at the Litfass from which it first came; "" for none
}

// Given is an event that is not read from a file.
type Given struct {
	eventfile.Event // with its places, dates and image

	Values rules.Event // all other values that an import writes
	Origin string      // see Found
	// Contributors are those of the event, by their uuids there.
	Contributors []adminapi.GivenContributor
	ImageTexts   map[string]adminapi.ImageText // translations of the texts of the image, by language
	// DateTexts are the translations of the texts of dates, by their ids and languages.
	DateTexts map[string]map[string]adminapi.DateText
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
	r.source, r.options.Pages = reading.Source, reading.Pages
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

// Ask reads a file from its address for an organization, by default of at most as many bytes as an
// import may have. The faults are those of remote.Reader.Ask.
func (s *Service) Ask(ctx context.Context, org string, asked remote.Request) (remote.Answer, error) {
	leave, err := take(ctx, s.reads, org)
	if err != nil {
		return remote.Answer{}, err
	}
	defer leave()
	asked.Most = cmp.Or(asked.Most, eventfile.MaxBytes)
	return s.Remote.Ask(ctx, asked)
}

const selectKnown = `
SELECT external_id
FROM imported_event
WHERE org_uuid = $1 AND source = $2
ORDER BY external_id`

// Known returns the external ids of all events that a source has ever had.
func (s *Service) Known(ctx context.Context, org, source string) ([]string, error) {
	return postgres.Collect[string](ctx, s.DB, "imported events", selectKnown, org, source)
}

// file returns the events that are given as those of a file.
func (reading *Reading) file() eventfile.File {
	f := eventfile.File{Format: adminapi.ImportLitfass, Rows: len(reading.Events)}
	for _, given := range reading.Events {
		f.Events = append(f.Events, given.Event)
	}
	return f
}

// fillGiven sets the values of an event that is given.
func (r *run) fillGiven(w *fileEvent, given *Given) {
	values := given.Values
	values.Normalize()
	values.Arrange()
	w.origin, w.named = given.Origin, given.Contributors
	for i := range w.named {
		w.named[i].Role = cmp.Or(roleOf(w.named[i].Role), roleOther)
	}
	for _, f := range fields {
		mayBeDefault := f.name == eventfile.FieldKind || f.name == eventfile.FieldLanguages
		if f.name != eventfile.FieldVenue && (!mayBeDefault || f.read(&values) != "") {
			f.copy(w.event, &values)
			w.has(f.name)
		}
	}
	w.leaveVideo(r.Editor.VideoHosts)
	if w.image != nil {
		w.image.texts = given.ImageTexts
	}
	for i := range w.dates {
		w.dates[i].texts = given.DateTexts[w.dates[i].key]
	}
}

// hold fills the result of an event that is not created because it looks like another one.
func (r *run) hold(ctx context.Context, w *fileEvent, event *rules.Event, result *adminapi.ImportEvent) (bool, error) {
	if r.request.reading == nil || r.request.reading.Hold == nil {
		return false, nil
	}
	found := Found{ExternalID: w.externalID, Event: event, VenueName: r.places.venues.byUUID[string(event.VenueUUID)].Name, Origin: w.origin}
	action, like, err := r.request.reading.Hold(ctx, found)
	if err != nil || action == "" {
		return false, err
	}
	result.Action, result.Like, result.Changes = action, value.Text(like), []adminapi.ImportChange{}
	return true, nil
}
