// Package view draws what all pages of the console share: the document, the parts of forms, and the
// pages that explain errors.
package view

import (
	"net/url"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/ui"
	"litfass/services/console/internal/text"
)

// Brand has the operator's settings for the look of the console.
type Brand struct {
	Name  string // of the platform
	Site  string // address of the public pages, without a slash at its end
	Theme bool   // whether /theme.css overrides the variables of the theme
	Tiles ui.Tiles
}

// Policy returns the Content-Security-Policy of the console's pages.
func (b Brand) Policy() string { return ui.Policy("'none'", b.Tiles.Origins(), "blob:") }

// The sections of the console, for Page.Section. The section of an organization is its uuid.
const (
	SectionStart          = "start"
	SectionMessages       = "messages"
	SectionAccount        = "account"
	SectionAdministration = "administration"
)

// Page is a page with its head. Package page sets the second half for every page.
type Page struct {
	Title   string   // without the name of the platform
	Section string   // which item of the menu it belongs to; "" for none
	Scripts []string // of package asset, besides that of all pages
	Content templ.Component

	Brand       Brand
	Text        *text.Texts
	Path        string
	In          func(lang string) string // address of the page in another language
	Notice      string                   // the success of the last form; "" for none
	Taken       string                   // path of the form that the page answers; "" for none, or a refused one
	User        *User                    // nil without a login
	Memberships []adminapi.Membership
	Attention   adminapi.Attention
}

// User is the person who is logged in.
type User struct {
	ID    int
	Name  string
	Theme string // "auto", "light" or "dark"
}

// theme returns the theme that the person has chosen; "" leaves it to the device.
func (p Page) theme() string {
	if p.User == nil || p.User.Theme == "auto" {
		return ""
	}
	return p.User.Theme
}

// title returns the title of the document.
func (p Page) title() string { return p.Title + " – " + p.Brand.Name }

// LoginForm has the fields of the login.
type LoginForm struct {
	Email string
	Next  string     // where it leads
	Kept  url.Values // of a form that is sent again after the login; nil for none
	Error string     // why it was refused; "" for a first attempt
}

// waiting returns how much waits for a platform administrator, and whether the person is one.
func (p Page) waiting() (count int, administrator bool) {
	for _, waits := range []*int{
		p.Attention.OpenReports, p.Attention.PendingOrganizations, p.Attention.FailedMails,
	} {
		if waits != nil {
			count, administrator = count+*waits, true
		}
	}
	return count, administrator
}
