package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"

	"litfass/deploy/e2e/faults/recorded"
)

// found are the first results of the release's search, from which the recorded addresses are made.
type found struct {
	Data struct {
		Events []struct {
			UUID      string `json:"uuid"`
			DateUUID  string `json:"date_uuid"`
			Title     string `json:"title"`
			OrgUUID   string `json:"org_uuid"`
			VenueUUID string `json:"venue_uuid"`
			VenueCity string `json:"venue_city"`
		} `json:"events"`
	} `json:"data"`
}

const listing = "/api/events?start=2037-01-01&limit=50"

// readAnswers records answers and pages about the first event.
func (s *service) readAnswers(ctx context.Context, r *recorded.Release) error {
	content, err := s.get(ctx, s.url+listing, "")
	var all found
	if err == nil {
		err = json.Unmarshal(content, &all)
	}
	if err != nil {
		return err
	}
	if len(all.Data.Events) == 0 {
		return errors.New("the release finds no event")
	}
	first := all.Data.Events[0]
	event, period := "/api/event/"+first.UUID, "start=2037-01-01"
	for _, path := range []string{
		listing, "/api/events?" + period + "&search=" + url.QueryEscape(first.Title),
		"/api/events?" + period + "&city=" + url.QueryEscape(first.VenueCity), "/api/events?" + period + "&countries=DEU&limit=5",
		"/api/events?" + period + "&venue_uuids=" + first.VenueUUID, "/api/events?" + period + "&price=free",
		"/api/events/type-summary?" + period, "/api/events/facets?by=city,categories&" + period, "/api/suggest?q=" + url.QueryEscape(first.Title),
		event, event + "/date/" + first.DateUUID, "/api/venue/" + first.VenueUUID, "/api/venues?limit=20",
		"/api/organization/" + first.OrgUUID, "/api/organizations?limit=20", "/api/geolist/countries",
		"/api/choosable-countries?lang=de", "/api/choosable-event-types?lang=da", "/api/choosable-venues",
		"/api/events.geojson?" + period, "/api/venues.geojson",
	} {
		content, err := s.get(ctx, s.url+path, "")
		if err != nil {
			fmt.Fprintln(os.Stderr, "left out:", err) // a later release has it
			continue
		}
		var answer any
		if err := json.Unmarshal(content, &answer); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		r.Answers = append(r.Answers, recorded.Answer{Path: path, Answer: answer})
	}
	for _, path := range []string{
		"/?" + period, "/event/" + first.UUID, "/venue/" + first.VenueUUID, "/organization/" + first.OrgUUID, "/print?" + period,
		"/month?month=2037-05", "/embed?" + period, "/api/events.ics?" + period, "/api/events.rss?" + period,
		"/api/events.atom?" + period, "/api/events.csv?" + period, event + ".ics",
		"/api/events.json?" + period, event + ".jsonld",
	} {
		content, err := s.get(ctx, s.url+path, "")
		if err != nil {
			fmt.Fprintln(os.Stderr, "left out:", err)
			continue
		}
		page := recorded.Page{Path: path}
		if bytes.Contains(content, []byte(first.Title)) {
			page.Text = first.Title
		}
		r.Pages = append(r.Pages, page)
	}
	return nil
}
