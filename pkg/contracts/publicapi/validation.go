package publicapi

// MaxValidated is the maximum number of answers that one request validates.
const MaxValidated = 500

// CachedAnswer is an answer that a client of the public API has: the path that it was read from,
// with the query string, and its ETag.
type CachedAnswer struct {
	Path string `json:"path"`
	ETag string `json:"etag"`
}

// Validation is the payload of POST /api/validate: in the order of the answers that were asked for.
type Validation struct {
	Answers []Validated `json:"answers"`
}

// Validated reports whether an answer is still the same. Expires is when an unchanged one may
// change without a change of the catalogue, in RFC 3339; "" for never.
type Validated struct {
	Status  string `json:"status"`
	Expires string `json:"expires,omitempty"`
}

// The values of Validated.Status.
const (
	Unchanged = "unchanged"
	Changed   = "changed"
	Unknown   = "unknown" // the service would have to ask the engine, or does not answer the path
)
