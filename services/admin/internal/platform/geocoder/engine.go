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

// address returns the URL of the request for an address. Both engines read q and limit and ignore
// the parameters of the other one.
func (g *Geocoder) address(a Address) string {
	words := []string{
		strings.TrimSpace(a.Street + " " + a.HouseNumber), strings.TrimSpace(a.PostalCode + " " + a.City), a.Country,
	}
	words = slices.DeleteFunc(words, func(word string) bool { return word == "" })
	query := url.Values{
		"q": {strings.Join(words, ", ")}, "limit": {strconv.Itoa(maxRemote)}, "format": {"jsonv2"}, "addressdetails": {"1"},
	}
	separator := "?"
	if strings.Contains(g.config.URL, "?") {
		separator = "&"
	}
	return g.config.URL + separator + query.Encode()
}

// fetch returns the body of an answer of limited length.
func fetch(client *http.Client, request *http.Request) ([]byte, error) {
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
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
		if len(f.Geometry.Coordinates) != 2 {
			continue
		}
		street := p.Street
		if p.Type == "street" {
			street = p.Name
		}
		positions = append(positions, positionOf(adminapi.Position{
			Name: p.Name, Street: street, HouseNumber: p.HouseNumber, PostalCode: p.PostCode, City: p.City, Country: p.CountryCode,
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
			City: cmp.Or(p.Address.City, p.Address.Town, p.Address.Village), Country: p.Address.CountryCode, Lat: p.Lat, Lon: p.Lon,
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

// valid returns the positions on the earth with texts that fit into an address: an engine is
// another program, whose answers are checked like any input.
func valid(positions []adminapi.Position) []adminapi.Position {
	kept := make([]adminapi.Position, 0, maxRemote)
	for _, p := range positions {
		onEarth := math.Abs(p.Lat) <= 90 && math.Abs(p.Lon) <= 180
		short := len(p.Name) <= maxText && len(p.Street) <= maxText && len(p.HouseNumber) <= maxText &&
			len(p.PostalCode) <= maxText && len(p.City) <= maxText && len(p.Country) <= maxText
		if onEarth && short && len(kept) < maxRemote {
			kept = append(kept, p)
		}
	}
	return kept
}
