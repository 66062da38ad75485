package geocoder

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"litfass/pkg/contracts/adminapi"
)

// engine is a geocoder's program.
type engine struct {
	// extra are the parameters besides q and limit. Photon refuses unknown ones with 400.
	extra func(a Address) url.Values
	read  func(answer []byte) ([]adminapi.Position, error)
}

var (
	photon    = engine{extra: func(Address) url.Values { return url.Values{} }, read: readPhoton}
	nominatim = engine{extra: nominatimParameters, read: readNominatim}
)

func nominatimParameters(a Address) url.Values {
	extra := url.Values{"format": {"jsonv2"}, "addressdetails": {"1"}, "layer": {"address,poi"}}
	if code := alpha2(a.Country); code != "" {
		extra.Set("countrycodes", code)
	}
	return extra
}

// alpha2 returns the code of a country by its ISO 3166-1 alpha-3 code, in lower case; "" for an
// unknown one.
func alpha2(alpha3 string) string {
	region, err := language.ParseRegion(alpha3)
	if err != nil || len(region.String()) != 2 {
		return ""
	}
	return strings.ToLower(region.String())
}

// address returns the URL of the request for an address. The country is no word of the request: the
// engines know no alpha-3 codes.
func (g *Geocoder) address(a Address) string {
	words := []string{strings.TrimSpace(a.Street + " " + a.HouseNumber), strings.TrimSpace(a.PostalCode + " " + a.City)}
	words = slices.DeleteFunc(words, func(word string) bool { return word == "" })
	query := g.engine.extra(a)
	query.Set("q", strings.Join(words, ", "))
	query.Set("limit", strconv.Itoa(maxRemote))
	separator := "?"
	if strings.Contains(g.config.URL, "?") {
		separator = "&"
	}
	return g.config.URL + separator + query.Encode()
}

// fetch returns the body of an answer of limited length.
func (g *Geocoder) fetch(request *http.Request) ([]byte, error) {
	response, err := g.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusForbidden: // over its limits
		g.pause(response.Header.Get("Retry-After"))
		fallthrough
	default:
		return nil, fmt.Errorf("the geocoder answers %s", response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = fmt.Errorf("the answer of the geocoder has more than %d bytes", maxAnswer)
	}
	return body, err
}

// readPhoton reads an answer of Photon, which is GeoJSON.
func readPhoton(answer []byte) ([]adminapi.Position, error) {
	var collection struct {
		Features []struct {
			Geometry   struct{ Coordinates []float64 }
			Properties struct {
				Name, Street, HouseNumber, PostCode, City, Type, CountryCode string
			}
		}
	}
	if err := json.Unmarshal(answer, &collection); err != nil {
		return nil, err
	}
	var positions []adminapi.Position
	for _, f := range collection.Features {
		p := f.Properties
		if len(f.Geometry.Coordinates) < 2 {
			continue
		}
		street, city := p.Street, p.City
		switch p.Type {
		case "street":
			street = p.Name
		case "city", "locality", "district":
			city = cmp.Or(city, p.Name)
		}
		positions = append(positions, positionOf(adminapi.Position{
			Name: p.Name, Street: street, HouseNumber: p.HouseNumber, PostalCode: p.PostCode, City: city, Country: p.CountryCode,
			Lat: f.Geometry.Coordinates[1], Lon: f.Geometry.Coordinates[0],
		}))
	}
	return positions, nil
}

// readNominatim reads an answer of Nominatim in its form jsonv2.
func readNominatim(answer []byte) ([]adminapi.Position, error) {
	var places []struct {
		Name     string  `json:"name"`
		Lat      float64 `json:"lat,string"`
		Lon      float64 `json:"lon,string"`
		Category string  `json:"category"`
		Address  struct {
			Road        string `json:"road"`
			HouseNumber string `json:"house_number"`
			PostCode    string `json:"postcode"`
			City        string `json:"city"`
			Town        string `json:"town"`
			Village     string `json:"village"`
			Municipal   string `json:"municipality"`
			CountryCode string `json:"country_code"`
		} `json:"address"`
	}
	if err := json.Unmarshal(answer, &places); err != nil {
		return nil, err
	}
	var positions []adminapi.Position
	for _, p := range places {
		positions = append(positions, positionOf(adminapi.Position{
			Name: p.Name, Street: p.Address.Road, HouseNumber: p.Address.HouseNumber, PostalCode: p.Address.PostCode,
			City: cmp.Or(p.Address.City, p.Address.Town, p.Address.Village, p.Address.Municipal), Country: p.Address.CountryCode, Lat: p.Lat, Lon: p.Lon,
		}))
	}
	return positions, nil
}

// positionOf completes a position of an engine: its precision, and the code of its country, which
// engines write as ISO 3166-1 alpha-2.
func positionOf(p adminapi.Position) adminapi.Position {
	if region, err := language.ParseRegion(p.Country); err == nil {
		p.Country = region.ISO3()
	}
	switch {
	case p.HouseNumber != "":
		p.Precision = adminapi.PreciseAddress
	case p.Street != "":
		p.Precision = adminapi.PreciseStreet
	default:
		p.Precision = adminapi.PreciseTown
	}
	return p
}

// maxText is the maximum length of a text of an engine, in bytes.
const maxText = 500

// valid returns the positions on the earth, in a country or, for "", in any, with texts that fit
// into an address: an engine is another program, whose answers are checked like any input.
func valid(positions []adminapi.Position, country string) []adminapi.Position {
	kept := make([]adminapi.Position, 0, maxRemote)
	for _, p := range positions {
		onEarth := math.Abs(p.Lat) <= 90 && math.Abs(p.Lon) <= 180
		short := len(p.Name) <= maxText && len(p.Street) <= maxText && len(p.HouseNumber) <= maxText &&
			len(p.PostalCode) <= maxText && len(p.City) <= maxText && len(p.Country) <= maxText
		if onEarth && short && (country == "" || p.Country == country) && len(kept) < maxRemote {
			kept = append(kept, p)
		}
	}
	return kept
}
