package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/remote"
)

const (
	readTime   = 5 * time.Minute // of one reading
	fresh      = 24 * time.Hour  // how long a file that has not changed is not imported again
	tryAgain   = time.Minute     // after a reading that was aborted or not complete
	afterFault = time.Hour       // at the latest, after a failure of the source
	horizon    = 1               // years ahead of today up to which rules without an end are read
)

// outcome is the result of a reading.
type outcome struct {
	answer  remote.Answer
	content []byte                 // the digest of the file
	report  *adminapi.SourceReport // nil: it has not changed

	feed       *feed         // of another Litfass, from which the next reading goes on
	compared   []string      // the external ids of the events that were read; nil for all of the source
	retryAfter time.Duration // that a busy server wants
}

// wish is how a source is read.
type wish struct {
	whole   bool // import the file even if it has not changed
	missing bool // cancel or withdraw missing events, however many there are
}

// read reads a claimed source, and records the result. The error is a failure of this service or
// its engines; those of the source are recorded.
func (s *Service) read(ctx context.Context, c claim, how wish) error {
	during, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	during, end := context.WithCancelCause(during)
	defer end(nil)
	go s.watch(during, c, end)
	o, err := s.attempt(during, c, how)
	ctx = context.WithoutCancel(ctx)
	if errors.Is(context.Cause(during), errDeleted) {
		s.readings.WithLabelValues(resultAborted).Inc()
		return nil
	}
	failed, ofSource := failureOf(err)
	switch {
	case err != nil && !ofSource:
		s.readings.WithLabelValues(resultAborted).Inc()
		return errors.Join(err, s.release(ctx, c))
	case err != nil:
		s.readings.WithLabelValues(resultFailed).Inc()
		return s.fail(ctx, c, failed, retryAfter(err))
	case o.report == nil:
		s.readings.WithLabelValues(resultUnchanged).Inc()
	default:
		s.readings.WithLabelValues(resultImported).Inc()
	}
	if err := s.succeed(ctx, c, o); err != nil {
		return errors.Join(err, s.release(ctx, c))
	}
	return nil
}

// errDeleted is why a reading ends whose source was deleted.
var errDeleted = errors.New("the source was deleted")

const countClaimed = `
SELECT count(*)
FROM event_source
WHERE uuid = $1 AND claimed_until = $2`

// watch ends the reading of a source that another request, or process, deletes.
func (s *Service) watch(ctx context.Context, c claim, end context.CancelCauseFunc) {
	looks := time.NewTicker(s.LookAgain)
	defer looks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-looks.C:
		}
		var claimed int
		if err := s.DB.QueryRow(ctx, countClaimed, c.UUID, c.until).Scan(&claimed); err == nil && claimed == 0 {
			end(errDeleted)
			return
		}
	}
}

// failureOf returns the reason of a failure, and whether it is one of the source, for which its
// members can do something.
func failureOf(err error) (fault.Violation, bool) {
	var f *fault.Fault
	kinds := []fault.Kind{fault.Invalid, fault.TooLarge, fault.Forbidden, fault.NotFound, fault.Conflict}
	if !errors.As(err, &f) || !slices.Contains(kinds, f.Kind) {
		return fault.Violation{}, false
	}
	if len(f.Violations) > 0 {
		return f.Violations[0], true
	}
	return f.At(""), true
}

// retryAfter returns the wait that a busy server wants.
func retryAfter(err error) time.Duration {
	var status *remote.StatusError
	if !errors.As(err, &status) {
		return 0
	}
	return status.RetryAfter
}

// attempt reads the file of a source, and imports it unless it is known.
func (s *Service) attempt(ctx context.Context, c claim, how wish) (o outcome, err error) {
	who, err := s.principal(ctx, c)
	if err != nil {
		return o, err
	}
	ctx = auth.WithPrincipal(ctx, who)
	ctx = auth.WithOrigin(ctx, auth.Origin{RequestID: "source " + c.UUID}) // in the audit of its events
	if c.Format == adminapi.ImportLitfass {
		return s.attemptFeed(ctx, c, how)
	}
	known := remote.Validators{}
	if !how.whole && c.isFresh(s.Now()) {
		known = remote.Validators{ETag: c.etag, LastModified: c.lastModified}
	}
	if o.answer, err = s.fetch(ctx, c.OrgUUID, c.Address, known); err != nil || o.answer.Unchanged {
		o.content = c.content
		return o, err
	}
	pages, err := s.follow(ctx, c.OrgUUID, c.SourceBody, o.answer)
	if err != nil {
		return o, err
	}
	if len(pages) > 0 { // they may change although the list does not
		o.answer.Validators = remote.Validators{}
	}
	sum := sha256.New()
	for _, page := range append(pages, eventfile.Page{Data: o.answer.Data}) {
		_, _ = sum.Write(page.Data) // it never fails
	}
	o.content = sum.Sum(nil)
	if !how.whole && c.isFresh(s.Now()) && bytes.Equal(o.content, c.content) {
		return o, nil
	}
	reading := s.reading(c.SourceBody, c.record)
	reading.Data, reading.Pages = o.answer.Data, pages
	report, held, err := s.importAll(ctx, c, how, reading)
	if err != nil {
		return o, err
	}
	o.report = reportOf(report, held, c.at)
	return o, nil
}

// importAll imports what was read of a claimed source.
func (s *Service) importAll(
	ctx context.Context, c claim, how wish, reading eventimport.Reading,
) (report adminapi.ImportReport, held bool, err error) {
	reading.Body.DryRun = new(bool)
	reading.Hold = holder{s, c.OrgUUID, c.record, c.UUID, c.at}.hold
	reading.Withdraws = func(known, missing int) bool { return how.missing || plausible(known, missing) }
	return s.Imports.ImportReading(ctx, c.OrgUUID, reading)
}

// fetch reads a file from its address.
func (s *Service) fetch(ctx context.Context, org string, address value.Text, known remote.Validators) (remote.Answer, error) {
	return s.Imports.Ask(ctx, org, remote.Request{Address: string(address), Known: known})
}

// maxPages is how many pages a list may lead to. They are read one after the other.
const maxPages = 200

// follow reads the pages to which the lists of a page lead. One that is gone is left out, and with
// any other failure the reading fails: events that could not be read have not vanished.
func (s *Service) follow(
	ctx context.Context, org string, body adminapi.SourceBody, list remote.Answer,
) (pages []eventfile.Page, err error) {
	if body.Format != eventfile.FormatGuess && body.Format != eventfile.FormatPage {
		return nil, nil
	}
	links := eventfile.Links(ctx, list.Data, list.Address, maxPages)
	if len(links) > maxPages {
		f := fault.New(fault.TooLarge, "import_too_large", "the page leads to more than %d events", maxPages)
		f.Violations = fault.Violations{fault.Violate("address", reason.FileTooLarge(maxPages, reason.WordEvents))}
		return nil, f
	}
	size := len(list.Data)
	for _, link := range links {
		answer, err := s.Imports.Ask(ctx, org, remote.Request{Address: link})
		if status := statusOf(err); status == http.StatusNotFound || status == http.StatusGone {
			continue
		}
		if err != nil {
			return nil, err
		}
		data := eventfile.OnlyLinked(ctx, answer.Data)
		if size += len(data); size > maxPagesBytes {
			f := fault.New(fault.TooLarge, "import_too_large", "the pages have more than %d MiB", maxPagesBytes>>20)
			f.Violations = fault.Violations{fault.Violate("address", reason.FileTooLarge(maxPagesBytes>>20, reason.WordMiB))}
			return nil, f
		}
		pages = append(pages, eventfile.Page{Address: link, Data: data})
	}
	return pages, nil
}

// maxPagesBytes is how much the JSON-LD of the pages of a list may have together.
const maxPagesBytes = 16 << 20

// plausible reports whether so many of the known coming events may have vanished: not nearly all of
// several at once.
func plausible(known, missing int) bool { return missing < 2 || missing*2 <= known }

// reading returns an import of a source, without what was read.
func (s *Service) reading(body adminapi.SourceBody, record string) eventimport.Reading {
	asked := importOf(body)
	asked.Until = value.Text(s.Now().In(s.Zone).AddDate(horizon, 0, 0).Format(time.DateOnly))
	return eventimport.Reading{Body: asked, Source: record}
}

const selectPrincipal = `
SELECT u.locale, u.is_platform_admin
FROM app_user u
WHERE u.id = $1 AND u.activated_at IS NOT NULL AND u.deactivated_at IS NULL
    AND (u.is_platform_admin OR EXISTS (SELECT FROM membership m WHERE m.user_id = u.id AND m.org_uuid = $2))`

// principal returns the member by whose rights a source is read. The fault is Forbidden once there
// is none.
func (s *Service) principal(ctx context.Context, c claim) (auth.Principal, error) {
	who := auth.Principal{UserID: c.answersFor}
	err := s.DB.QueryRow(ctx, selectPrincipal, c.answersFor, c.OrgUUID).Scan(&who.Locale, &who.PlatformAdmin)
	if errors.Is(err, pgx.ErrNoRows) {
		return who, fault.New(fault.Forbidden, "source_unanswered",
			"the member by whose rights the source was read has left; another one must save it")
	}
	if err != nil {
		return who, fmt.Errorf("read member of source: %w", err)
	}
	return who, nil
}

// reportOf returns what is stored of a report.
func reportOf(report adminapi.ImportReport, held bool, at time.Time) *adminapi.SourceReport {
	r := &adminapi.SourceReport{
		At: at, Format: report.Format, Counts: report.Counts, Complete: report.Complete, HeldBack: held,
		Refused: []adminapi.SourceRow{}, Notes: []adminapi.SourceRow{},
		Missing: report.Missing[:min(len(report.Missing), adminapi.MaxSourceRows)],
	}
	add := func(rows *[]adminapi.SourceRow, e adminapi.ImportEvent, reasons []adminapi.ImportReason) {
		if len(reasons) > 0 && len(*rows) < adminapi.MaxSourceRows {
			*rows = append(*rows, adminapi.SourceRow{Title: e.Title, Start: e.Start, Reasons: reasons[:min(len(reasons), maxReasons)]})
		}
	}
	for _, e := range report.Events {
		add(&r.Refused, e, e.Reasons)
		add(&r.Notes, e, e.Notes)
	}
	return r
}

// maxReasons is the maximum number of stored reasons of an event.
const maxReasons = 10
