// Program ogen is a client of both services by the code that ogen generates of their descriptions.
// The environment names the address of the services and an account that can log in.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"github.com/ogen-go/ogen/ogenerrors"

	"litfass/deploy/clients/ogenadmin"
	"litfass/deploy/clients/ogenquery"
)

// account has the credentials of admin, and none of query.
type account struct{ token string }

func (a *account) Bearer(context.Context, ogenadmin.OperationName) (ogenadmin.Bearer, error) {
	return ogenadmin.Bearer{Token: a.token}, nil
}

func (a *account) ApiKey(context.Context, ogenquery.OperationName) (ogenquery.ApiKey, error) {
	return ogenquery.ApiKey{}, ogenerrors.ErrSkipClientSecurity
}

func main() {
	log.SetFlags(0)
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	base, caller := os.Getenv("BASE"), &account{}
	admin, err := ogenadmin.NewClient(base, caller)
	if err != nil {
		return err
	}
	query, err := ogenquery.NewClient(base, caller)
	if err != nil {
		return err
	}
	event, position, err := publish(ctx, admin, caller)
	if err != nil {
		return err
	}
	if err := find(ctx, query, ogenquery.UUID(event), position); err != nil {
		return err
	}
	return read(ctx, query)
}

// publish logs in, founds an organization and releases an event. It returns the event's uuid and
// the position of the write.
func publish(ctx context.Context, admin *ogenadmin.Client, caller *account) (event, position string, err error) {
	login, err := admin.Login(ctx, &ogenadmin.Credentials{Email: os.Getenv("EMAIL"), Password: os.Getenv("PASSWORD")})
	if err != nil {
		return "", "", err
	}
	session, ok := login.(*ogenadmin.LoginResultHeaders)
	if !ok {
		return "", "", fmt.Errorf("login: %#v", login)
	}
	caller.token = session.Response.AccessToken
	founded, err := admin.CreateOrganization(ctx, &ogenadmin.NewOrganization{Name: "Generated, ogen"})
	if err != nil {
		return "", "", err
	}
	organization, ok := founded.(*ogenadmin.CreateOrganizationCreatedHeaders)
	if !ok {
		return "", "", fmt.Errorf("found an organization: %#v", founded)
	}
	date := ogenadmin.DateFields{
		StartDate: ogenadmin.NewOptDate(time.Date(2027, 3, 5, 0, 0, 0, 0, time.UTC)),
		StartTime: ogenadmin.NewOptNilTimeOrNull("20:00"),
	}
	created, err := admin.CreateEvent(ctx, &ogenadmin.NewEvent{
		OrgUUID: organization.Response.UUID, Title: ogenadmin.NewOptString("Konzert mit ogen"),
		OnlineLink:    ogenadmin.NewOptNilLinkOrNull("https://example.org/live"),
		ReleaseStatus: ogenadmin.NewOptReleaseStatus(ogenadmin.ReleaseStatusReleased),
		Categories:    []int{1}, EventTypes: []ogenadmin.EventType{{TypeID: 1, GenreID: ogenadmin.NewOptInt(1003)}},
		MinAge: ogenadmin.NewOptNilInt(12), Dates: []ogenadmin.DateFields{date},
	})
	if err != nil {
		return "", "", err
	}
	stored, ok := created.(*ogenadmin.CreateEventCreatedHeaders)
	if !ok {
		return "", "", fmt.Errorf("create an event: %#v", created)
	}
	position, said := stored.LitfassPosition.Get()
	if !said {
		return "", "", fmt.Errorf("the write has no position")
	}
	return string(stored.Response.UUID), position, nil
}

// find finds the event in every kind of answer.
func find(ctx context.Context, query *ogenquery.Client, event ogenquery.UUID, position string) error {
	wanted := ogenquery.NewOptString(position)
	answer, err := query.GetEvents(ctx, ogenquery.GetEventsParams{
		EventUuids: []ogenquery.UUID{event}, Search: ogenquery.NewOptWords("konzert"), Limit: ogenquery.NewOptInt(5),
		LitfassPosition: wanted,
	})
	if err != nil {
		return err
	}
	page, ok := answer.(*ogenquery.GetEventsOKHeaders)
	if !ok || len(page.Response.Data.Events) != 1 || !page.LitfassPosition.Set {
		return fmt.Errorf("search: %#v", answer)
	}
	entry := page.Response.Data.Events[0]
	age, _ := entry.MinAge.Get()
	if entry.Title != "Konzert mit ogen" || !entry.VenueUUID.IsNull() || age != 12 {
		return fmt.Errorf("entry: %#v", entry)
	}
	facets, err := query.PostEventsFacets(ctx, &ogenquery.FacetsQuery{
		By: []ogenquery.Dimension{ogenquery.DimensionCategories}, EventUuids: []ogenquery.UUID{event},
		Start: ogenquery.NewOptDay("2027-01-01"),
	}, ogenquery.PostEventsFacetsParams{})
	if err != nil {
		return err
	}
	counts, ok := facets.(*ogenquery.PostEventsFacetsOKHeaders)
	if !ok || counts.Response.Data.Total != 1 || counts.Response.Data.Facets["categories"][0].Value != "1" {
		return fmt.Errorf("facets: %#v", facets)
	}
	details, err := query.GetEvent(ctx, ogenquery.GetEventParams{UUID: event})
	if err != nil {
		return err
	}
	whole, ok := details.(*ogenquery.GetEventOKHeaders)
	if !ok || len(whole.Response.Data.Dates) != 1 || whole.Response.Data.Dates[0].StartTime != "20:00" {
		return fmt.Errorf("event: %#v", details)
	}
	feed, err := query.GetEventsIcs(ctx, ogenquery.GetEventsIcsParams{EventUuids: []ogenquery.UUID{event}})
	if err != nil {
		return err
	}
	calendar, ok := feed.(*ogenquery.GetEventsIcsOKHeaders)
	if !ok {
		return fmt.Errorf("calendar: %#v", feed)
	}
	text, err := io.ReadAll(calendar.Response)
	if err == nil && !strings.HasPrefix(string(text), "BEGIN:VCALENDAR") {
		err = fmt.Errorf("calendar: %s", text)
	}
	return err
}

// read reads value sets, and an error.
func read(ctx context.Context, query *ogenquery.Client) error {
	types, err := query.GetEventTypeGenreLookup(ctx, ogenquery.GetEventTypeGenreLookupParams{Lang: []string{"de"}})
	if err != nil {
		return err
	}
	names, ok := types.(*ogenquery.GetEventTypeGenreLookupOKHeaders)
	if !ok || names.Response.Data["de"].Types["1"].Name != "Konzert" {
		return fmt.Errorf("types: %#v", types)
	}
	spoken, err := query.GetChoosableLanguages(ctx, ogenquery.GetChoosableLanguagesParams{Lang: ogenquery.NewOptLocale("da")})
	if err != nil {
		return err
	}
	if languages, ok := spoken.(*ogenquery.GetChoosableLanguagesOKHeaders); !ok || len(languages.Response) < 30 {
		return fmt.Errorf("languages: %#v", spoken)
	}
	answer, err := query.GetEvents(ctx, ogenquery.GetEventsParams{Limit: ogenquery.NewOptInt(1000)})
	if err != nil {
		return err
	}
	refused, ok := answer.(*ogenquery.BadRequestHeaders)
	if !ok || refused.Response.Details[0].Field != "limit" {
		return fmt.Errorf("a limit of 1000: %#v", answer)
	}
	return nil
}
