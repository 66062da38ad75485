package event

import (
	"net/http"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// previews are the links that show an event before it is public.
type previews struct {
	valid  []adminapi.PreviewLinkEntry
	made   adminapi.PreviewLink // just now: it is shown once, and cannot be read again
	errors view.Errors
}

func showPreviews(r *page.Request) error {
	s, err := read(r)
	if err != nil {
		return err
	}
	return s.showPreviews(previews{})
}

// showPreviews shows the page of the links.
func (s *sheet) showPreviews(p previews) error {
	list, err := s.Admin().PreviewLinks(s.event.UUID)
	if err != nil {
		return err
	}
	p.valid = list.PreviewLinks
	return s.Show(view.Page{Title: s.Text.T("event.preview"), Section: s.event.OrgUUID, Content: previewPage(s, p)})
}

// share makes a link. With too many the person has to revoke one first.
func share(r *page.Request) error {
	s, err := read(r)
	if err != nil {
		return err
	}
	link, err := r.Admin().MakePreviewLink(s.event.UUID)
	switch {
	case fault.Is(err, fault.Conflict):
		r.Status(http.StatusUnprocessableEntity)
		return s.showPreviews(previews{errors: view.Reasons(err)})
	case err != nil:
		return err
	}
	return s.showPreviews(previews{made: link})
}

// unshare revokes all links of the event.
func unshare(r *page.Request) error {
	event, err := r.UUID("event")
	if err != nil {
		return err
	}
	if err := r.Admin().RevokePreviewLinks(event); err != nil {
		return err
	}
	return r.Go(page.EventPath(event)+"/preview", "links_revoked")
}

// unshareOne revokes one link. One that has ended meanwhile is as good as revoked.
func unshareOne(r *page.Request) error {
	event, err := r.UUID("event")
	if err != nil {
		return err
	}
	link, err := r.UUID("link")
	if err != nil {
		return err
	}
	if err := r.Admin().RevokePreviewLink(event, link); err != nil && fault.Of(err).StableCode() != "preview_link_not_found" {
		return err
	}
	return r.Go(page.EventPath(event)+"/preview", "link_revoked")
}

// makerOf names the maker of a link.
func (s *sheet) makerOf(link adminapi.PreviewLinkEntry) string {
	switch {
	case link.APIKey != "":
		return s.Text.With("event.preview_key", "Name", string(link.APIKey))
	case link.Maker != "":
		return string(link.Maker)
	}
	return s.Text.T("event.preview_other")
}

// moment writes a time in the zone of the console.
func (s *sheet) moment(at time.Time) string { return when(s.Text, at.In(s.Now.Location())) }
