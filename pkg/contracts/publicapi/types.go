package publicapi

// Types are the types and genres of the lookup in one language (RULES.md, Types and genres). The
// lookup's data is a map of these by language.
type Types struct {
	Types map[string]Type `json:"types"` // by id
}

// Type is one event type with its genres by id.
type Type struct {
	Name   string            `json:"name"`
	Genres map[string]string `json:"genres"`
}

// NamedType is an event's type and genre with their names; genre 0, no genre, has none.
type NamedType struct {
	TypeID    int    `json:"type_id"`
	TypeName  string `json:"type_name"`
	GenreID   int    `json:"genre_id"`
	GenreName string `json:"genre_name"`
}
