package main

import (
	"bytes"
	"compress/gzip"
	"path/filepath"
	"strings"
	"testing"

	"litfass/pkg/contracts/language"
	"litfass/pkg/ui/bundle"
	"litfass/services/site/internal/text"
)

// widget is the script for other websites.
func widget(t *testing.T) []byte {
	t.Helper()
	assets, err := filepath.Abs(filepath.Join("..", "assets"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := bundle.Widget(assets, "widget.v1.ts")
	if err != nil {
		t.Fatal(err)
	}
	return file.Content
}

// TestTheWidgetIsSmall: other websites load it on every page.
func TestTheWidgetIsSmall(t *testing.T) {
	const most = 6_500
	var packed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Write(widget(t)); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if packed.Len() > most {
		t.Errorf("%d bytes by gzip, more than %d", packed.Len(), most)
	}
}

// TestTheWidgetSpeaksAsTheSite: its words are the messages of the pages.
func TestTheWidgetSpeaksAsTheSite(t *testing.T) {
	script := string(widget(t))
	for _, code := range language.Codes {
		for _, id := range []string{
			"status.cancelled", "status.deferred", "status.rescheduled", "places.sold_out", "all_day", "online", "hours.permanent",
			"embed.all", "embed.feed", "embed.none", "embed.earlier", "embed.later",
		} {
			if word := text.Of(code).T(id); !strings.Contains(script, `"`+word+`"`) {
				t.Errorf("%s in %s is not %q", id, code, word)
			}
		}
	}
}
