package client

import (
	"net/http"
	"net/url"
	"strings"
)

// Admin has the operations of the admin service that pages use, by subject in the files of this
// package. They return the errors of Client.Do.
type Admin struct {
	do func(Call) (Answer, error)
}

// NewAdmin returns the operations. do sends a request on behalf of a person.
func NewAdmin(do func(Call) (Answer, error)) Admin { return Admin{do} }

// Read reads a resource whose fields are known by key only.
type Read func() (Answer, error)

// Write replaces fields of a resource if tag is still its ETag.
type Write func(tag string, fields map[string]any) (Answer, error)

// Delete deletes something irrevocably, which takes the person's password.
type Delete func(password string) error

// at returns the path of an operation. The parts of a path that come from outside are escaped.
func at(parts ...string) string {
	for i := 1; i < len(parts); i++ {
		parts[i] = url.PathEscape(parts[i])
	}
	return "/api/admin/" + strings.Join(parts, "/")
}

// get reads a T.
func get[T any](a Admin, path string, query url.Values) (T, error) {
	return call[T](a, Call{Path: path, Query: query})
}

// send changes something, and reads the T that describes the change.
func send[T any](a Admin, method, path string, body any) (T, error) {
	return call[T](a, Call{Method: method, Path: path, Body: body})
}

func call[T any](a Admin, c Call) (T, error) {
	got, _, err := tagged[T](a, c)
	return got, err
}

// tagged is call for an answer with an ETag.
func tagged[T any](a Admin, c Call) (got T, tag string, err error) {
	answer, err := a.do(c)
	if err != nil {
		return got, "", err
	}
	return got, answer.Tag, answer.Read(&got)
}

// done sends a request of which only the success matters.
func (a Admin) done(c Call) error {
	_, err := a.do(c)
	return err
}

func (a Admin) put(path string, body any) error {
	return a.done(Call{Method: http.MethodPut, Path: path, Body: body})
}

func (a Admin) post(path string, body any) error {
	return a.done(Call{Method: http.MethodPost, Path: path, Body: body})
}

func (a Admin) delete(path string) error {
	return a.done(Call{Method: http.MethodDelete, Path: path})
}

func (a Admin) deletion(path string) Delete {
	return func(password string) error {
		return a.done(Call{Method: http.MethodDelete, Path: path, Body: confirmation(password)})
	}
}

func (a Admin) read(path string) Read {
	return func() (Answer, error) { return a.do(Call{Path: path}) }
}

func (a Admin) write(path string) Write {
	return func(tag string, fields map[string]any) (Answer, error) {
		return a.do(Call{Method: http.MethodPut, Path: path, Match: tag, Body: fields})
	}
}

// All is the query of a list as long as the service answers at once.
func All() url.Values { return url.Values{"limit": {"200"}} }
