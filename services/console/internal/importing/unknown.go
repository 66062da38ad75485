package importing

import (
	"slices"
	"strconv"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/view"
)

// venueOptions are the choices for a venue that is not known: the proposals, the present choice and
// a new venue.
func (p preview) venueOptions(v adminapi.ImportVenue) []view.Option {
	t := p.r.Text
	none := t.T("import.unknown.none")
	if v.Ambiguous {
		none = t.T("import.unknown.several")
	}
	options := []view.Option{{Label: none, Chosen: v.VenueUUID == ""}}
	for _, found := range v.Proposals {
		options = append(options, view.Option{Value: found.UUID, Label: proposalLabel(found), Chosen: found.UUID == string(v.VenueUUID)})
	}
	listed := slices.ContainsFunc(options, func(o view.Option) bool { return o.Chosen })
	if !listed && !v.Create {
		options = append(options, view.Option{Value: string(v.VenueUUID), Label: shortened(string(v.VenueName)), Chosen: true})
	}
	if !v.Ambiguous && p.may.Has(permission.AddVenue) {
		label := t.T("import.unknown.create")
		if address := addressOf(v.Street, v.HouseNumber, v.PostalCode, v.City); address != "" {
			label += ": " + shortened(address)
		}
		options = append(options, view.Option{Value: createVenue, Label: label, Chosen: v.Create})
	}
	return options
}

// unresolved is how many venues are still to be chosen.
func (p preview) unresolved() (count int) {
	for _, v := range p.report.Venues {
		if v.VenueUUID == "" {
			count++
		}
	}
	return count
}

// proposalLabel names a venue with its address, and that of another organization with its owner.
func proposalLabel(v adminapi.FoundVenue) string {
	label := v.Name
	if address := addressOf(v.Street, v.HouseNumber, v.PostalCode, v.City); address != "" {
		label += ", " + address
	}
	if !v.Own {
		label += " (" + v.OrgName + ")"
	}
	return shortened(label)
}

// addressOf writes an address in a line; "" for none.
func addressOf(street, house, postalCode, city value.Text) string {
	first := strings.TrimSpace(string(street) + " " + string(house))
	second := strings.TrimSpace(string(postalCode) + " " + string(city))
	return strings.Trim(first+", "+second, ", ")
}

func chosenType(k adminapi.ImportType) string {
	if k.TypeID == 0 {
		return ""
	}
	return strconv.Itoa(k.TypeID)
}

// addedVenues are the venues that an import has added.
func addedVenues(report adminapi.ImportReport) []adminapi.ImportVenue {
	return slices.DeleteFunc(slices.Clone(report.Venues), func(v adminapi.ImportVenue) bool { return !v.Create })
}
