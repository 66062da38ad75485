// Package feeds reads the public feeds with parsers that share no code with the service that writes
// them, as far as tests need it: which dates a feed holds, and where it goes on.
package feeds

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/emersion/go-ical"
	"github.com/mmcdole/gofeed"
	"github.com/mmcdole/gofeed/atom"
)

// Formats are the endings of the feeds' addresses.
var Formats = []string{"ics", "rss", "atom", "json", "geojson", "jsonld"}

// urn stands before a uuid where a format asks for an address as an id.
const urn = "urn:uuid:"

// IDs returns the uuids of the dates that a feed of a format holds, in their order; of the venues,
// where it holds these. The result is never nil. A feed that its parser cannot read is an error,
// and so is a date without an id.
func IDs(format string, feed []byte) (ids []string, err error) {
	switch format {
	case "ics":
		ids, err = calendar(feed)
	case "rss", "atom", "json":
		ids, err = news(format, feed)
	case "geojson":
		ids, err = features(feed)
	case "jsonld":
		ids, err = linked(feed)
	default:
		err = fmt.Errorf("%q is no format of feeds", format)
	}
	for _, id := range ids {
		if len(id) != len("01920000-0000-7000-8000-000000000000") && err == nil {
			err = fmt.Errorf("%s: %q is no uuid", format, id)
		}
	}
	return append([]string{}, ids...), err
}

// Next returns the address of the next page of a feed; "" where it says none, as in formats that
// have no pages.
func Next(format string, feed []byte) (address string, err error) {
	switch format {
	case "atom":
		parsed, err := (&atom.Parser{}).Parse(bytes.NewReader(feed))
		if err != nil {
			return "", err
		}
		for _, link := range parsed.Links {
			if link.Rel == "next" {
				return link.Href, nil
			}
		}
	case "json":
		var parsed struct {
			Next string `json:"next_url"`
		}
		err = json.Unmarshal(feed, &parsed)
		return parsed.Next, err
	case "geojson":
		var parsed struct {
			Links []struct{ Rel, Href string }
		}
		err = json.Unmarshal(feed, &parsed)
		for _, link := range parsed.Links {
			if link.Rel == "next" {
				address = link.Href
			}
		}
	}
	return address, err
}

func calendar(feed []byte) (ids []string, err error) {
	parsed, err := ical.NewDecoder(bytes.NewReader(feed)).Decode()
	if err != nil {
		return nil, err
	}
	for _, event := range parsed.Events() {
		id, err := event.Props.Text(ical.PropUID)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func news(format string, feed []byte) (ids []string, err error) {
	parsed, err := gofeed.NewParser().Parse(bytes.NewReader(feed))
	if err != nil {
		return nil, err
	}
	if parsed.FeedType != format {
		return nil, fmt.Errorf("a feed of the type %q, not %q", parsed.FeedType, format)
	}
	for _, item := range parsed.Items {
		ids = append(ids, strings.TrimPrefix(item.GUID, urn))
	}
	return ids, nil
}

func features(feed []byte) (ids []string, err error) {
	var parsed struct {
		Type     string
		Features []struct{ ID string }
	}
	if err := json.Unmarshal(feed, &parsed); err != nil {
		return nil, err
	}
	if parsed.Type != "FeatureCollection" || parsed.Features == nil {
		return nil, fmt.Errorf("no features: %.200s", feed)
	}
	for _, feature := range parsed.Features {
		ids = append(ids, feature.ID)
	}
	return ids, nil
}

func linked(feed []byte) (ids []string, err error) {
	var parsed struct {
		Context string `json:"@context"`
		Graph   []struct {
			Type       string `json:"@type"`
			Identifier string
		} `json:"@graph"`
	}
	if err := json.Unmarshal(feed, &parsed); err != nil {
		return nil, err
	}
	if parsed.Context != "https://schema.org" || parsed.Graph == nil {
		return nil, fmt.Errorf("no graph: %.200s", feed)
	}
	for _, event := range parsed.Graph {
		if event.Type != "Event" {
			return nil, fmt.Errorf("a node of the type %q", event.Type)
		}
		ids = append(ids, event.Identifier)
	}
	return ids, nil
}
