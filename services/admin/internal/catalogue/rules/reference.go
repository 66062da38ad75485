package rules

import (
	"fmt"

	"litfass/pkg/contracts/value"
)

// Reference is a reference of one entity to another.
type Reference struct {
	Kind Kind   // of the referenced entity
	Key  string // its key
	// Venue is the venue that a referenced space must belong to.
	Venue string

	field string
	date  int // the position of the referring date, or -1
}

// Field is the JSON path of the reference, for example "dates[3].venue_uuid".
func (r Reference) Field() string {
	if r.date < 0 {
		return r.field
	}
	return fmt.Sprintf("dates[%d].%s", r.date, r.field)
}

// References returns every reference to another entity.
func References(e Entity) []Reference {
	switch e := e.(type) {
	case *Organization:
		return mention(KindOrganization, "holding_org_uuid", string(e.HoldingOrgUUID))
	case *Venue:
		return mention(KindOrganization, "org_uuid", e.OrgUUID)
	case *Space:
		return mention(KindVenue, "venue_uuid", e.VenueUUID)
	case *Contributor:
		return mention(KindOrganization, "org_uuid", string(e.OrgUUID))
	case *Portal: // its filter and its lists may name what is gone
		return mention(KindOrganization, "org_uuid", string(e.OrgUUID))
	case *List: // its entries may name what is gone
		return mention(KindOrganization, "org_uuid", string(e.OrgUUID))
	case *Series:
		return mention(KindOrganization, "org_uuid", e.OrgUUID)
	case *Event:
		mentions := mention(KindOrganization, "org_uuid", e.OrgUUID)
		for i, label := range e.Labels {
			mentions = append(mentions, mention(KindLabel, fmt.Sprintf("labels[%d]", i), label)...)
		}
		for i, of := range e.Series {
			mentions = append(mentions, mention(KindSeries, fmt.Sprintf("series[%d].series_uuid", i), of.SeriesUUID)...)
		}
		for i, named := range e.Contributors {
			mentions = append(mentions, mention(KindContributor, fmt.Sprintf("contributors[%d].uuid", i), named.UUID)...)
		}
		mentions = mentionPlace(mentions, -1, e.VenueUUID, e.SpaceUUID)
		for i := range e.Dates {
			mentions = mentionPlace(mentions, i, e.Dates[i].VenueUUID, e.Dates[i].SpaceUUID)
		}
		return mentions
	default:
		return nil
	}
}

func mention(kind Kind, field, key string) []Reference {
	if key == "" {
		return nil
	}
	return []Reference{{Kind: kind, Key: key, field: field, date: -1}}
}

func mentionPlace(to []Reference, date int, venue, space value.Text) []Reference {
	if venue == "" {
		return to
	}
	to = append(to, Reference{Kind: KindVenue, Key: string(venue), field: "venue_uuid", date: date})
	if space != "" {
		to = append(to, Reference{Kind: KindSpace, Key: string(space), Venue: string(venue), field: "space_uuid", date: date})
	}
	return to
}
