package project

import (
	"cmp"
	"slices"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/pkg/media/imaging"
)

// mainImage is the identifier of the image that lists show.
const mainImage = "main"

func (p Projector) event(d *Documents, e change.Event) error {
	if err := d.owns(e.UUID); err != nil {
		return err
	}
	places, err := p.placesOf(e)
	if err != nil {
		return err
	}
	dates, err := sortedDates(e.Dates)
	if err != nil {
		return err
	}
	view, err := p.eventView(e, places, dates)
	if err != nil {
		return err
	}
	shared, entry := sharedDocument(e, d.Revision), p.sharedEntry(e)
	for _, date := range dates {
		where, err := places.ofDate(date)
		if err != nil {
			return err
		}
		searched, err := p.searchedDate(shared, entry, e, date, where)
		if err != nil {
			return err
		}
		d.Dates = append(d.Dates, searched)
	}
	document.Relate(d.Dates)
	d.Record = document.Event{Record: record(d, view, e.ChangedAt), Images: imagesOf(view.Images)}
	return nil
}

// Event returns a whole event with its dates as it is shown, also one that is not public. The error
// is that of Project.
func (p Projector) Event(e change.Event) (publicapi.Event, error) {
	places, err := p.placesOf(e)
	if err != nil {
		return publicapi.Event{}, err
	}
	dates, err := sortedDates(e.Dates)
	if err != nil {
		return publicapi.Event{}, err
	}
	return p.eventView(e, places, dates)
}

func (p Projector) eventView(e change.Event, places places, dates []change.Date) (publicapi.Event, error) {
	view := p.wholeEvent(e, places.own)
	for _, date := range dates {
		where, err := places.ofDate(date)
		if err != nil {
			return view, err
		}
		view.Dates = append(view.Dates, dateView(e, date, where))
	}
	return view, nil
}

// wholeEvent returns an event with no dates yet.
func (p Projector) wholeEvent(e change.Event, own place) publicapi.Event {
	image, price, images := p.listImage(e.Images), priceOf(e), p.imagesOf(e.Images)
	addTexts(images, e.Texts, func(t change.EventText) map[string]change.ImageText { return t.Images })
	return publicapi.Event{
		UUID:              e.UUID,
		Title:             e.Title,
		Subtitle:          string(e.Subtitle),
		Summary:           string(e.Summary),
		Description:       string(e.Description),
		OrgUUID:           e.Organization.UUID,
		OrgName:           e.Organization.Name,
		OrgWebLink:        e.Organization.WebLink,
		Categories:        list(e.Categories),
		EventTypes:        eventTypes(e.EventTypes),
		Languages:         list(e.Languages),
		Tags:              list(e.Tags),
		Labels:            list(e.Labels),
		MinAge:            e.MinAge,
		MaxAge:            e.MaxAge,
		PriceType:         price.kind,
		MinPrice:          price.min,
		MaxPrice:          price.max,
		Currency:          string(e.Currency),
		TicketFlags:       list(e.TicketFlags),
		VisitorInfoFlags:  e.VisitorInfoFlags,
		ParticipationInfo: string(e.ParticipationInfo),
		MeetingPoint:      string(e.MeetingPoint),
		MaxAttendees:      e.MaxAttendees,
		Occasion:          e.Occasion,
		OnlineLink:        e.OnlineLink,
		SourceLink:        e.SourceLink,
		SourceName:        e.SourceName,
		Origin:            e.Origin,
		ReleaseStatus:     e.ReleaseStatus,
		StatusNote:        eventNote(e),
		EventLinks:        eventLinks(e.EventLinks),
		ImageUUID:         value.Text(image.UUID),
		ImagePath:         value.Text(image.Path),
		Images:            images,
		Place:             own.view(),
		Dates:             []publicapi.Date{},
		Series:            seriesOf(e),
		Tariffs:           tariffs(e.Tariffs),
		StatusChangedAt:   e.StatusChangedAt,
		TextLanguage:      string(e.TextLanguage),
		TextLanguages:     textLanguages(e.TextLanguage, e.Texts),
		Texts:             eventTexts(e),
		Contributors:      participants(e.Contributors),
		OrgContactEmail:   string(e.Organization.ContactEmail),
		OrgContactPhone:   string(e.Organization.ContactPhone),
		VideoLink:         e.VideoLink,
	}
}

// eventNote returns why an event does not take place as planned.
func eventNote(e change.Event) string {
	if !altered(e.ReleaseStatus) {
		return ""
	}
	return string(e.StatusNote)
}

func tariffs(of []change.Tariff) []publicapi.Tariff {
	converted := make([]publicapi.Tariff, len(of))
	for i, t := range of {
		converted[i] = publicapi.Tariff{
			Name: t.Name, MinPrice: t.MinPrice, MaxPrice: t.MaxPrice, Currency: t.Currency, Condition: string(t.Condition),
		}
		if t.MaxPrice == nil {
			converted[i].MaxPrice = t.MinPrice
		}
	}
	return converted
}

func eventTypes(types []change.EventType) []publicapi.EventType {
	converted := make([]publicapi.EventType, len(types))
	for i, t := range types {
		converted[i] = publicapi.EventType(t)
	}
	return converted
}

func participants(named []change.Participant) []publicapi.Participant {
	converted := make([]publicapi.Participant, len(named))
	for i, p := range named {
		converted[i] = publicapi.Participant{
			UUID: p.UUID, Role: p.Role, Type: p.Type, Name: p.Name, Note: string(p.Note), WebLink: p.WebLink, Wikidata: p.Wikidata,
		}
	}
	return converted
}

func eventLinks(links []change.EventLink) []publicapi.Link {
	converted := make([]publicapi.Link, len(links))
	for i, l := range links {
		converted[i] = publicapi.Link{Type: l.Type, Label: string(l.Label), URL: l.URL}
	}
	return converted
}

func (p Projector) imagesOf(images []change.Image) []publicapi.Image {
	converted := make([]publicapi.Image, len(images))
	for i, image := range images {
		converted[i] = publicapi.Image{
			UUID:        image.UUID,
			Identifier:  image.Identifier,
			Path:        p.imagePath(image),
			MimeType:    image.MimeType,
			Width:       image.Width,
			Height:      image.Height,
			AltText:     string(image.AltText),
			Description: string(image.Description),
			License:     image.License,
			CreatorName: string(image.CreatorName),
			Copyright:   string(image.Copyright),
			FocusX:      coordinate(image.FocusX),
			FocusY:      coordinate(image.FocusY),
			AIGenerated: image.AIGenerated,
		}
	}
	return converted
}

func imagesOf(images []publicapi.Image) []document.Image {
	converted := make([]document.Image, len(images))
	for i, image := range images {
		converted[i] = document.Image{
			UUID: image.UUID, MimeType: image.MimeType, Width: image.Width, Height: image.Height,
			FocusX: image.FocusX, FocusY: image.FocusY,
		}
	}
	return converted
}

// listImage returns the image that lists show: the main one, else the first by identifier; the zero
// value when there is none.
func (p Projector) listImage(images []change.Image) publicapi.Image {
	if len(images) == 0 {
		return publicapi.Image{}
	}
	shown := slices.MinFunc(images, func(a, b change.Image) int { return cmp.Compare(imageRank(a), imageRank(b)) })
	return p.imagesOf([]change.Image{shown})[0]
}

// imagePath returns the URL of an image. A new file has a new uuid, and the last segment changes
// with all else that its variants depend on, so the content of a URL never changes.
func (p Projector) imagePath(image change.Image) string {
	return p.public + "/api/image/" + image.UUID + "/" + imaging.Version(image.UUID, imaging.FocusAt(image.FocusX, image.FocusY))
}

func imageRank(image change.Image) string {
	if image.Identifier == mainImage {
		return ""
	}
	return image.Identifier
}
