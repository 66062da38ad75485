package main

import "testing"

// TestRoute: directions lead to a website, with the position.
func TestRoute(t *testing.T) {
	for address, want := range map[string]bool{
		"https://www.openstreetmap.org/directions?to={lat}%2C{lon}": true, "http://route.example/{lon}/{lat}": true, "off": true,
		"": false, "https://route.example/": false, "https://route.example/?to={lat}": false, "javascript:alert({lat},{lon})": false,
		"geo:{lat},{lon}": false, "https://name:word@route.example/?to={lat},{lon}": false,
	} {
		if err := (config{Route: address}).checkRoute(); (err == nil) != want {
			t.Errorf("%q: %v", address, err)
		}
	}
}
