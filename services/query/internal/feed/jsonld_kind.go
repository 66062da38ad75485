package feed

import "litfass/pkg/contracts/publicapi"

// kindsOfEvents are the kinds of events of schema.org by the types of the catalogue. A type that is
// none of them for certain, such as a market, is not there.
var kindsOfEvents = map[int]string{
	1: "MusicEvent", 2: "TheaterEvent", 3: "SocialEvent", 4: "ComedyEvent", 5: "TheaterEvent", 6: "LiteraryEvent", 7: "SportsEvent",
	8: "VisualArtsEvent", 9: "ScreeningEvent", 10: "DanceEvent", 11: "MusicEvent", 14: "EducationEvent", 15: "EducationEvent",
	16: "LiteraryEvent", 17: "ExhibitionEvent", 18: "Festival", 20: "EducationEvent", 34: "EducationEvent",
	38: "LiteraryEvent", 43: "ChildrensEvent", 46: "SocialEvent", 53: "FoodEvent", 54: "EducationEvent",
}

// exhibition is the type of events that are open, and do not begin, at times.
const exhibition = 17

// kindOf returns the kind of an event: that of its first type that has one. An exhibition with
// opening hours is one in any case: programs read its schedule as openings.
func kindOf(e publicapi.Entry) string {
	kind := ""
	for _, t := range e.EventTypes {
		if t.TypeID == exhibition && !e.Hours.Empty() {
			return kindsOfEvents[exhibition]
		}
		if kind == "" {
			kind = kindsOfEvents[t.TypeID]
		}
	}
	if kind == "" {
		return "Event"
	}
	return kind
}
