package reason

// The words that are parameters of reasons.
var (
	WordColumns      = word("columns")
	WordContributor  = word("contributor")
	WordDate         = word("date")
	WordDateOfRule   = word("date of the rule")
	WordDates        = word("dates")
	WordEvent        = word("event")
	WordEvents       = word("events")
	WordGenre        = word("genre of the type")
	WordImage        = word("image")
	WordLabel        = word("label")
	WordLink         = word("link")
	WordMiB          = word("MiB")
	WordList         = word("list")
	WordOrganization = word("organization")
	WordPortal       = word("portal")
	WordRegion       = word("region")
	WordRow          = word("row")
	WordRows         = word("rows")
	WordRule         = word("rule")
	WordRuleOfEvent  = word("rule of the event")
	WordSeries       = word("series")
	WordSeriesPart   = word("part of a series of the event")
	WordSpace        = word("space")
	WordSpaceOfVenue = word("space of the venue")
	WordVenue        = word("venue")
	WordYourVenue    = word("venue that you may choose")
)

var words []Word

func word(english string) Word {
	words = append(words, Word{english})
	return words[len(words)-1]
}

// sets are the names of the value sets that NotInSet names.
var sets = []Set{
	"availabilities", "categories", "contributor-roles", "countries", "currencies", "event-occasions", "event-types", "languages", "legal-forms", "licenses", "link-types",
	"price-types", "space-types", "ticket-flags",
}

// Sets returns the names of value sets, which the pages translate.
func Sets() []Set { return sets }

// Words returns all words, which the pages translate.
func Words() []Word { return words }
