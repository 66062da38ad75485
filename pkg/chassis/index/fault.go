package index

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/chassis/fault"
)

// retryAfter is the Retry-After of answers while the engine is down.
const retryAfter = 2 * time.Second

// Codes of the engine that this package acts on.
const (
	codeIndexMissing    = "index_not_found"
	codeIndexExists     = "index_already_exists"
	codeKeyExists       = "api_key_already_exists"
	codeMasterKeyAbsent = "missing_master_key"
	codeTaskMissing     = "task_not_found"
)

// missingCodes are the engine's codes for a missing index, document, task or key.
var missingCodes = []string{
	codeIndexMissing, "document_not_found", "api_key_not_found", codeTaskMissing, "invalid_swap_indexes",
}

// refusals are the engine's codes for a document that it never accepts.
var refusals = []string{
	"invalid_document_id", "missing_document_id", "malformed_payload", "payload_too_large", "max_fields_limit_exceeded",
	"document_fields_limit_reached", "invalid_document_geo_field", "invalid_document_geojson_field",
	"invalid_document_ids", // also returned when reading by an invalid id
}

// Refused reports whether err means that the engine will never accept a document that was sent. The
// other documents of the same task may be accepted when sent without it.
func Refused(err error) bool { return hasCode(err, refusals...) }

// NoIndex reports whether err means that the set lacks an index: not filled yet, deleted, or
// unknown to the release that built the set.
func NoIndex(err error) bool { return hasCode(err, codeIndexMissing) }

// filterCodes are the engine's codes for a filter that it rejects, and for attributes that it does
// not count or group by.
var filterCodes = []string{
	"invalid_search_filter", "invalid_document_filter", "invalid_search_facets", "invalid_search_distinct",
}

// settingsCodes are the engine's codes for an attribute that its settings do not name.
var settingsCodes = []string{"invalid_search_sort"}

// Unsearchable reports whether err means that a search looks for words in an attribute that no
// document of the index has, or that its settings do not name.
func Unsearchable(err error) bool { return hasCode(err, "invalid_search_attributes_to_search_on") }

// notFilterable matches the engine's words for one attribute and for several.
var notFilterable = regexp.MustCompile(`\b(is|are) not filterable\b`)

// Outdated reports whether err means that an index cannot be filtered, sorted, counted or grouped
// by an attribute: its settings differ from package document because another version built it.
func Outdated(err error) bool {
	return hasCode(err, settingsCodes...) ||
		(hasCode(err, filterCodes...) && notFilterable.MatchString(err.Error()))
}

// Fault returns err, an error of the engine's client, as a fault of a kind listed in the package
// comment. A cancelled context is returned unchanged; an expired deadline counts as an engine that
// is too slow.
func Fault(err error) error {
	var failure *meilisearch.Error
	switch {
	case err == nil:
		return nil
	// The client hides it from errors.Is.
	case errors.As(err, &failure) && errors.Is(failure.OriginError, context.Canceled):
		return failure.OriginError
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &failure):
		return faultOf(failure, err)
	default: // the connection ended during the answer
		return unavailable(err, "the search index broke off its answer")
	}
}

func faultOf(failure *meilisearch.Error, err error) error {
	switch failure.ErrCode {
	case meilisearch.MeilisearchApiError, meilisearch.MeilisearchApiErrorWithoutMessage:
		answer := failure.MeilisearchApiError
		return refusal(failure.StatusCode, answer.Type, answer.Code, answer.Message)
	case meilisearch.MeilisearchCommunicationError, meilisearch.MeilisearchTimeoutError,
		meilisearch.ErrCodeResponseUnmarshalBody:
		if cause := failure.OriginError; cause != nil {
			return unavailable(cause, "the search index does not answer")
		}
		return unavailable(err, "the search index does not answer")
	default:
		return fault.Wrap(err, fault.Internal, "", "the request to the search index could not be made")
	}
}

// refusal returns the fault for an error that the engine itself reports, about a request or a task.
func refusal(status int, kind, code, message string) error {
	cause := errors.New(message)
	switch {
	case slices.Contains(missingCodes, code):
		return fault.Wrap(cause, fault.NotFound, code, "the search index does not contain it")
	case status >= http.StatusInternalServerError, status == http.StatusTooManyRequests,
		status == http.StatusRequestTimeout,
		kind == "internal", kind == "system":
		return unavailable(cause, "the search index is not able to answer")
	case kind == "invalid_request":
		return fault.Wrap(cause, fault.Invalid, code, "the search index rejected it")
	default: // "auth", and types added by later engines
		return fault.Wrap(cause, fault.Internal, code, "the search index refuses access")
	}
}

func unavailable(cause error, message string) error {
	f := fault.Wrap(cause, fault.Unavailable, "index_unavailable", "%s", message)
	f.RetryAfter = retryAfter
	return f
}

// hasCode reports whether err is a fault with one of the engine's codes.
func hasCode(err error, codes ...string) bool {
	var f *fault.Fault
	return errors.As(err, &f) && slices.Contains(codes, f.Code)
}
