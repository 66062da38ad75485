package api

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/dump"
)

// dumped gives a site a dump of its catalogue, on the eve of the small catalogue's first day.
func dumped(t *testing.T) func(*Deps) {
	t.Helper()
	return func(d *Deps) {
		now := func() time.Time { return time.Date(2026, time.November, 19, 5, 0, 0, 0, time.UTC) }
		d.License = "https://creativecommons.org/licenses/by/4.0/"
		d.Dumps = dump.New(dump.Options{
			Folder: t.TempDir(), Source: d.Lists, Check: func(context.Context) error { return nil }, Site: d.Site, Language: "en",
			At: 4 * 60, Zone: time.UTC, Now: now, Log: slog.New(slog.DiscardHandler),
		})
		if err := d.Dumps.WriteDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDumpsHoldEveryEvent: each as its own operation shows it, and each date in the tables.
func TestDumpsHoldEveryEvent(t *testing.T) {
	s := newSite(t, seeded(t), dumped(t))
	_, packed := s.do(t, "GET", "/api/dumps/events.jsonl.gz", "")
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var events []string
	var dates []string
	for lines := bufio.NewScanner(unpacked); lines.Scan(); {
		var line publicapi.Event
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		events = append(events, line.UUID)
		var shown enveloped[publicapi.Event]
		s.get(t, "/api/event/"+line.UUID, &shown)
		got, want := encode(t, line), encode(t, shown.Data)
		if !bytes.Equal(got, want) {
			t.Errorf("the line %s is not the event %s", got, want)
		}
		for _, date := range line.Dates {
			dates = append(dates, date.UUID)
		}
	}
	if !slices.Equal(events, []string{eventJazz, eventFair}) {
		t.Errorf("the dump holds %v", events)
	}
	for _, name := range []string{"events.csv", "events.xlsx"} {
		response, table := s.do(t, "GET", "/api/dumps/"+name, "")
		format := strings.TrimPrefix(name, "events.")
		if format == "xlsx" {
			table = sheetIn(t, table)
		}
		var got []string
		for _, match := range feedIDs[format].FindAllSubmatch(table, -1) {
			got = append(got, string(match[1]))
		}
		if !slices.Equal(got, dates) || !bytes.Contains(table, []byte("description")) {
			t.Errorf("%s: %d holds %v of %v", name, response.StatusCode, got, dates)
		}
	}
}

// TestPartsOfDumps: a download goes on where it broke off, unless there is a new dump.
func TestPartsOfDumps(t *testing.T) {
	s := newSite(t, seeded(t), dumped(t), func(d *Deps) { d.Now = d.Dumps.Now })
	whole, body := s.do(t, "GET", "/api/dumps/events.csv", "")
	tag, size := whole.Header.Get("ETag"), len(body)
	if whole.Header.Get("Cache-Control") != "public, max-age=82800" || whole.Header.Get("Accept-Ranges") != "bytes" || !strings.HasPrefix(tag, `"`) ||
		whole.Header.Get("Last-Modified") != "Thu, 19 Nov 2026 05:00:00 GMT" || whole.ContentLength != int64(size) || whole.Header.Get("Content-Encoding") != "" {
		t.Errorf("%v", whole.Header)
	}
	for _, c := range []struct {
		header []string
		status int
		from   int
		to     int
	}{
		{[]string{"Range", "bytes=0-9"}, 206, 0, 10}, {[]string{"Range", "bytes=10-"}, 206, 10, size}, {[]string{"Range", "bytes=-7"}, 206, size - 7, size},
		{[]string{"Range", fmt.Sprintf("bytes=%d-%d", size-1, size+99)}, 206, size - 1, size}, {[]string{"Range", "bytes=-99999999"}, 206, 0, size},
		{[]string{"Range", "bytes=10-", "If-Range", tag}, 206, 10, size}, {[]string{"Range", "bytes=10-", "If-Range", `"other"`}, 200, 0, size},
		{[]string{"Range", "bytes=10-", "If-Range", whole.Header.Get("Last-Modified")}, 206, 10, size},
		{[]string{"Range", "bytes=1-2,4-5"}, 200, 0, size}, {[]string{"Range", "bytes=5-4"}, 200, 0, size}, {[]string{"Range", "lines=1-2"}, 200, 0, size},
		{[]string{"Range", "bytes=-"}, 200, 0, size}, {[]string{"Range", fmt.Sprintf("bytes=%d-", size)}, 416, 0, 0}, {[]string{"Range", "bytes=-0"}, 416, 0, 0},
		{[]string{"If-None-Match", tag, "Range", "bytes=0-1"}, 304, 0, 0},
	} {
		response, got := s.do(t, "GET", "/api/dumps/events.csv", "", c.header...)
		if response.StatusCode != c.status || !bytes.Equal(got, body[c.from:c.to]) {
			t.Errorf("%v: %d, %d bytes", c.header, response.StatusCode, len(got))
		}
		if want := fmt.Sprintf("bytes %d-%d/%d", c.from, c.to-1, size); c.status == 206 && response.Header.Get("Content-Range") != want {
			t.Errorf("%v: %s, want %s", c.header, response.Header.Get("Content-Range"), want)
		}
	}
	head, none := s.do(t, "HEAD", "/api/dumps/events.csv", "")
	if head.StatusCode != http.StatusOK || len(none) > 0 || head.ContentLength != int64(size) {
		t.Errorf("HEAD: %d %v", head.StatusCode, head.Header)
	}
	for _, path := range []string{"manifest.json", "..%2f.lock", "events.pdf", "%2e%2e"} {
		if response, got := s.do(t, "GET", "/api/dumps/"+path, ""); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, response.StatusCode, got)
		}
	}
}

// TestWithoutADump: the API is described, and no file is.
func TestWithoutADump(t *testing.T) {
	s := newSite(t, seeded(t))
	if response, body := s.do(t, "GET", "/api/dumps/events.csv", ""); response.StatusCode != http.StatusNotFound {
		t.Errorf("%d %s", response.StatusCode, body)
	}
	response, body := s.do(t, "GET", "/api/catalog.jsonld", "")
	if response.StatusCode != http.StatusOK || bytes.Contains(body, []byte("/api/dumps/")) || !bytes.Contains(body, []byte("dcat:DataService")) {
		t.Errorf("%d %s", response.StatusCode, body)
	}
}

// TestTheCatalogueNamesItsFiles: with their sizes and checksums.
func TestTheCatalogueNamesItsFiles(t *testing.T) {
	s := newSite(t, seeded(t), dumped(t))
	var catalog struct {
		Dataset []struct {
			Distribution []struct {
				ID   string `json:"@id"`
				Size struct {
					Value string `json:"@value"`
				} `json:"dcat:byteSize"`
				Checksum struct {
					Value struct {
						Value string `json:"@value"`
					} `json:"spdx:checksumValue"`
				} `json:"spdx:checksum"`
			} `json:"dcat:distribution"`
		} `json:"dcat:dataset"`
	}
	_, body := s.do(t, "GET", "/api/catalog.jsonld", "")
	if err := json.Unmarshal(body, &catalog); err != nil {
		t.Fatal(err)
	}
	files := catalog.Dataset[0].Distribution
	if len(files) != 3 {
		t.Fatalf("%s", body)
	}
	for _, file := range files {
		response, content := s.do(t, "GET", strings.TrimPrefix(file.ID, "https://litfass.example"), "")
		if fmt.Sprint(len(content)) != file.Size.Value || response.Header.Get("ETag") != `"`+file.Checksum.Value.Value+`"` {
			t.Errorf("%s: %d bytes, %s; described as %+v", file.ID, len(content), response.Header.Get("ETag"), file)
		}
	}
}
