package view

import (
	"net/url"

	"github.com/a-h/templ"
)

// PreviewPath is the path below which preview links are; a token follows.
const PreviewPath = "/preview/"

// Preview is the page of an event that a preview link shows, whose token is set. public says
// whether the event has a page of its own by now.
func Preview(s Shown, e EventPage, public bool) Page {
	return Page{Title: e.Title, Content: preview(s, e, e.chosen(s.Today), public)}
}

// address returns the path and the parameters of this page with one of the event's dates.
func (e EventPage) address(date string) (path string, parameters url.Values) {
	path, parameters = EventPath(e.UUID, date)
	if e.Token != "" {
		path = PreviewPath + e.Token
	}
	return path, parameters
}

// oncePublic returns the attributes of a link to what is there once the event is public. In a
// preview it looks the same and leads nowhere.
func (e EventPage) oncePublic(href string) templ.Attributes {
	if e.Token == "" {
		return templ.Attributes{"href": href}
	}
	return templ.Attributes{"role": "link", "aria-disabled": "true"}
}

// pictureSource returns where the pictures of the event are: those of a preview are shown to who
// has its token.
func (e EventPage) pictureSource() pictures {
	if e.Token == "" {
		return publicPictures
	}
	return pictures("/api" + PreviewPath + e.Token + "/image/")
}
