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

// Source reads a source with its duplicates.
func (a Admin) Source(org, source string) (adminapi.ShownSource, error) {
	return get[adminapi.ShownSource](a, at("organization", org, "sources", source), nil)
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

// ChangeSource changes a source.
func (a Admin) ChangeSource(org, source string, body adminapi.SourceBody) error {
	return a.put(at("organization", org, "sources", source), body)
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
