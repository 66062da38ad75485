package llm

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/strictjson"
	"litfass/pkg/contracts/value"
)

// request is a request of the public API.
type request struct {
	method, address string
	body            []byte
}

// request returns the request that a call with these arguments stands for. Most values are checked
// by the operation; the error is an Invalid fault that names arguments which cannot be sent to it.
func (op operation) request(arguments json.RawMessage) (request, error) {
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = json.RawMessage("{}")
	}
	if op.method == http.MethodPost {
		return request{op.method, op.path, arguments}, nil
	}
	var bad fault.Violations
	if problem := strictjson.Object(arguments); problem != nil {
		bad.Add("arguments", problem)
		return request{}, bad.Err(invalid())
	}
	path, query := op.path, []string{}
	for name, given := range strictjson.Members(arguments) {
		texts, problem := plain(given)
		switch {
		case problem != nil:
			bad.Add(name, problem)
		case len(texts) == 0:
		case slices.Contains(op.inPath, name):
			part, problem := partOfPath(name, strings.Join(texts, ","))
			if problem != nil {
				bad.Add(name, problem)
			}
			path = strings.ReplaceAll(path, "{"+name+"}", part)
		default:
			for _, text := range texts {
				query = append(query, url.QueryEscape(name)+"="+url.QueryEscape(text))
			}
		}
	}
	for _, name := range op.inPath {
		if strings.Contains(path, "{"+name+"}") {
			bad.Add(name, reason.Required)
		}
	}
	if err := bad.Err(invalid()); err != nil {
		return request{}, err
	}
	if len(query) > 0 {
		path += "?" + strings.Join(query, "&") // in the order in which a refusal names them
	}
	return request{method: op.method, address: path}, nil
}

// slug matches the slugs of series.
var slug = regexp.MustCompile("^[a-z0-9-]{1,100}$")

// partOfPath returns a parameter of a path, a slug or a uuid, as it stands there.
func partOfPath(name, text string) (part string, problem *reason.Reason) {
	if name == "slug" {
		if !slug.MatchString(text) {
			return "", reason.NotSlug
		}
		return text, nil
	}
	uuid, ok := value.UUIDv7(text)
	if !ok {
		return "", reason.NotUUID
	}
	return uuid, nil
}

func invalid() (code, message string) {
	return "invalid_parameters", "the request has parameters that are not valid"
}

// plain returns a JSON value as the texts of a parameter in an address: several for a list, none
// for null.
func plain(value json.RawMessage) (texts []string, problem *reason.Reason) {
	switch value[0] {
	case 'n':
		return nil, nil
	case '{':
		return nil, reason.WrongType("string | number | boolean | array", "object")
	case '"':
		text, problem := strictjson.Text(value)
		return []string{text}, problem
	case '[':
		for item := range strictjson.Elements(value) {
			if item[0] == '[' || item[0] == '{' || item[0] == 'n' {
				return nil, reason.WrongItemType("string | number", "another")
			}
			text, problem := plain(item)
			if problem != nil {
				return nil, problem
			}
			texts = append(texts, text...)
		}
		return texts, nil
	default: // a number, true or false
		return []string{string(value)}, nil
	}
}
