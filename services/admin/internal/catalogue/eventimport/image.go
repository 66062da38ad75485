package eventimport

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/valueset"
	"litfass/services/admin/internal/platform/remote"
)

// fileImage is the main image of an event as the file has it.
type fileImage struct {
	address                              string
	altText, creator, copyright, license string
	generated                            bool // a model has made it
	// texts are the translations of its texts; nil: the file cannot have any.
	texts map[string]adminapi.ImageText
}

// The digests of an image in a record, besides those of fields.
const (
	digestImage      = "image"       // of its address
	digestImageWords = "image_words" // of its description
	recordImageUUID  = "image_uuid"  // the stored image itself
)

// mapImage reads the image of a row. What cannot be read is noted.
func (w *fileEvent) mapImage(values map[string]string) {
	address := values[eventfile.FieldImage]
	if address == "" {
		return
	}
	target, err := remote.Parse(address)
	if err != nil {
		w.note(eventfile.FieldImage, reason.NotAddress)
		return
	}
	w.image = &fileImage{
		address: target.String(), altText: values[eventfile.FieldImageAlt], creator: values[eventfile.FieldImageCreator],
		copyright: values[eventfile.FieldImageCopyright], generated: eventfile.ReadYes(values[eventfile.FieldImageAI]),
	}
	if text := values[eventfile.FieldImageLicense]; text != "" {
		if w.image.license = licenseOf(text); w.image.license == "" {
			w.note(eventfile.FieldImageLicense, reason.NotInSet(change.LookupLicenses))
		}
	}
}

// licenseOf returns the id of a license by its id, SPDX id or name; "" for none.
func licenseOf(text string) string {
	plain := func(text string) string { return strings.Join(strings.FieldsFunc(strings.ToLower(text), isGap), " ") }
	for _, set := range valueset.All() {
		if set.Name != change.LookupLicenses {
			continue
		}
		for _, item := range set.Items {
			known := append(slices.Collect(maps.Values(item.Names)), item.ID, item.Extra["spdx"])
			if slices.ContainsFunc(known, func(name string) bool { return plain(name) == plain(text) }) {
				return item.ID
			}
		}
	}
	return ""
}

func isGap(r rune) bool { return r == ' ' || r == '-' || r == '_' || r == '/' }

func (i *fileImage) words() string {
	words := []string{i.altText, i.creator, i.copyright, i.license}
	if i.generated { // else the digest is that of older records
		words = append(words, "generated")
	}
	for _, language := range slices.Sorted(maps.Keys(i.texts)) {
		words = append(words, language, string(i.texts[language].AltText))
	}
	return strings.Join(words, "\x00")
}

// describe sets the description of an image.
func (i *fileImage) describe(e *rules.Event, m *rules.Image) {
	m.AltText, m.CreatorName = value.Text(i.altText), value.Text(i.creator)
	m.Copyright, m.License, m.AIGenerated = value.Text(i.copyright), value.Text(i.license), i.generated
	if i.texts != nil {
		e.TranslateImage(m.UUID, i.texts)
	}
}

// imagePlan is what an import does with the image of an event.
type imagePlan int

const (
	imageStays     imagePlan = iota
	imageIsKept              // it was changed here since the last import
	imageDescribed           // the file has another description of it
	imageRead                // it is read from its address
)

// planImage compares the image of the file with that of the last import and the stored one, whose
// uuid is here, "" for none.
func (r *run) planImage(w *fileEvent, last record, here string) imagePlan {
	if w.image == nil {
		return imageStays
	}
	sameFile := last.Digests[digestImage] == digest(w.image.address)
	sameWords := last.Digests[digestImageWords] == digest(w.image.words())
	edited := here != last.Digests[recordImageUUID]
	switch {
	case sameFile && sameWords && (!edited || !r.request.overwrite):
		return imageStays
	case edited && !r.request.overwrite:
		return imageIsKept
	case sameFile && !edited:
		return imageDescribed
	}
	return imageRead
}

// mainImage returns the uuid of the main image of an event; "" for none.
func mainImage(event *rules.Event) string {
	if event == nil {
		return ""
	}
	if image := event.ImageAt(rules.MainImage); image != nil {
		return image.UUID
	}
	return ""
}

// picture is an image that is stored once the events are.
type picture struct {
	*fileImage
	plan       imagePlan
	result     int    // the place of its event in the results
	row        int    // the first one of its event
	externalID string // of its event
}

// planPicture decides what happens with the image of an event, whose result it completes unless the
// image is to be stored.
func (r *run) planPicture(w *fileEvent, result *adminapi.ImportEvent, place int) {
	last := r.records[w.externalID]
	stored := r.stored[last.EventUUID].Entity
	if stored == nil { // a new event
		last = record{}
	}
	plan := r.planImage(w, last, mainImage(stored))
	switch {
	case plan == imageStays || len(w.reasons) > 0 || result.Action == adminapi.ImportDeleted:
	case plan == imageIsKept:
		after := r.display(eventfile.FieldImage, w.image.address)
		result.Kept = append(result.Kept, adminapi.ImportChange{Field: eventfile.FieldImage, After: after})
	case r.request.dryRun:
		r.addPicture(result, w.image)
	default:
		r.pictures = append(r.pictures, picture{w.image, plan, place, w.rows[0], w.externalID})
	}
}

// addPicture adds the image to the result of its event.
func (r *run) addPicture(result *adminapi.ImportEvent, image *fileImage) {
	change := adminapi.ImportChange{Field: eventfile.FieldImage, After: r.display(eventfile.FieldImage, image.address)}
	result.Changes = append(result.Changes, change)
	if result.Action == adminapi.ImportUnchanged {
		result.Action = adminapi.ImportUpdate
	}
}

// The time that an import waits for slow servers, of a request and of a source: each image has
// quickly, of which none is counted.
const (
	quickly         = 2 * time.Second
	patience        = 5 * time.Second
	patienceOfAFeed = time.Minute
)

// importImages stores the images of the events, and adds them to the results. An image that cannot
// be had is noted, and tried again by the next import. No place of an import is held.
func (r *run) importImages(ctx context.Context) error {
	left := patience
	if r.request.reading != nil {
		left = patienceOfAFeed
	}
	for _, p := range r.pictures {
		if r.late(ctx) {
			r.complete = false
			return nil
		}
		result, err := &r.results[p.result], errImpatient()
		if p.plan == imageDescribed || left > 0 {
			var waited time.Duration
			waited, err = r.importPicture(ctx, p, string(result.EventUUID))
			left -= max(0, waited-quickly)
		}
		var refused *fault.Fault
		switch {
		case err == nil:
			r.addPicture(result, p.fileImage)
		case errors.As(err, &refused) && ctx.Err() == nil:
			result.Notes = append(result.Notes, adminapi.ImportReason{Row: p.row, Violation: imageViolation(refused)})
		default:
			return err
		}
	}
	return nil
}

// errImpatient is the fault of an image that is not asked for after others have taken too long.
func errImpatient() error {
	var bad fault.Violations
	bad.Add(eventfile.FieldImage, reason.Unreachable)
	return bad.Err("address_unreachable", "the image is not asked for: others took too long")
}

// importPicture stores an image, or describes it, and records it. waited is how long the server
// took. The fault is that of the reader or of editing.Images.
func (r *run) importPicture(ctx context.Context, p picture, event string) (waited time.Duration, err error) {
	at := editing.Target{Key: event}
	if p.plan == imageDescribed {
		described, err := r.Images.OfEvents().Describe(ctx, at, rules.MainImage, p.describe)
		if err != nil {
			return 0, err
		}
		return 0, r.recordImage(ctx, p, described.Answer.UUID)
	}
	file, waited, err := r.readImage(ctx, p.address)
	if err != nil {
		return waited, err
	}
	put, err := r.Images.OfEvents().Put(ctx, at, rules.MainImage, file, p.describe)
	if err != nil {
		return waited, err
	}
	return waited, r.recordImage(ctx, p, put.Answer.UUID)
}

// imageViolation returns the reason why an image was not taken.
func imageViolation(refused *fault.Fault) fault.Violation {
	if len(refused.Violations) == 0 {
		return refused.At(eventfile.FieldImage)
	}
	v := refused.Violations[0]
	v.Field = eventfile.FieldImage
	return v
}

// readImage reads a file from its address, and returns how long the server took. The last one is
// cached: all events of a file may have the image of their house.
func (r *run) readImage(ctx context.Context, address string) (file []byte, waited time.Duration, err error) {
	if r.lastImage.address == address {
		return r.lastImage.file, 0, nil
	}
	if deadline, limited := ctx.Deadline(); limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-answerTime/2))
		defer cancel()
	}
	leave, err := take(ctx, r.reads, r.org)
	if err != nil {
		return nil, 0, err
	}
	defer leave()
	asked := time.Now()
	if file, err = r.Remote.Read(ctx, address, adminapi.MaxImageBytes); err == nil {
		r.lastImage.address, r.lastImage.file = address, file
	}
	return file, time.Since(asked), err
}

const updateImage = `
UPDATE imported_event
SET digests = digests || $4, imported_at = $5
WHERE org_uuid = $1 AND source = $2 AND external_id = $3`

// recordImage records the image that is stored, so that the next import does not read it again.
func (r *run) recordImage(ctx context.Context, p picture, uuid string) error {
	digests := map[string]string{
		digestImage: digest(p.address), digestImageWords: digest(p.words()), recordImageUUID: uuid,
	}
	return r.DB.InTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, updateImage, r.org, r.request.source, p.externalID, digests, r.Now().Truncate(time.Microsecond))
		if err != nil {
			return fmt.Errorf("record image: %w", err)
		}
		return nil
	})
}
