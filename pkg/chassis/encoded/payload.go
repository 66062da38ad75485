package encoded

import "encoding/json"

// Payload is the data of an enveloped answer: the text with which the answer ends.
type Payload struct{ *Text }

// NewPayload returns a payload of JSON, which must not be used for anything else.
func NewPayload(data []byte) Payload { return Payload{New(append(data, '}'))} }

// Decode reads the JSON of the payload.
func (p Payload) Decode(into any) error {
	text := p.Plain()
	return json.Unmarshal(text[:len(text)-1], into)
}
