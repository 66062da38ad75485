package lists

import (
	"encoding/json"
	"fmt"
	"slices"

	"litfass/pkg/chassis/strictjson"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/engine"
)

// Event returns the payload of GET /api/event/{uuid}: the view of an event with the names of its
// types in lang.
// The texts are in textLang, see publicapi.InLanguage; "" for the original.
func (s ValueSets) Event(view View, lang, textLang string) ([]byte, error) {
	view = inLanguage(view, textLang)
	data, members := without(view, "event_types")
	data, err := s.appendTypes(data, members["event_types"], lang)
	if err != nil {
		return nil, err
	}
	return append(data, '}'), nil
}

// EventDate returns the payload of GET /api/event/{uuid}/date/{date}: that of Event with one of its
// dates separate from the others, which stay in order. found is false when the event has no such
// date.
func (s ValueSets) EventDate(
	view View, lang, textLang string, is func(uuid, slug string) bool,
) (payload []byte, found bool, err error) {
	view = inLanguage(view, textLang)
	data, members := without(view, "event_types", "dates")
	if data, err = s.appendTypes(data, members["event_types"], lang); err != nil {
		return nil, false, err
	}
	var date []byte
	further := []byte{}
	for one := range strictjson.Elements(members["dates"]) {
		uuid, uuidErr := engine.Text(one, "uuid")
		slug, slugErr := engine.Text(one, "slug")
		switch {
		case uuidErr != nil || slugErr != nil:
			return nil, false, engine.ErrAnswer
		case date == nil && is(uuid, slug):
			date = one
		default:
			further = append(append(further, ','), one...)
		}
	}
	if date == nil {
		return nil, false, nil
	}
	data = append(append(data, `,"date":`...), date...)
	data = append(append(data, `,"further_dates":[`...), further[min(1, len(further)):]...)
	return append(data, `]}`...), true, nil
}

// inLanguage returns the view of an event or a series in a language; "" is that of the original.
func inLanguage(view View, language string) View {
	if language == "" {
		return view
	}
	return publicapi.InLanguage(view, language)
}

// appendTypes appends the member of an object that names an event's types in lang.
func (s ValueSets) appendTypes(data, types []byte, lang string) ([]byte, error) {
	var pairs []publicapi.EventType
	if err := json.Unmarshal(types, &pairs); err != nil {
		return nil, fmt.Errorf("decode the types of an event: %w", err)
	}
	types, err := value.JSON(s.NameTypes(pairs, lang))
	if err != nil {
		return nil, fmt.Errorf("encode the types of an event: %w", err)
	}
	return append(append(data, `,"event_types":`...), types...), nil
}

// without copies an object but for some members and its closing bracket. The first member must not
// be among them, and no key may need escaping.
func without(object []byte, names ...string) (data []byte, members map[string][]byte) {
	data, members = make([]byte, 0, len(object)+200), make(map[string][]byte, len(names))
	data = append(data, '{')
	for key, member := range strictjson.Members(object) {
		if slices.Contains(names, key) {
			members[key] = member
			continue
		}
		if len(data) > 1 {
			data = append(data, ',')
		}
		data = append(append(data, '"'), key...)
		data = append(append(data, `":`...), member...)
	}
	return data, members
}
