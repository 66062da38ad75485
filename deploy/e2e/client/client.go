// Package client sends requests to the public side of a running stack, as a website would.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/reference"
)

// Client sends requests to one base address.
type Client struct {
	Base string
	HTTP *http.Client
}

// New returns a client that keeps up to connections connections open.
func New(base string, connections int) *Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = connections
	transport.MaxConnsPerHost = connections
	transport.DisableCompression = true
	return &Client{Base: base, HTTP: &http.Client{Transport: transport, Timeout: 30 * time.Second}}
}

// Answer is a response.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Get requests a path with its query string.
func (c *Client) Get(ctx context.Context, path string) (Answer, error) {
	return c.Do(ctx, http.MethodGet, path, nil, nil)
}

// Post sends a body to a path.
func (c *Client) Post(ctx context.Context, path, contentType string, body []byte) (Answer, error) {
	header := http.Header{}
	if contentType != "" {
		header.Set("Content-Type", contentType)
	}
	return c.Do(ctx, http.MethodPost, path, header, body)
}

// Do sends a request with headers and returns any answer.
func (c *Client) Do(ctx context.Context, method, path string, header http.Header, body []byte) (Answer, error) {
	return c.DoAs(ctx, "", method, path, header, body)
}

// DoAs is Do with a host name in place of that of the address, unless it is "".
func (c *Client) DoAs(ctx context.Context, host, method, path string, header http.Header, body []byte) (Answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.Base+path, bytes.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	request.Host = host // of the address if empty
	maps.Copy(request.Header, header)
	response, err := c.HTTP.Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return Answer{Status: response.StatusCode, Header: response.Header, Body: content}, nil
}

// Data reads the payload of a successful enveloped answer into T; another status is an error that
// shows the body.
func Data[T any](a Answer, responseType string) (T, error) {
	var envelope struct {
		Service    string `json:"service"`
		APIVersion string `json:"api_version"`
		Type       string `json:"response_type"`
		Status     int    `json:"status"`
		Timestamp  string `json:"timestamp"`
		Data       T      `json:"data"`
	}
	if a.Status != http.StatusOK {
		return envelope.Data, fmt.Errorf("status %d: %.600s", a.Status, a.Body)
	}
	if err := json.Unmarshal(a.Body, &envelope); err != nil {
		return envelope.Data, fmt.Errorf("answer is not the JSON that it should be: %w: %.300s", err, a.Body)
	}
	if envelope.Service != "litfass" || envelope.APIVersion != "1.0" || envelope.Type != responseType || envelope.Status != http.StatusOK {
		return envelope.Data, fmt.Errorf("envelope is wrong: %.300s", a.Body)
	}
	if _, err := time.Parse("2006-01-02T15:04:05Z", envelope.Timestamp); err != nil {
		return envelope.Data, fmt.Errorf("timestamp of the envelope: %w", err)
	}
	return envelope.Data, nil
}

// Entry is one element of data.events, by key.
type Entry map[string]any

// Text returns the string of a key; "" for another type.
func (e Entry) Text(key string) string {
	text, _ := e[key].(string)
	return text
}

// Page is data of the event search.
type Page struct {
	Events            []Entry `json:"events"`
	LastEventDateUUID *string `json:"last_event_date_uuid"`
	LastEventStartAt  *string `json:"last_event_start_at"`
	Total             *int    `json:"total_event_count"`
}

// Summary is data of the type summary.
type Summary struct {
	Genres []reference.Count `json:"genre_summary"`
	Types  []reference.Count `json:"type_summary"`
	Total  *int              `json:"total_event_count"`
}

// Search sends an event search in the form that the query names.
func (c *Client) Search(ctx context.Context, query generate.Query) (Page, error) {
	answer, err := c.Send(ctx, query)
	if err != nil {
		return Page{}, err
	}
	page, err := Data[Page](answer, "get-events")
	if err == nil && page.Events == nil {
		err = errors.New("data.events is null or missing")
	}
	return page, err
}

// Send sends an event search and returns any answer.
func (c *Client) Send(ctx context.Context, query generate.Query) (Answer, error) {
	path := "/api/events"
	if query.Slash {
		path += "/"
	}
	if !query.Post {
		return c.Get(ctx, path+"?"+Encode(query.Parameters, query.Repeat))
	}
	body, err := json.Marshal(Body(query.Parameters))
	if err != nil {
		return Answer{}, err
	}
	return c.Post(ctx, path, "application/json", body)
}

// Summary requests the type summary.
func (c *Client) Summary(ctx context.Context, p reference.Parameters) (Summary, error) {
	answer, err := c.Get(ctx, "/api/events/type-summary?"+Encode(p, false))
	if err != nil {
		return Summary{}, err
	}
	summary, err := Data[Summary](answer, "get-events-type-summary")
	if err == nil && (summary.Genres == nil || summary.Types == nil || summary.Total == nil) {
		err = errors.New("a list or the total of the summary is null or missing")
	}
	return summary, err
}

// Encode returns the parameters as a query string, in alphabetical order. With repeat, a list
// parameter is repeated for each of its values.
func Encode(p reference.Parameters, repeat bool) string {
	values := url.Values{}
	for name, value := range p {
		values.Set(name, value)
		if _, isList := lists[name]; isList && repeat {
			values[name] = strings.Split(value, ",")
		}
	}
	return values.Encode()
}

// lists are the list parameters: true when their values are numbers.
var lists = map[string]bool{
	"categories": true, "event_types": true, "genres": true, "accessibility": true, "visitor_infos": true,
	"tags": false, "label": false, "contributor": false, "languages": false, "release_statuses": false, "space_types": false, "countries": false, "org_uuids": false, "venue_uuids": false, "event_uuids": false, "series_uuids": false,
}

// numbers are the parameters that are one number.
var numbers = []string{"limit", "offset", "lon", "lat", "radius"}

// Body returns the parameters as the JSON object of a POST: lists as arrays, numbers as numbers.
func Body(p reference.Parameters) map[string]any {
	body := map[string]any{}
	for name, value := range p {
		body[name] = value
		if isNumeric, isList := lists[name]; isList && value != "" {
			body[name] = array(value, isNumeric)
		}
	}
	for _, name := range numbers {
		if value := p[name]; value != "" {
			body[name] = json.Number(value)
		}
	}
	if value := p["ongoing"]; value != "" {
		body["ongoing"] = value == "true"
	}
	return body
}

func array(value string, numeric bool) []any {
	items := []any{}
	for item := range strings.SplitSeq(value, ",") {
		if numeric {
			items = append(items, json.Number(item))
		} else {
			items = append(items, item)
		}
	}
	return items
}

// Facets is data of the facets.
type Facets struct {
	Total  *int                         `json:"total"`
	Facets map[string][]reference.Facet `json:"facets"`
}

// Facets requests counts by dimensions, by POST.
func (c *Client) Facets(ctx context.Context, p reference.Parameters, by []string) (Facets, error) {
	asked := Body(p)
	asked["by"] = by
	body, err := json.Marshal(asked)
	if err != nil {
		return Facets{}, err
	}
	answer, err := c.Post(ctx, "/api/events/facets", "application/json", body)
	if err != nil {
		return Facets{}, err
	}
	facets, err := Data[Facets](answer, "get-events-facets")
	if err == nil && facets.Total == nil {
		err = errors.New("the total of the facets is missing")
	}
	return facets, err
}
