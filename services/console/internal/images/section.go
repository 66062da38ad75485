package images

import (
	"encoding/json"
	"strconv"

	"github.com/a-h/templ"

	"litfass/services/console/internal/page"
)

// Draw draws the section with the images of a subject.
func Draw(r *page.Request, of Subject) templ.Component {
	licences, _ := r.Lookup().Choices("licenses") // the rest of the section works without their names
	return section(&sheet{Request: r, of: of, licences: licences})
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
	said["wrong_type"], said["full"] = s.Text.T("images.refused.wrong_type"), s.Text.T(s.full())
	encoded, err := json.Marshal(said)
	if err != nil {
		panic(err) // texts always encode
	}
	return string(encoded)
}

// full is the message that no place is free.
func (s *sheet) full() string {
	if s.of.Max == 1 {
		return "images.refused.one"
	}
	return "images.refused.full"
}

// title names the image at an index.
func (s *sheet) title(at int) string {
	if s.of.Max == 1 {
		return s.of.Title
	}
	if at == 0 && placeOf(s.of.Images[at]) == 1 {
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
