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

// importImage stores the image of an event, once the event is stored, and adds it to its result. An
// image that cannot be had is noted, and tried again by the next import.
func (r *run) importImage(ctx context.Context, w *fileEvent, result *adminapi.ImportEvent) error {
	last := r.records[w.externalID]
	stored := r.stored[last.EventUUID].Entity
	if stored == nil { // a new event
		last = record{}
	}
	plan := r.planImage(w, last, mainImage(stored))
	difference := adminapi.ImportChange{Field: eventfile.FieldImage}
	switch {
	case plan == imageStays || len(w.reasons) > 0 || result.Action == adminapi.ImportDeleted:
		return nil
	case plan == imageIsKept:
		difference.After = r.display(eventfile.FieldImage, w.image.address)
		result.Kept = append(result.Kept, difference)
		return nil
	case !r.request.dryRun:
		uuid, err := r.putImage(ctx, w, string(result.EventUUID), plan)
		var refused *fault.Fault
		if errors.As(err, &refused) && ctx.Err() == nil {
			result.Notes = append(result.Notes, adminapi.ImportReason{Row: w.rows[0], Violation: imageViolation(refused)})
			return nil
		}
		if err != nil {
			return err
		}
		if err := r.recordImage(ctx, w, uuid); err != nil {
			return err
		}
	}
	difference.After = r.display(eventfile.FieldImage, w.image.address)
	result.Changes = append(result.Changes, difference)
	if result.Action == adminapi.ImportUnchanged {
		result.Action = adminapi.ImportUpdate
	}
	return nil
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

// putImage stores the image, or describes it, and returns its uuid. The fault is that of the reader
// or of editing.Images.
func (r *run) putImage(ctx context.Context, w *fileEvent, event string, plan imagePlan) (uuid string, err error) {
	at := editing.Target{Key: event}
	if plan == imageDescribed {
		described, err := r.Images.OfEvents().Describe(ctx, at, rules.MainImage, w.image.describe)
		return described.Answer.UUID, err
	}
	file, err := r.readImage(ctx, w.image.address)
	if err != nil {
		return "", err
	}
	put, err := r.Images.OfEvents().Put(ctx, at, rules.MainImage, file, w.image.describe)
	return put.Answer.UUID, err
}

// readImage reads a file from its address. The last one is cached: all events of a file may have
// the image of their house.
func (r *run) readImage(ctx context.Context, address string) ([]byte, error) {
	if r.lastImage.address == address {
		return r.lastImage.file, nil
	}
	if deadline, limited := ctx.Deadline(); limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-answerTime/2))
		defer cancel()
	}
	file, err := r.readFrom(ctx, address, adminapi.MaxImageBytes)
	if err == nil {
		r.lastImage.address, r.lastImage.file = address, file
	}
	return file, err
}

const updateImage = `
UPDATE imported_event
SET digests = digests || $4, imported_at = $5
WHERE org_uuid = $1 AND source = $2 AND external_id = $3`

// recordImage records the image that is stored, so that the next import does not read it again.
func (r *run) recordImage(ctx context.Context, w *fileEvent, uuid string) error {
	digests := map[string]string{
		digestImage: digest(w.image.address), digestImageWords: digest(w.image.words()), recordImageUUID: uuid,
	}
	return r.DB.InTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, updateImage, r.org, r.request.source, w.externalID, digests, r.Now().Truncate(time.Microsecond))
		if err != nil {
			return fmt.Errorf("record image: %w", err)
		}
		return nil
	})
}
