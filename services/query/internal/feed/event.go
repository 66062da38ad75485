package feed

import (
	"slices"

	"litfass/pkg/contracts/publicapi"
)

// Of returns the items of an event's dates, in order, without the names of types and statuses. The
// revision and the time of the last change are those of the event.
func Of(e publicapi.Event, revision int64, changedAt string) []Item {
	images := make([]Image, len(e.Images))
	for n, image := range e.Images {
		images[n] = Image{Address: image.Path, AIGenerated: image.AIGenerated}
	}
	items := make([]Item, len(e.Dates))
	for n, date := range e.Dates {
		items[n] = Item{Entry: entry(e, date), Revision: revision, ChangedAt: changedAt, Details: &Details{
			Description: e.Description, OrgWebLink: e.OrgWebLink, SourceLink: e.SourceLink, VenueWebLink: date.VenueWebLink, Images: images,
			TicketLink: date.TicketLink, EntryTime: date.EntryTime, MaxAttendees: e.MaxAttendees, Series: e.Series,
			Tariffs: e.PricesOf(date).Tariffs, Contributors: e.Contributors, OrgContactEmail: e.OrgContactEmail, OrgContactPhone: e.OrgContactPhone,
			VideoLink: e.VideoLink, VenuePages: publicapi.RegisterPages(date.VenueWikidataID, date.VenueOSMID),
		}}
	}
	return items
}

// entry returns a date of an event as a search lists it.
func entry(e publicapi.Event, d publicapi.Date) publicapi.Entry {
	var shown publicapi.Image
	if at := slices.IndexFunc(e.Images, func(i publicapi.Image) bool { return i.UUID == string(e.ImageUUID) }); at >= 0 {
		shown = e.Images[at]
	}
	price := e.PricesOf(d)
	return publicapi.Entry{
		UUID: e.UUID, DateUUID: d.UUID, DateSlug: d.Slug, Title: e.Title, Subtitle: e.Subtitle, Summary: e.Summary,
		StartDate: d.StartDate, StartTime: d.StartTime, AllDay: d.AllDay, EndDate: d.EndDate, EndTime: d.EndTime,
		SpaceUUID: d.SpaceUUID, SpaceName: d.SpaceName, SpaceAccessibilityFlags: d.SpaceAccessibilityFlags,
		VenueUUID: d.VenueUUID, VenueName: d.VenueName, VenueCity: d.VenueCity, VenueStreet: d.VenueStreet,
		VenueHouseNumber: d.VenueHouseNumber, VenuePostalCode: d.VenuePostalCode, VenueState: d.VenueState,
		VenueCountry: d.VenueCountry, VenueLat: d.VenueLat, VenueLon: d.VenueLon, VenueTimezone: d.VenueTimezone,
		VenueAccessibilityFlags: d.VenueAccessibilityFlags, ImageUUID: e.ImageUUID, ImagePath: e.ImagePath,
		OrgUUID: e.OrgUUID, OrgName: e.OrgName, Categories: e.Categories, EventTypes: e.EventTypes,
		Languages: e.Languages, Tags: e.Tags, Labels: e.Labels, MinAge: e.MinAge, MaxAge: e.MaxAge, PriceType: price.PriceType,
		MinPrice: price.MinPrice, MaxPrice: price.MaxPrice, Currency: price.Currency, VisitorInfoFlags: e.VisitorInfoFlags,
		ReleaseStatus: d.ReleaseStatus, StatusNote: d.StatusNote, OnlineLink: e.OnlineLink,
		ImageAltText: shown.AltText, ImageLicense: shown.License, ImageCreator: shown.CreatorName, Hours: d.Hours,
		ImageAIGenerated: shown.AIGenerated,
		Tickets:          d.Tickets, Moved: d.Moved,
		TextLanguage: e.TextLanguage, TextLanguages: e.TextLanguages,
	}
}
