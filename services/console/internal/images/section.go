package images

import (
	"encoding/json"
	"strconv"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
)

// Section draws the images of an event. may has the person's permissions in the organization of
// the event, and tag the ETag of the event. The error is always nil.
func Section(r *page.Request, e adminapi.Event, tag string, may permission.Set) (templ.Component, error) {
	licences, _ := r.Lookup().Choices("licenses") // the rest of the section works without their names
	return section(&sheet{Request: r, event: e, tag: tag, may: may, licences: licences}), nil
}

// words are the texts of the script that sends files, as JSON.
func (s *sheet) words() string {
	said := map[string]string{}
	for _, id := range []string{"waiting", "sending", "progress", "sent", "smaller", "failed", "again", "close"} {
		said[id] = s.Text.T("images.upload." + id)
	}
	for _, id := range []string{"too_large", "heic"} {
		said[id] = s.Text.T("refusal.image_" + id)
	}
	for _, id := range []string{"wrong_type", "full"} {
		said[id] = s.Text.T("images.refused." + id)
	}
	encoded, err := json.Marshal(said)
	if err != nil {
		panic(err) // texts always encode
	}
	return string(encoded)
}

// title names the image at an index.
func (s *sheet) title(at int) string {
	if at == 0 && placeOf(s.event.Images[at]) == 1 {
		return s.Text.T("images.main")
	}
	return s.Text.With("images.number", "Number", strconv.Itoa(at+1))
}

// crop is an aspect ratio to which a site crops images.
type crop struct {
	Name  string // of its message and class
	Ratio string // as the service takes it
}

// crops returns the crops to preview. The main image also has that of lists on phones.
func crops(main bool) []crop {
	all := []crop{{"site", "3:2"}, {"square", "1:1"}, {"wide", "16:9"}, {"tall", "4:5"}}
	if main {
		all = append(all, crop{"phone", "3:2"})
	}
	return all
}
