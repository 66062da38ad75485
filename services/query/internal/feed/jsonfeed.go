package feed

import (
	"encoding/json"
	"time"
)

// jsonFeed is a document of JSON Feed 1.1.
type jsonFeed struct {
	Version string     `json:"version"`
	Title   string     `json:"title"`
	Page    string     `json:"home_page_url"`
	Self    string     `json:"feed_url"`
	Next    string     `json:"next_url,omitempty"`
	Icon    string     `json:"icon,omitempty"` // a square
	Items   []jsonItem `json:"items"`
}

type jsonItem struct {
	ID        string       `json:"id"`
	URL       string       `json:"url"`
	External  string       `json:"external_url,omitempty"`
	Title     string       `json:"title"`
	HTML      string       `json:"content_html"`
	Image     string       `json:"image,omitempty"`
	Published string       `json:"date_published"`
	Modified  string       `json:"date_modified"`
	Authors   []jsonAuthor `json:"authors,omitempty"`
	Tags      []string     `json:"tags,omitempty"`
	Language  string       `json:"language,omitempty"` // of the title
}

type jsonAuthor struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// JSON writes JSON Feed 1.1: an item for each date, and the address of the next page.
func JSON(f Feed) ([]byte, error) {
	items, err := f.timed()
	if err != nil {
		return nil, err
	}
	document := jsonFeed{
		Version: "https://jsonfeed.org/version/1.1", Title: line(f.Title), Page: f.Page, Self: f.Self, Next: f.Next, Icon: f.picture("1:1", 480),
		Items: make([]jsonItem, len(f.Items)),
	}
	for n, i := range items {
		document.Items[n] = jsonItem{
			ID: i.urn(), URL: i.page(f.Site), External: link(i.OnlineLink), Title: i.title(), HTML: i.markup(),
			Image: link(i.ImagePath), Tags: i.keywords(), Language: i.TextLanguage,
			Published: i.created().Format(time.RFC3339), Modified: i.changed().Format(time.RFC3339),
		}
		if author := line(i.OrgName); author != "" {
			document.Items[n].Authors = []jsonAuthor{{Name: author, URL: f.Site.organization(i.OrgUUID)}}
		}
	}
	return json.Marshal(document)
}
