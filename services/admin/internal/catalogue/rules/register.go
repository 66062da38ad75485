package rules

import (
	"net/url"
	"regexp"
	"strings"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/value"
)

// osmPattern matches an element of OpenStreetMap; so does a constraint of the table venue.
var osmPattern = regexp.MustCompile(`^(node|way|relation)/[1-9][0-9]{0,15}$`)

// wikidataID returns the stored form of an id of Wikidata. The address of its page is understood,
// since people copy that.
func wikidataID(given value.Text) value.Text {
	cleanLines(&given)
	if path, found := pathAt(string(given), "wikidata.org"); found {
		given = value.Text(path[strings.LastIndex(path, "/")+1:])
	}
	return value.Text(strings.ToUpper(string(given)))
}

// osmID is wikidataID for ids of OpenStreetMap.
func osmID(given value.Text) value.Text {
	cleanLines(&given)
	if path, found := pathAt(string(given), "openstreetmap.org"); found {
		given = value.Text(strings.Trim(path, "/"))
	}
	return value.Text(strings.ToLower(string(given)))
}

// pathAt returns the path of an address at a host.
func pathAt(address, host string) (path string, found bool) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "https" && parsed.Scheme != "http" || strings.TrimPrefix(value.Host(parsed.Hostname()), "www.") != host {
		return "", false
	}
	return parsed.Path, true
}

// register checks the optional ids of a venue.
func (c checker) register(wikidata, osm value.Text) {
	c.wikidata("wikidata_id", string(wikidata))
	if osm != "" && !osmPattern.MatchString(string(osm)) {
		c.bad("osm_id", reason.NotOSMID)
	}
}
