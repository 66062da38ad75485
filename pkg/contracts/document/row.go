package document

import "litfass/pkg/contracts/publicapi"

// Row is the part of a list, a portal or a series that query services hold in memory: they read the
// rest when a request names the entity.
type Row struct {
	Slug  string            `json:"slug"`
	Names map[string]string `json:"names"` // by language; "" is that of the original
	Parts []string          `json:"parts,omitempty"`
	Image string            `json:"image,omitempty"` // uuid; "" without one
}

// RowOfList returns the row of a list.
func RowOfList(l publicapi.List) Row { return Row{Slug: l.Slug, Names: namesOf(l.Name, l.Titles)} }

// RowOfPortal returns the row of a portal, which is looked up by its slug only.
func RowOfPortal(p publicapi.Portal) Row { return Row{Slug: p.Slug} }

// RowOfSeries returns the row of a series.
func RowOfSeries(s publicapi.Series) Row {
	titles := make(map[string]string, len(s.Texts))
	for language, text := range s.Texts {
		titles[language] = text.Title
	}
	row := Row{Slug: s.Slug, Names: namesOf(s.Title, titles)}
	for _, part := range s.Parts {
		row.Parts = append(row.Parts, part.UUID)
	}
	if s.Image != nil {
		row.Image = s.Image.UUID
	}
	return row
}

// namesOf returns a name with its translations by language, without empty ones.
func namesOf(name string, translations map[string]string) map[string]string {
	names := map[string]string{"": name}
	for language, translation := range translations {
		if translation != "" {
			names[language] = translation
		}
	}
	return names
}
