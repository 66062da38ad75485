package autosave

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"litfass/services/console/internal/client"
)

// call returns the request that stores a body in place of the version that a tag names.
func (p Part) call(tag string, body map[string]any) client.Call {
	call := client.Call{Method: http.MethodPut, Path: p.Write, Match: tag, Body: body}
	if p.Form {
		call.Method, call.Body, call.Form = http.MethodPost, nil, &client.Form{Fields: fieldsOf(body)}
	}
	return call
}

// fieldsOf writes a body as the fields of a form: what clears a field is empty.
func fieldsOf(body map[string]any) url.Values {
	fields := url.Values{}
	for key, value := range body {
		switch value := value.(type) {
		case nil:
			fields.Set(key, "")
		case float64:
			fields.Set(key, strconv.FormatFloat(value, 'f', -1, 64))
		default:
			fields.Set(key, fmt.Sprint(value))
		}
	}
	return fields
}
