package ui

import (
	"slices"
	"testing"
)

func TestOriginsOfTiles(t *testing.T) {
	for address, want := range map[string][]string{
		"":                                       nil,
		"/tiles/{z}/{x}/{y}.png":                 nil,
		"https://tiles.example/{z}/{x}/{y}.png":  {"https://tiles.example"},
		"https://{s}.tiles.example/{z}/{x}/{y}":  {"https://*.tiles.example"},
		"http://127.0.0.1:7000/{z}/{x}/{y}.webp": {"http://127.0.0.1:7000"},
	} {
		if got := (Tiles{URL: address}).Origins(); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", address, got, want)
		}
	}
}
