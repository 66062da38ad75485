package adminapi

// WrittenHeader is the answer to changing the header of an event.
type WrittenHeader struct {
	Done
	PartOfEvent
	HeaderPart
	Warned
}

// WrittenDescription is the answer to changing the description of an event.
type WrittenDescription struct {
	Done
	PartOfEvent
	DescriptionPart
	Warned
}

// WrittenSummary is the answer to changing the summary of an event.
type WrittenSummary struct {
	Done
	PartOfEvent
	SummaryPart
	Warned
}

// WrittenTypes is the answer to changing the types and categories of an event.
type WrittenTypes struct {
	Done
	PartOfEvent
	TypesPart
	Warned
}

// WrittenPlace is the answer to changing the place of an event.
type WrittenPlace struct {
	Done
	PartOfEvent
	PlacePart
	Warned
}

// WrittenTags is the answer to changing the tags of an event.
type WrittenTags struct {
	Done
	PartOfEvent
	TagsPart
	Warned
}

// WrittenLanguages is the answer to changing the languages of an event.
type WrittenLanguages struct {
	Done
	PartOfEvent
	LanguagesPart
	Warned
}

// WrittenTexts is the answer to changing the translations of an event.
type WrittenTexts struct {
	Done
	PartOfEvent
	TextsPart
	Warned
}

// WrittenParticipation is the answer to changing the participation of an event.
type WrittenParticipation struct {
	Done
	PartOfEvent
	ParticipationPart
	Warned
}

// WrittenRelease is the answer to changing the release status of an event.
type WrittenRelease struct {
	Done
	PartOfEvent
	ReleasePart
	Warned
}
