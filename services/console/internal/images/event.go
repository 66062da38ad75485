package images

import (
	"strings"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// maxImages is the limit of images of an event.
const maxImages = 8

// Mount adds the routes of the section with the images of an event. whole shows its page around it.
func Mount(r page.Router, whole page.WholePage) {
	k := Kind{
		Path: "/event/:event", Max: maxImages, Read: readEvent,
		File: func(r *page.Request, place int) (client.Image, error) {
			uuid, err := r.UUID("event")
			return r.Admin().EventImage(uuid, place), err
		},
		Whole: func(r *page.Request, drawn templ.Component) error {
			return whole(r, strings.ToLower(r.Param("event")), "pictures", drawn)
		},
	}
	r.Get(k.Path+"/pictures", k.lead)
	k.Mount(r)
}

func readEvent(r *page.Request) (Subject, error) {
	event, tag, err := r.Event()
	if err != nil {
		return Subject{}, err
	}
	return ofEvent(r, event, tag, r.RightsTo(event)), nil
}

func ofEvent(r *page.Request, e adminapi.Event, tag string, may permission.Set) Subject {
	return Subject{
		Title: r.Text.T("images.title"), Page: page.EventPath(e.UUID), Org: e.OrgUUID, Tag: tag, Images: e.Images, Max: maxImages,
		Need: page.EditNeed(e), Edits: may.Has(permission.EditEvent), Public: e.Public(r.Now),
		Image: func(place int) client.Image { return r.Admin().EventImage(e.UUID, place) },
		Order: func(uuids []string) error {
			return r.Admin().OrderImages(e.UUID, tag, adminapi.ImageOrder{Images: uuids})
		},
		Beside: []templ.Component{view.Checklist(r.Text, e.Checklist)},
		Changed: func(image string) string {
			return version.ChangedBy(r, e.UUID, version.HasItem("images", image))
		},
		Question: r.Text.T("event.publish.became"),
	}
}

// Section draws the images of an event. may has the person's permissions in the organization of
// the event, and tag the ETag of the event. The error is always nil.
func Section(r *page.Request, e adminapi.Event, tag string, may permission.Set) (templ.Component, error) {
	return Draw(r, ofEvent(r, e, tag, may)), nil
}
