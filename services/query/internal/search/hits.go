package search

import (
	"bytes"
	"errors"
)

// The hits of an answer are handed on byte by byte: the documents hold what clients see. So they are only found here, not
// decoded; encoding/json would take longer for a page of dates than all the rest of a request.

var errAnswer = errors.New("the engine's answer is not what it promised")

// findHits returns the elements of the list "hits" of an answer, each a JSON object. The answer is valid JSON, as the
// engine writes it; of anything else the result is an error or meaningless, but never a crash.
func findHits(answer []byte) ([][]byte, error) {
	list, err := member(answer, `"hits"`)
	if err != nil {
		return nil, err
	}
	var hits [][]byte
	for at := afterSpace(list, 1); at < len(list) && list[at] == '{'; {
		end := valueEnd(list, at)
		if end < 0 {
			return nil, errAnswer
		}
		hits = append(hits, list[at:end])
		at = afterSpace(list, end)
		if at < len(list) && list[at] == ',' {
			at = afterSpace(list, at+1)
		}
	}
	return hits, nil
}

// member returns the value of a JSON object's member; name stands in its quotation marks.
func member(object []byte, name string) ([]byte, error) {
	at := afterSpace(object, 0)
	if at == len(object) || object[at] != '{' {
		return nil, errAnswer
	}
	for at = afterSpace(object, at+1); at < len(object) && object[at] == '"'; {
		end := valueEnd(object, at)
		if end < 0 {
			return nil, errAnswer
		}
		found := string(object[at:end]) == name
		at = afterSpace(object, end)
		if at == len(object) || object[at] != ':' {
			return nil, errAnswer
		}
		at = afterSpace(object, at+1)
		if end = valueEnd(object, at); end < 0 {
			return nil, errAnswer
		}
		if found {
			return object[at:end], nil
		}
		at = afterSpace(object, end)
		if at < len(object) && object[at] == ',' {
			at = afterSpace(object, at+1)
		}
	}
	return nil, errAnswer
}

// valueEnd returns where the JSON value that starts at at ends, or -1.
func valueEnd(data []byte, at int) int {
	if at >= len(data) {
		return -1
	}
	switch data[at] {
	case '"':
		return stringEnd(data, at)
	case '{', '[':
		return nestEnd(data, at)
	}
	end := bytes.IndexAny(data[at:], ",]} \t\r\n")
	if end <= 0 {
		return -1
	}
	return at + end
}

// nestEnd returns where the object or list that starts at at ends, or -1.
func nestEnd(data []byte, at int) int {
	for depth := 0; at >= 0 && at < len(data); {
		switch data[at] {
		case '"':
			at = stringEnd(data, at)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		at++
		if depth == 0 {
			return at
		}
	}
	return -1
}

// stringEnd returns where the string that starts at at ends, or -1: behind the first quotation mark that has an even
// number of backslashes before it.
func stringEnd(data []byte, at int) int {
	for from := at + 1; ; {
		quote := bytes.IndexByte(data[from:], '"')
		if quote < 0 {
			return -1
		}
		quote += from
		backslashes := 0
		for data[quote-1-backslashes] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return quote + 1
		}
		from = quote + 1
	}
}

func afterSpace(data []byte, at int) int {
	for at < len(data) && (data[at] == ' ' || data[at] == '\n' || data[at] == '\r' || data[at] == '\t') {
		at++
	}
	return at
}
