package oembed

import (
	"encoding/json"
	"encoding/xml"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

const (
	public = "https://litfass.example/sub/"
	some   = "01920000-0000-7000-8000-0000000000c1"
)

func TestTargets(t *testing.T) {
	for address, want := range map[string]string{ // the kind, then the filter
		"https://litfass.example/sub/":                                     " ",
		"https://Litfass.example./sub/":                                    " ",
		"https://litfass.example/sub":                                      " ",
		"http://LITFASS.example/sub/month?city=Kiel&lang=de&utm_source=x":  " city=Kiel&lang=de",
		"https://litfass.example/sub/map?tags=a&tags=b#top":                " tags=a&tags=b",
		"https://litfass.example/sub/?offset=20&search=jazz":               " search=jazz",
		"https://litfass.example/sub/event/" + some + "?date=" + some:      "event event_uuids=" + some,
		"https://litfass.example/sub/venue/" + strings.ToUpper(some) + "/": "venue venue_uuids=" + some,
		"https://litfass.example/sub/organization/" + some:                 "organization org_uuids=" + some,
		"https://litfass.example/sub/region/deu.sh.flensburg":              "region geolist_region=deu%2Csh%2Cflensburg",
		"":                                        "-",
		"/sub/":                                   "-",
		"//litfass.example/sub/":                  "-",
		"javascript://litfass.example/sub/":       "-",
		"ftp://litfass.example/sub/":              "-",
		"https://litfass.example/":                "-",
		"https://litfass.example/subway/":         "-",
		"https://litfass.example:444/sub/":        "-",
		"https://litfass.example.evil.org/sub/":   "-",
		"https://evil.org/sub/":                   "-",
		"https://user@litfass.example/sub/":       "-",
		"https://litfass.example@evil.org/sub/":   "-",
		"https://litfass.example/sub/event/":      "-",
		"https://litfass.example/sub/event/1":     "-",
		"https://litfass.example/sub/region/a.b":  "-",
		"https://litfass.example/sub/favourites":  "-",
		"https://litfass.example/sub/?age=x":      "-",
		"https://litfass.example/sub/?a=%zz":      "-",
		"https://litfass.example/sub/?search=%00": "-",
		"https://litfass.example/sub/event/f47ac10b-58cc-4372-a567-0e02b2c3d479": "-",
		"https://litfass.example/sub/event/" + some + "/date":                    "-",
	} {
		got := "-"
		if target, ok := Find(public, address, 20261120); ok {
			got = string(target.Kind) + " " + target.Filter.Encode()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

var source = regexp.MustCompile(`^<iframe src="([^"<>]*)" title="([^"<>]*)" width="(\d+)" height="(\d+)" loading="lazy" style="[^"<>]*"></iframe>$`)

// TestAnswers: both formats have the same content, and external input stays text.
func TestAnswers(t *testing.T) {
	const hostile = `"><script>alert(1)</script>&amp;'` + "\u202e"
	target := Target{Kind: Event, ID: some, Filter: url.Values{"event_uuids": {some}, "search": {hostile}}}
	for box, size := range map[Box]string{{}: "480 320", {100, 0}: "100 320", {9999, 50}: "480 50"} {
		data, err := JSON(public, target, hostile, box)
		if err != nil {
			t.Fatal(err)
		}
		var inJSON, inXML answer
		if err := json.Unmarshal(data, &inJSON); err != nil {
			t.Fatal(err)
		}
		if data, err = XML(public, target, hostile, box); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(data, &inXML); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		if inXML.XMLName.Local != "oembed" {
			t.Errorf("the root is %v", inXML.XMLName)
		}
		inXML.XMLName = xml.Name{}
		if inJSON != inXML || inJSON.Type != "rich" || inJSON.Version != "1.0" || inJSON.Title != hostile {
			t.Errorf("as JSON %+v, as XML %+v", inJSON, inXML)
		}
		parts := source.FindStringSubmatch(inJSON.HTML)
		if parts == nil {
			t.Fatalf("the frame is %s", inJSON.HTML)
		}
		address, err := url.Parse(html.UnescapeString(parts[1]))
		if err != nil || address.Host != "litfass.example" || address.Path != "/sub/embed" || address.Query().Get("search") != hostile {
			t.Errorf("the frame shows %s (%v)", parts[1], err)
		}
		if html.UnescapeString(parts[2]) != hostile || parts[3]+" "+parts[4] != size {
			t.Errorf("the frame is called %s and has the size %s", parts[2], parts[3:])
		}
	}
}
