package params

import (
	"maps"
	"slices"
	"strings"

	"litfass/pkg/document"
	"litfass/pkg/language"
)

// Read is what the public reads besides the searches are asked with. A zero field was not asked for.
type Read struct {
	Lang      string   // one of language.Codes, always
	Langs     []string // distinct, each one of language.Codes; all of them when none was asked for
	Search    string   // part of a name
	EventType int
	Country   string // as the operation says: a code in upper case, or a slug
	State     string // a slug
	Limit     int
	Offset    int
}

// ReadOperation is the set of parameters that one of the public reads besides the searches takes, each once.
type ReadOperation struct {
	Operation
	rows     map[string]readRow
	required string
}

type readRow func(r *reader, into *Read, text string)

// The operations of the public reads. Each takes lang, so that a client may send it always.
var (
	Named         = reads(nil, "")
	TypesByLang   = reads(map[string]readRow{"lang": readLangs}, "")
	GenresOfType  = reads(map[string]readRow{"event_type": readEventType}, "")
	StatesOf      = reads(map[string]readRow{"country": readCode, "country-code": readCode}, "")
	Organizations = reads(map[string]readRow{"search": readPart, "limit": readLimit, "offset": readOffset}, "search")
	GeoStates     = reads(map[string]readRow{"country": readCountrySlug}, "")
	GeoRegions    = reads(map[string]readRow{"country": readCountrySlug, "state": readStateSlug}, "")
)

func reads(rows map[string]readRow, required string) ReadOperation {
	all := map[string]readRow{"lang": readLang}
	maps.Copy(all, rows)
	return ReadOperation{Operation{names: slices.Sorted(maps.Keys(all))}, all, required}
}

// Read reads the query string of a GET, still percent-encoded. The error is an Invalid fault that names every bad
// parameter, with the nearest known name for an unknown one.
func (o ReadOperation) Read(rawQuery string) (Read, error) {
	r := reader{operation: o.Operation}
	into := Read{Lang: language.Default, Langs: language.Codes, Limit: defaultLimit}
	seen := false
	for _, param := range r.splitURL(rawQuery) {
		r.field = param.name
		seen = seen || param.name == o.required
		if len(param.values) > 1 {
			r.bad("is given %d times; it takes one value", len(param.values))
		} else if r.checkText(param.values[0]) {
			o.rows[param.name](&r, &into, param.values[0])
		}
	}
	if o.required != "" && !seen {
		r.field = o.required
		r.bad("is missing")
	}
	return into, r.violations.Err("invalid_parameters", "the request has parameters that are not valid")
}

// UUID reads a UUIDv7 in its usual form of 36 characters and returns it in lower case.
func UUID(text string) (lower string, ok bool) { return uuid7(text) }

// Integer reads a whole number above 0, in plain digits.
func Integer(text string) (n int, ok bool) { return integer(text, 1, maxID) }

func readLang(_ *reader, into *Read, text string) { into.Lang = language.Nearest(text) }

func readLangs(r *reader, into *Read, text string) {
	into.Langs = nil
	for item := range strings.SplitSeq(text, ",") {
		if item == "" {
			r.bad("has an empty value between its commas")
			return
		}
		if lang := language.Nearest(item); !slices.Contains(into.Langs, lang) {
			into.Langs = append(into.Langs, lang)
		}
	}
}

func readEventType(r *reader, into *Read, text string) { into.EventType = r.number(text, 1, maxID) }

func readCode(r *reader, into *Read, text string) {
	country, ok := code(text)
	if !ok {
		r.bad("is not an ISO 3166-1 alpha-3 code of three letters")
	}
	if into.Country != "" && into.Country != country {
		r.bad("is given as country and, with another value, as country-code")
	}
	into.Country = country
}

func readCountrySlug(_ *reader, into *Read, text string) { into.Country = text }

func readStateSlug(_ *reader, into *Read, text string) { into.State = text }

func readPart(r *reader, into *Read, text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		r.bad("holds only spaces")
	}
	if len(document.PartKey(text)) > document.MaxPatternBytes {
		r.bad("is too long: at most %d letters and digits, where every other character counts as 4", document.MaxPatternBytes)
	}
	into.Search = text
}

func readLimit(r *reader, into *Read, text string) { into.Limit = r.number(text, 1, maxLimit) }

func readOffset(r *reader, into *Read, text string) { into.Offset = r.number(text, 0, maxOffset) }
