package client

import (
	"net/http"
	"time"

	"litfass/pkg/contracts/adminapi"
)

// Sources reads the sources of an organization.
func (a Admin) Sources(org string) (adminapi.Sources, error) {
	return get[adminapi.Sources](a, at("organization", org, "sources"), nil)
}

// Source reads a source with its duplicates, and its ETag.
func (a Admin) Source(org, source string) (shown adminapi.ShownSource, tag string, err error) {
	return tagged[adminapi.ShownSource](a, Call{Path: at("organization", org, "sources", source)})
}

// PreviewSource returns what the first reading of a source would do.
func (a Admin) PreviewSource(org string, body adminapi.SourceBody, timeout time.Duration) (adminapi.ImportReport, error) {
	return call[adminapi.ImportReport](a, Call{
		Method: http.MethodPost, Path: at("organization", org, "sources", "preview"), Body: body, Timeout: timeout,
	})
}

// MakeSource adds a source.
func (a Admin) MakeSource(org string, body adminapi.SourceBody) (adminapi.WrittenSource, error) {
	return send[adminapi.WrittenSource](a, http.MethodPost, at("organization", org, "sources"), body)
}

// ChangeSource changes a source, if it still has the ETag.
func (a Admin) ChangeSource(org, source, tag string, body adminapi.SourceBody) error {
	return a.done(Call{Method: http.MethodPut, Path: at("organization", org, "sources", source), Match: tag, Body: body})
}

// DeleteSource deletes a source.
func (a Admin) DeleteSource(org, source string) error {
	return a.delete(at("organization", org, "sources", source))
}

// ReadSource has a source read now.
func (a Admin) ReadSource(org, source string, asked adminapi.SourceReading, timeout time.Duration) (adminapi.ShownSource, error) {
	return call[adminapi.ShownSource](a, Call{
		Method: http.MethodPost, Path: at("organization", org, "sources", source, "read"), Body: asked, Timeout: timeout,
	})
}

// DecideDuplicate decides whether an event of a source is the one that it looks like.
func (a Admin) DecideDuplicate(org, source string, decision adminapi.SourceDecision) error {
	return a.put(at("organization", org, "sources", source, "duplicate"), decision)
}
