package view

import (
	"fmt"
	"net/mail"
	"net/url"
	"strings"
	"unicode"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/value"
)

// SafeLink returns an address of an organizer as a link of a page may have it: an absolute one of
// http or https, without a name and password in front of its host. It is "" for any other.
func SafeLink[T ~string](address T) templ.SafeURL {
	link := webAddress(string(address))
	if link == nil {
		return ""
	}
	return templ.SafeURL(link.String())
}

// SiteOf returns the host of an address that SafeLink lets through, as people name a website. It is
// "" for any other.
func SiteOf[T ~string](address T) string {
	link := webAddress(string(address))
	if link == nil {
		return ""
	}
	return strings.TrimPrefix(value.Host(link.Hostname()), "www.")
}

func webAddress(address string) *url.URL {
	link, err := url.Parse(strings.TrimSpace(address))
	if err != nil || link.Host == "" || link.User != nil || (link.Scheme != "http" && link.Scheme != "https") {
		return nil
	}
	return link
}

// MailLink returns the link of an e-mail address, "" for any other text.
func MailLink(address string) templ.SafeURL {
	parsed, err := mail.ParseAddress(address)
	if err != nil || parsed.Address != address {
		return ""
	}
	return templ.SafeURL("mailto:" + strings.NewReplacer("%40", "@").Replace(url.QueryEscape(address)))
}

// PhoneLink returns the link of a phone number, "" for a text with too few digits.
func PhoneLink(number string) templ.SafeURL {
	var digits strings.Builder
	for _, c := range strings.TrimSpace(number) {
		switch {
		case c >= '0' && c <= '9', c == '+' && digits.Len() == 0:
			digits.WriteRune(c)
		case unicode.IsLetter(c): // a remark that follows the number
			return ""
		}
	}
	const shortest = 3
	if digits.Len() < shortest {
		return ""
	}
	return templ.SafeURL("tel:" + digits.String())
}

// GeoLink returns the link that opens a place in the visitor's own program for maps, "" when it is
// not known where the place is.
func GeoLink(lat, lon *float64) templ.SafeURL {
	if lat == nil || lon == nil {
		return ""
	}
	return templ.SafeURL(fmt.Sprintf("geo:%.6f,%.6f", *lat, *lon))
}

// Webcal returns the address at which calendar apps subscribe to a feed.
func Webcal(feed string) string {
	_, rest, _ := strings.Cut(feed, "://")
	return "webcal://" + rest
}
