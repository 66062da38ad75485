package encoded

import "encoding/json"

// Payload is the data of an enveloped answer: the text with which the answer ends.
type Payload struct{ *Text }

// NewPayload returns a payload of JSON, which must not be used for anything else.
func NewPayload(data []byte) Payload { return Payload{New(append(data, '}'))} }

// With returns a payload, an object with members, with that of another payload as its last member.
func (p Payload) With(member string, other Payload) Payload {
	outer, inner := p.Plain(), other.Plain()
	data := make([]byte, 0, len(outer)+len(inner)+len(member)+len(`,"":`))
	data = append(append(append(data, outer[:len(outer)-2]...), `,"`+member+`":`...), inner[:len(inner)-1]...)
	return NewPayload(append(data, '}'))
}

// Decode reads the JSON of the payload.
func (p Payload) Decode(into any) error {
	text := p.Plain()
	return json.Unmarshal(text[:len(text)-1], into)
}
