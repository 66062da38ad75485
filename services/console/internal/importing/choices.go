package importing

import (
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
)

// Choices are the fields of the columns of a preview, and its venues and types that are not known.
// may are the rights of the person, and mapping the columns that were chosen before.
func Choices(r *page.Request, may permission.Set, report adminapi.ImportReport, mapping []adminapi.ImportMapping) templ.Component {
	p := preview{r: r, report: report, may: may}
	for _, m := range mapping {
		p.form.Columns = append(p.form.Columns, column{Name: m.Column, Field: string(m.Field), Chosen: true})
	}
	if len(report.Kinds) > 0 {
		p.types = types(r.Lookup().Sets())
	}
	return choices(p)
}

// ReadChoices reads them into a source. Choices that the form does not show stay.
func ReadChoices(sent url.Values, body *adminapi.SourceBody) {
	var f form
	f.readColumns(sent)
	f.readChoices(sent)
	if len(sent["column"]) > 0 {
		body.Mapping = nil
		for _, c := range f.mapping() {
			body.Mapping = append(body.Mapping, adminapi.ImportMapping{Column: c.Name, Field: value.Text(c.Field)})
		}
		if sent.Has("date_order") {
			body.DateOrder = value.Text(sent.Get("date_order"))
		}
	}
	shown := func(names []string, name string) bool {
		return slices.ContainsFunc(names, func(other string) bool { return strings.EqualFold(other, name) })
	}
	kept := slices.DeleteFunc(slices.Clone(body.Venues), func(p adminapi.ImportPlace) bool { return shown(sent["venue"], p.Name) })
	body.Venues = slices.Concat(kept, f.Venues)
	types := slices.DeleteFunc(slices.Clone(body.Kinds), func(k adminapi.ImportKind) bool { return shown(sent["kind"], k.Name) })
	body.Kinds = slices.Concat(types, f.Kinds)
}
