package client

import (
	"net/http"
	"net/url"
	"strings"

	"litfass/pkg/contracts/adminapi"
)

// AllSeries reads the series of an organization.
func (a Admin) AllSeries(org string, paged url.Values) (adminapi.SeriesPage, error) {
	return get[adminapi.SeriesPage](a, at("series"), ofOrganization(org, paged))
}

// AddSeries adds a series.
func (a Admin) AddSeries(fields map[string]any) (adminapi.WrittenSeries, error) {
	return send[adminapi.WrittenSeries](a, http.MethodPut, at("series"), fields)
}

// Series reads a series with its ETag.
func (a Admin) Series(uuid string) (series adminapi.Series, tag string, err error) {
	return tagged[adminapi.Series](a, Call{Path: at("series", uuid)})
}

// WriteSeries changes fields of a series.
func (a Admin) WriteSeries(uuid string) Write { return a.write(at("series", uuid)) }

// DeleteSeries deletes a series.
func (a Admin) DeleteSeries(uuid string) Delete { return a.deletion(at("series", uuid)) }

// SeriesEvents reads a page of the events of a series.
func (a Admin) SeriesEvents(uuid string, paged url.Values) (adminapi.SeriesEvents, error) {
	return get[adminapi.SeriesEvents](a, at("series", uuid, "events"), paged)
}

// DecideSeries accepts an event into a series, or refuses it.
func (a Admin) DecideSeries(uuid, event string, accepted bool) error {
	_, err := send[adminapi.WrittenSeriesEvent](a, http.MethodPut, at("series", uuid, "event", event), map[string]any{"accepted": accepted})
	return err
}

// ChoosableSeries reads the series of the given uuids, and others with a text in their title.
func (a Admin) ChoosableSeries(uuids []string, text string) ([]adminapi.SeriesChoice, error) {
	query := url.Values{}
	if len(uuids) > 0 {
		query.Set("series_uuids", strings.Join(uuids, ","))
	}
	if text != "" {
		query.Set("search", text)
	}
	got, err := get[adminapi.ChoosableSeries](a, at("user", "choosable-series"), query)
	return got.Series, err
}
