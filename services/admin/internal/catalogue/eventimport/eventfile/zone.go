package eventfile

import (
	"strings"
	"time"
	_ "time/tzdata" // time zones, also on systems without them
)

// windowsZones are the zones of Europe under the names that Windows programs give them, as in the
// Unicode CLDR's windowsZones.
var windowsZones = map[string]string{
	"W. Europe Standard Time":        "Europe/Berlin",
	"Central Europe Standard Time":   "Europe/Budapest",
	"Central European Standard Time": "Europe/Warsaw",
	"Romance Standard Time":          "Europe/Paris",
	"GMT Standard Time":              "Europe/London",
	"E. Europe Standard Time":        "Europe/Chisinau",
	"FLE Standard Time":              "Europe/Kiev",
	"GTB Standard Time":              "Europe/Bucharest",
	"Turkey Standard Time":           "Europe/Istanbul",
	"Greenwich Standard Time":        "Atlantic/Reykjavik",
	"UTC":                            "UTC",
}

// zoneOf returns the zone that a TZID names, also after a vendor's path:
// /example.org/Europe/Berlin.
func zoneOf(id string) (*time.Location, bool) {
	id = strings.Trim(id, `"`)
	if name, known := windowsZones[id]; known {
		id = name
	}
	for len(id) < 100 {
		if zone, err := time.LoadLocation(id); err == nil && id != "" && id != "Local" {
			return zone, true
		}
		_, rest, found := strings.Cut(id, "/")
		if !found {
			break
		}
		id = rest
	}
	return nil, false
}
