package encoded

// Payload is the data of an answer in an envelope: the text with which such an answer ends.
type Payload struct{ *Text }

// NewPayload returns a payload of JSON, which must not be used for anything else.
func NewPayload(data []byte) Payload { return Payload{New(append(data, '}'))} }
