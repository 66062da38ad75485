package project

import (
	"encoding/json"
	"errors"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
)

func venue(d *Documents, v change.Venue) error {
	if err := d.owns(v.UUID); err != nil {
		return err
	}
	d.Name = v.Name
	d.Record = document.Venue{
		Record:            named(record(d, venueView(v), v.ChangedAt), v.Name, v.City),
		OrgUUID:           v.Organization.UUID,
		CityWords:         document.Words(string(v.City)),
		CityKey:           document.TextKeys(string(v.City)),
		CityEnd:           document.TextEnd(string(v.City)),
		PostalKey:         document.TextKeys(string(v.PostalCode)),
		PostalEnd:         document.TextEnd(string(v.PostalCode)),
		Country:           string(v.Country),
		Lat:               coordinate(v.Lat),
		Lon:               coordinate(v.Lon),
		AccessibilityBits: bits(v.AccessibilityFlags),
	}
	return nil
}

func venueView(v change.Venue) publicapi.Venue {
	view := publicapi.Venue{
		UUID:                 v.UUID,
		OrgUUID:              v.Organization.UUID,
		OrgName:              v.Organization.Name,
		Name:                 v.Name,
		Summary:              string(v.Summary),
		Description:          string(v.Description),
		ContactEmail:         string(v.ContactEmail),
		ContactPhone:         string(v.ContactPhone),
		WebLink:              v.WebLink,
		Street:               string(v.Street),
		HouseNumber:          string(v.HouseNumber),
		PostalCode:           string(v.PostalCode),
		City:                 string(v.City),
		State:                string(v.State),
		Country:              string(v.Country),
		Lat:                  coordinate(v.Lat),
		Lon:                  coordinate(v.Lon),
		Timezone:             string(v.Timezone),
		OpenedAt:             v.OpenedAt,
		ClosedAt:             v.ClosedAt,
		OpeningHours:         string(v.OpeningHours),
		TicketInfo:           string(v.TicketInfo),
		TicketLink:           v.TicketLink,
		AccessibilityFlags:   v.AccessibilityFlags,
		AccessibilitySummary: string(v.AccessibilitySummary),
		Spaces:               make([]publicapi.Space, len(v.Spaces)),
		Hours:                v.Hours,
		WikidataID:           v.WikidataID,
		OSMID:                v.OSMID,
	}
	for i, space := range v.Spaces {
		view.Spaces[i] = spaceView(space)
	}
	return view
}

func spaceView(s change.Space) publicapi.Space {
	return publicapi.Space{
		UUID:                 s.UUID,
		Name:                 s.Name,
		Description:          string(s.Description),
		SpaceType:            string(s.SpaceType),
		BuildingLevel:        s.BuildingLevel,
		TotalCapacity:        s.TotalCapacity,
		SeatingCapacity:      s.SeatingCapacity,
		WebLink:              s.WebLink,
		AccessibilityFlags:   s.AccessibilityFlags,
		AccessibilitySummary: string(s.AccessibilitySummary),
	}
}

func organization(d *Documents, o change.Organization) error {
	if err := d.owns(o.UUID); err != nil {
		return err
	}
	d.Name = o.Name
	d.Record = named(record(d, publicapi.Organization{
		UUID:            o.UUID,
		Name:            o.Name,
		Description:     string(o.Description),
		LegalForm:       o.LegalForm,
		Nonprofit:       o.Nonprofit,
		HoldingOrgUUID:  o.HoldingOrgUUID,
		ContactEmail:    string(o.ContactEmail),
		ContactPhone:    string(o.ContactPhone),
		WebLink:         o.WebLink,
		Street:          string(o.Street),
		HouseNumber:     string(o.HouseNumber),
		AddressAddition: string(o.AddressAddition),
		PostalCode:      string(o.PostalCode),
		City:            string(o.City),
		State:           string(o.State),
		Country:         string(o.Country),
		Lat:             coordinate(o.Lat),
		Lon:             coordinate(o.Lon),
	}, o.ChangedAt), o.Name, o.City)
	return nil
}

func contributor(d *Documents, c change.Contributor) error {
	if err := d.owns(c.UUID); err != nil {
		return err
	}
	d.Name = c.Name
	view := publicapi.Contributor{
		UUID:        c.UUID,
		Type:        c.Type,
		Name:        c.Name,
		Note:        string(c.Note),
		Description: string(c.Description),
		WebLink:     c.WebLink,
		Wikidata:    c.Wikidata,
	}
	d.Record = document.Contributor{Record: named(record(d, view, c.ChangedAt), c.Name, c.Note), FormerUUIDs: c.FormerUUIDs}
	return nil
}

func portal(d *Documents, p change.Portal) error {
	if err := d.owns(p.UUID); err != nil {
		return err
	}
	if len(p.Filter) == 0 || string(p.Filter) == "null" {
		return errors.New("it has no filter")
	}
	view := publicapi.Portal{
		UUID:       p.UUID,
		Slug:       p.Slug,
		OrgUUID:    p.OrgUUID,
		Name:       p.Name,
		Titles:     make(map[string]string, len(p.Titles)),
		Languages:  list(p.Languages),
		Accent:     p.Look.Accent,
		AccentDark: p.Look.AccentDark,
	}
	for _, title := range p.Titles {
		view.Titles[title.Language] = title.Title
	}
	selects := document.PortalSelects{Filter: p.Filter, Include: p.Include, Exclude: p.Exclude}
	d.Record = document.Portal{
		Record:  held(record(d, view, p.ChangedAt), document.RowOfPortal(view)),
		Selects: document.Encoded[document.PortalSelects]{Value: selects},
	}
	return nil
}

func curated(d *Documents, l change.List) error {
	if err := d.owns(l.UUID); err != nil {
		return err
	}
	view := publicapi.List{
		UUID:         l.UUID,
		Slug:         l.Slug,
		OrgUUID:      l.OrgUUID,
		Name:         l.Name,
		Description:  l.Description,
		Titles:       make(map[string]string, len(l.Titles)),
		Descriptions: make(map[string]string, len(l.Titles)),
	}
	for _, title := range l.Titles {
		view.Titles[title.Language] = title.Title
		if title.Description != "" {
			view.Descriptions[title.Language] = string(title.Description)
		}
	}
	d.Record = document.List{
		Record:  held(record(d, view, l.ChangedAt), document.RowOfList(view)),
		Short:   &document.Encoded[publicapi.ShortList]{Value: view.Short(len(l.Entries))},
		Entries: document.Encoded[[]change.ListEntry]{Value: list(l.Entries)},
	}
	return nil
}

func region(d *Documents, r change.Region) error {
	if err := d.owns(r.ID()); err != nil {
		return err
	}
	if len(r.Geometry) == 0 || string(r.Geometry) == "null" {
		return errors.New("it has no geometry")
	}
	shape, err := geometry(r.Geometry)
	if err != nil {
		return err
	}
	view := publicapi.Region{
		CountrySlug: r.CountrySlug,
		CountryName: r.CountryName,
		StateSlug:   r.StateSlug,
		StateName:   r.StateName,
		RegionSlug:  r.RegionSlug,
		Name:        r.Name,
	}
	d.Record = document.Region{
		Record: record(d, view, r.ChangedAt), Geometry: document.Encoded[json.RawMessage]{Value: shape},
	}
	return nil
}

func lookup(d *Documents, l change.Lookup) error {
	if err := d.owns(l.Name); err != nil {
		return err
	}
	view := document.LookupView{Name: l.Name, Integer: l.Integer, Items: make([]document.LookupItem, len(l.Items))}
	for i, item := range l.Items {
		view.Items[i] = document.LookupItem{
			ID: item.ID, Group: item.Group, Names: object(item.Names), Extra: object(item.Extra),
		}
	}
	d.Record = record(d, view, "")
	return nil
}

// object returns m, never nil.
func object(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}
