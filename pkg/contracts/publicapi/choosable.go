package publicapi

// Item is one element of a choosable list. ID and Name are always there (RULES.md, Choosable
// lists); the others are of some lists only.
type Item struct {
	ID        any    `json:"id"` // int in sets whose ids are integers, else string
	Name      string `json:"name"`
	EventType int    `json:"event_type,omitempty"` // of genres
	Country   string `json:"country,omitempty"`    // of states
	SPDX      string `json:"spdx,omitempty"`       // of licences
	URL       string `json:"url,omitempty"`        // of licences
}

// Named is an entity's uuid and name, as choosable lists show it, with its city to distinguish
// namesakes.
type Named struct {
	UUID string `json:"id"`
	Name string `json:"name"`
	City string `json:"city"`
}

// Flag is one bit of a mask with its topic.
type Flag struct {
	ID        string `json:"id"` // the position of the bit
	Name      string `json:"name"`
	Key       string `json:"key"`
	TopicID   string `json:"topic_id"`
	TopicName string `json:"topic_name"`
}
