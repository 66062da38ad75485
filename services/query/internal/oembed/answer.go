package oembed

import (
	"encoding/xml"
	"fmt"
	"html"
	"strings"

	"litfass/pkg/contracts/value"
)

// Box is the maximum size of a frame in CSS pixels; 0: unlimited.
type Box struct{ MaxWidth, MaxHeight int }

// The sizes that frames like: one card, and several.
const (
	width      = 480
	cardHeight = 320
	listHeight = 640
)

const provider = "Litfass"

// answer is a response of the type "rich" (oembed.com, 2.3.4).
type answer struct {
	XMLName      xml.Name `json:"-"             xml:"oembed"`
	Version      string   `json:"version"       xml:"version"`
	Type         string   `json:"type"          xml:"type"`
	ProviderName string   `json:"provider_name" xml:"provider_name"`
	ProviderURL  string   `json:"provider_url"  xml:"provider_url"`
	Title        string   `json:"title"         xml:"title"`
	HTML         string   `json:"html"          xml:"html"`
	Width        int      `json:"width"         xml:"width"`
	Height       int      `json:"height"        xml:"height"`
}

// JSON returns the answer for a page that is called title.
func JSON(publicURL string, t Target, title string, box Box) ([]byte, error) {
	data, err := value.JSON(newAnswer(publicURL, t, title, box))
	if err != nil {
		return nil, fmt.Errorf("encode what to embed: %w", err)
	}
	return data, nil
}

// XML is JSON in the other format.
func XML(publicURL string, t Target, title string, box Box) ([]byte, error) {
	data, err := xml.Marshal(newAnswer(publicURL, t, title, box))
	if err != nil {
		return nil, fmt.Errorf("encode what to embed: %w", err)
	}
	return append([]byte(`<?xml version="1.0" encoding="utf-8" standalone="yes"?>`+"\n"), data...), nil
}

func newAnswer(publicURL string, t Target, title string, box Box) answer {
	publicURL = strings.TrimRight(publicURL, "/")
	height := listHeight
	if t.Kind == Event {
		height = cardHeight
	}
	if title == "" {
		title = provider
	}
	a := answer{
		Version: "1.0", Type: "rich", ProviderName: provider, ProviderURL: publicURL + "/", Title: title,
		Width: within(width, box.MaxWidth), Height: within(height, box.MaxHeight),
	}
	source := publicURL + "/embed"
	if filter := t.Filter.Encode(); filter != "" {
		source += "?" + filter
	}
	a.HTML = fmt.Sprintf(
		`<iframe src="%s" title="%s" width="%d" height="%d" loading="lazy" style="border:0;max-width:100%%"></iframe>`,
		html.EscapeString(source), html.EscapeString(title), a.Width, a.Height)
	return a
}

// within returns size, or limit if that is smaller and not 0.
func within(size, limit int) int {
	if limit > 0 {
		return min(size, limit)
	}
	return size
}
