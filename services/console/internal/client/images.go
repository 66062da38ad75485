package client

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

// Image is where the operations on one image are.
type Image struct {
	admin Admin
	path  string
	// deletion is the path of the operation that deletes it, with its query.
	deletion string
	query    url.Values
}

// EventImage is the image in a place of an event.
func (a Admin) EventImage(event string, place int) Image {
	index := strconv.Itoa(place)
	return Image{a, at("event", event, "image", index), at("event", event, "image"), url.Values{"index": {index}}}
}

// SeriesImage is the image of a series.
func (a Admin) SeriesImage(series string) Image {
	path := at("series", series, "image")
	return Image{admin: a, path: path, deletion: path}
}

// File reads its file, unless its ETag is known.
func (i Image) File(query url.Values, known string) (Answer, error) {
	return i.admin.do(Call{Path: i.path, Query: query, Known: known})
}

// Upload stores a file in its place if tag is still the ETag of its event or series.
func (i Image) Upload(tag string, file []byte) error {
	// Neither the name nor the type that a browser sends says anything about the content.
	form := Form{Field: "image", Name: "image", Type: "application/octet-stream", File: file}
	return i.admin.done(Call{Method: http.MethodPost, Path: i.path, Match: tag, Form: &form})
}

// Delete deletes it if tag is still the ETag of its event or series.
func (i Image) Delete(tag string) error {
	return i.admin.done(Call{Method: http.MethodDelete, Path: i.deletion, Match: tag, Query: i.query})
}

// Read reads its words and its focus point by their fields.
func (i Image) Read() Read { return i.admin.read(i.path + "/meta") }

// Write changes its words and its focus point.
func (i Image) Write() Write {
	return func(tag string, fields map[string]any) (Answer, error) {
		return i.admin.do(Call{Method: http.MethodPost, Path: i.path, Match: tag, Form: &Form{Fields: formOf(fields)}})
	}
}

// formOf encodes fields as a form: an empty one clears the stored value.
func formOf(fields map[string]any) url.Values {
	form := url.Values{}
	for key, value := range fields {
		switch value := value.(type) {
		case nil:
			form.Set(key, "")
		case float64:
			form.Set(key, strconv.FormatFloat(value, 'f', -1, 64))
		default:
			form.Set(key, fmt.Sprint(value))
		}
	}
	return form
}
