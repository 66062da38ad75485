// Package view holds the HTML that several pages share: the document with its head, cards of
// events, times, prices, images and links.
package view

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/video"
	"litfass/pkg/ui"
	"litfass/services/site/internal/basemap"
	"litfass/services/site/internal/text"
)

// Brand is the look of the site, which the operator sets.
type Brand struct {
	Name   string // of the site
	Public string // its address, without a slash at its end
	// Language is that of pages for clients that name none; "" for the first of language.Codes.
	Language language.Code
	Theme    bool   // whether /theme.css overrides the variables of the theme
	Imprint  string // address of the imprint; "" for none
	Privacy  string
	Publish  string // address where organizers begin; "" for none
	Route    string // address of directions, with {lat} and {lon}; "" for none
	Tiles    ui.Tiles
	Basemap  *basemap.Map // of the operator; nil for the one of the program
	Videos   video.Hosts  // whose players visitors may open

	// Of a portal, whose name and address the ones above then are:
	Portal    string   // slug; "" outside of portals
	Prefix    string   // of the paths of its pages, such as "/p/kiel"; "" on a host of its own
	Main      string   // address of the site that it is a part of
	Languages []string // of its pages; none: all
	Styles    string   // path of its styles; "" for none
}

// Map returns the map below the venues.
func (b Brand) Map() *basemap.Map {
	if b.Basemap == nil {
		return basemap.Embedded()
	}
	return b.Basemap
}

// PublishLink returns the address where organizers begin, "" for none. link adds the language that
// the visitor chose to addresses of this website.
func (b Brand) PublishLink(link func(path string, parameters url.Values) string) string {
	if strings.HasPrefix(b.Publish, "/") {
		return strings.TrimPrefix(link(b.Publish, nil), b.Prefix) // which is no page of a portal
	}
	return b.Publish
}

// Spoken returns the languages of the pages.
func (b Brand) Spoken() []string {
	if len(b.Languages) == 0 {
		return language.Codes
	}
	return b.Languages
}

// Policy returns the Content-Security-Policy of the site's pages. frames says who may show a page
// in a frame. The pages themselves have no frames but players of videos.
func (b Brand) Policy(frames string) string {
	policy := ui.Policy(frames, b.Tiles.Origins())
	if players := b.Videos.Origins(); len(players) > 0 {
		policy += "; frame-src " + strings.Join(players, " ")
	}
	return policy
}

// KindArticle is the Page.Kind of an event.
const KindArticle = "article"

// The sections of the site, for Page.Section.
const (
	SectionList       = "list"
	SectionMonth      = "month"
	SectionMap        = "map"
	SectionFavourites = "favourites"
)

// Page is a page with the data of its head. Package page sets the second half for every page.
type Page struct {
	Title       string // without the name of the site; "" for the start page
	Description string
	Section     string // item of the menu; "" for none
	Canonical   string // path of the page that search engines should list; "" for its own address
	Image       string // path of the image for share cards; "" for none
	Kind        string // of share cards: "website" by default, KindArticle for an event
	Feed        string // query of the page's feeds, such as "?city=Berlin"
	HasFeed     bool
	Filter      url.Values // of the page, which the menu carries to other pages of dates
	SkipTo      string     // id of the results, to which a link skips; "" for none
	Structured  []byte     // JSON-LD as the API gives it, which holds no "<"
	Scripts     []string   // of package asset, besides the one of all pages
	NoIndex     bool       // search engines leave it out
	Bare        bool       // Content is the whole document
	Partial     bool       // an optional part could not be read
	Content     templ.Component

	Brand   Brand
	Text    *text.Texts
	Path    string
	Private bool   // its address is a secret, which the head does not name
	Address string // absolute, of the page as it was asked for, without its language
	Link    func(path string, parameters url.Values) string
	In      func(lang string) string
}

// title returns the title of the document.
func (p Page) title() string {
	if p.Title == "" {
		return p.Brand.Name
	}
	return p.Title + " – " + p.Brand.Name
}

// canonical returns the absolute address under which search engines should list the page.
func (p Page) canonical() string { return p.listedIn(p.Text.Code) }

// listedIn returns the absolute address under which search engines should list the page in a
// language. That of the default language names none.
func (p Page) listedIn(lang string) string {
	address := p.Address
	if p.Canonical != "" {
		address = p.Brand.Public + p.Brand.Prefix + p.Canonical
		if p.Brand.Main != "" && p.Kind == KindArticle { // every portal shows the event
			address = p.Brand.Main + p.Canonical
		}
	}
	switch {
	case lang == p.defaultLanguage():
		return address
	case strings.Contains(address, "?"):
		return address + "&lang=" + lang
	default:
		return address + "?lang=" + lang
	}
}

func (p Page) defaultLanguage() string { return cmp.Or(string(p.Brand.Language), language.Default) }

func (p Page) kind() string {
	if p.Kind == "" {
		return "website"
	}
	return p.Kind
}

// image returns the absolute address of the image of the share card.
func (p Page) image() string {
	if strings.HasPrefix(p.Image, "/") {
		return p.Brand.Public + p.Image
	}
	return p.Image
}

// builderLink returns the address of the builder with the filter of a page that shows dates.
func (p Page) builderLink() string {
	filter, err := url.ParseQuery(strings.TrimPrefix(p.Feed, "?"))
	if err != nil { // one that feeds do not take either
		filter = nil
	}
	return p.Link("/embed/builder", filter)
}
