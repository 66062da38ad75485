// Program oapi is a client of both services by the code that oapi-codegen generates of their
// descriptions. The environment names the address of the services and an account that can log in.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"litfass/deploy/clients/oapiadmin"
	"litfass/deploy/clients/oapiquery"
)

func main() {
	log.SetFlags(0)
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	base := os.Getenv("BASE")
	admin, err := oapiadmin.NewClientWithResponses(base)
	if err != nil {
		return err
	}
	query, err := oapiquery.NewClientWithResponses(base)
	if err != nil {
		return err
	}
	event, position, err := publish(ctx, admin)
	if err != nil {
		return err
	}
	if err := find(ctx, query, event, position); err != nil {
		return err
	}
	return read(ctx, query)
}

// publish logs in, founds an organization and releases an event. It returns the event's uuid and
// the position of the write.
func publish(ctx context.Context, admin *oapiadmin.ClientWithResponses) (event, position string, err error) {
	login, err := admin.LoginWithResponse(ctx, oapiadmin.Credentials{Email: os.Getenv("EMAIL"), Password: os.Getenv("PASSWORD")})
	if err != nil {
		return "", "", err
	}
	if login.JSON200 == nil {
		return "", "", fmt.Errorf("login: %s", login.Body)
	}
	authorized := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+login.JSON200.AccessToken)
		return nil
	}
	founded, err := admin.CreateOrganizationWithResponse(ctx, oapiadmin.NewOrganization{Name: "Generated, oapi-codegen"}, authorized)
	if err != nil {
		return "", "", err
	}
	if founded.JSON201 == nil {
		return "", "", fmt.Errorf("found an organization: %s", founded.Body)
	}
	date := oapiadmin.DateFields{
		StartDate: &openapi_types.Date{Time: time.Date(2027, 3, 5, 0, 0, 0, 0, time.UTC)}, StartTime: new(oapiadmin.TimeOrNull("20:00")),
	}
	created, err := admin.CreateEventWithResponse(ctx, oapiadmin.NewEvent{
		OrgUuid: founded.JSON201.Uuid, Title: new("Konzert mit oapi-codegen"),
		OnlineLink: new(oapiadmin.LinkOrNull("https://example.org/live")), ReleaseStatus: new(oapiadmin.ReleaseStatus("released")),
		Categories: &[]int{1}, EventTypes: &[]oapiadmin.EventType{{TypeId: 1, GenreId: new(1003)}},
		MinAge: new(12), Dates: &[]oapiadmin.DateFields{date},
	}, authorized)
	if err != nil {
		return "", "", err
	}
	if created.JSON201 == nil {
		return "", "", fmt.Errorf("create an event: %s", created.Body)
	}
	return created.JSON201.Uuid, created.HTTPResponse.Header.Get("Litfass-Position"), nil
}

// find finds the event in every kind of answer.
func find(ctx context.Context, query *oapiquery.ClientWithResponses, event, position string) error {
	page, err := query.GetEventsWithResponse(ctx, &oapiquery.GetEventsParams{
		EventUuids: &[]oapiquery.UUID{event}, Search: new("konzert"), Limit: new(5), LitfassPosition: &position,
	})
	if err != nil {
		return err
	}
	if page.JSON200 == nil || len(page.JSON200.Data.Events) != 1 {
		return fmt.Errorf("search: %s", page.Body)
	}
	entry := page.JSON200.Data.Events[0]
	if entry.Title != "Konzert mit oapi-codegen" || entry.VenueUuid != nil || entry.MinAge == nil || *entry.MinAge != 12 {
		return fmt.Errorf("entry: %+v", entry)
	}
	facets, err := query.PostEventsFacetsWithResponse(ctx, nil, oapiquery.FacetsQuery{
		By: []oapiquery.Dimension{"categories"}, EventUuids: &[]oapiquery.UUID{event}, Start: new("2027-01-01"),
	})
	if err != nil {
		return err
	}
	if facets.JSON200 == nil || facets.JSON200.Data.Total != 1 || facets.JSON200.Data.Facets["categories"][0].Value != "1" {
		return fmt.Errorf("facets: %s", facets.Body)
	}
	whole, err := query.GetEventWithResponse(ctx, event, nil)
	if err != nil {
		return err
	}
	if whole.JSON200 == nil || len(whole.JSON200.Data.Dates) != 1 || whole.JSON200.Data.Dates[0].StartTime != "20:00" {
		return fmt.Errorf("event: %s", whole.Body)
	}
	calendar, err := query.GetEventsIcsWithResponse(ctx, &oapiquery.GetEventsIcsParams{EventUuids: &[]oapiquery.UUID{event}})
	if err == nil && !strings.HasPrefix(string(calendar.Body), "BEGIN:VCALENDAR") {
		err = fmt.Errorf("calendar: %s", calendar.Body)
	}
	return err
}

// read reads value sets, and an error.
func read(ctx context.Context, query *oapiquery.ClientWithResponses) error {
	types, err := query.GetEventTypeGenreLookupWithResponse(ctx, &oapiquery.GetEventTypeGenreLookupParams{Lang: &[]string{"de"}})
	if err != nil {
		return err
	}
	if types.JSON200 == nil || types.JSON200.Data["de"].Types["1"].Name != "Konzert" {
		return fmt.Errorf("types: %s", types.Body)
	}
	languages, err := query.GetChoosableLanguagesWithResponse(ctx, &oapiquery.GetChoosableLanguagesParams{Lang: new("da")})
	if err != nil {
		return err
	}
	if languages.JSON200 == nil || len(*languages.JSON200) < 30 {
		return fmt.Errorf("languages: %s", languages.Body)
	}
	refused, err := query.GetEventsWithResponse(ctx, &oapiquery.GetEventsParams{Limit: new(1000)})
	if err != nil {
		return err
	}
	if refused.JSON400 == nil || refused.JSON400.Details[0].Field != "limit" {
		return fmt.Errorf("a limit of 1000: %s", refused.Body)
	}
	return nil
}
