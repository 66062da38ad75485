package engine

import (
	"errors"

	"litfass/pkg/chassis/strictjson"
)

// The hits of an answer are passed on byte by byte: the documents hold the entries that clients
// see. So they are only located here, neither decoded nor validated: encoding/json would take
// longer for a page of dates than the rest of a request.

// ErrAnswer means that the engine's answer lacks something that it promised.
var ErrAnswer = errors.New("the engine's answer is not what it promised")

// Hits returns the elements of the list "hits" of an answer, each a JSON object. The answer is
// valid JSON, as the engine writes it; of anything else the result is ErrAnswer or means nothing.
func Hits(answer []byte) ([][]byte, error) {
	list, err := Member(answer, "hits")
	if err != nil {
		return nil, err
	}
	if list[0] != '[' {
		return nil, ErrAnswer
	}
	var hits [][]byte
	for hit := range strictjson.Elements(list) {
		if hit[0] != '{' {
			return nil, ErrAnswer
		}
		hits = append(hits, hit)
	}
	return hits, nil
}

// Member returns the value of a JSON object's member, or ErrAnswer.
func Member(object []byte, name string) ([]byte, error) {
	if at := strictjson.SkipSpace(object, 0); at == len(object) || object[at] != '{' {
		return nil, ErrAnswer
	}
	for key, value := range strictjson.Members(object) {
		if key == name {
			return value, nil
		}
	}
	return nil, ErrAnswer
}

// Text returns the text of a JSON object's member that needs no escaping in JSON, such as a uuid, a
// date or a time, or ErrAnswer.
func Text(object []byte, name string) (string, error) {
	value, err := Member(object, name)
	if err != nil || len(value) < 2 || value[0] != '"' {
		return "", ErrAnswer
	}
	return string(value[1 : len(value)-1]), nil
}
