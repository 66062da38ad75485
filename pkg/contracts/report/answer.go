package report

import (
	"encoding/json"
	"fmt"
	"time"

	"litfass/pkg/chassis/fault"
)

// answer is the outcome of a report; the zero answer means accepted.
type answer struct {
	Kind       fault.Kind        `json:"kind,omitempty"`
	Code       string            `json:"code,omitempty"`
	Message    string            `json:"message,omitempty"`
	Violations []fault.Violation `json:"violations,omitempty"`
	RetryAfter time.Duration     `json:"retry_after,omitempty"` // nanoseconds
}

// EncodeAnswer returns the answer to a report: accepted when err is nil, else the fault in err.
// Wrapped causes stay with the service that answers.
func EncodeAnswer(err error) []byte {
	var a answer
	if err != nil {
		f := fault.Of(err)
		a = answer{f.Kind, f.Code, f.Message, f.Violations, f.RetryAfter}
	}
	line, err := json.Marshal(a)
	if err != nil {
		panic(fmt.Sprintf("encode an answer of texts and numbers: %v", err)) // always encodes
	}
	return line
}

// DecodeAnswer returns nil for a report that was accepted, and otherwise the fault of the answer.
// An answer that cannot be read is an Internal error.
func DecodeAnswer(line []byte) error {
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		return fmt.Errorf("read the answer to a report: %w", err)
	}
	if a.Kind == "" {
		return nil
	}
	f := fault.New(a.Kind, a.Code, "%s", a.Message)
	f.Violations, f.RetryAfter = a.Violations, a.RetryAfter
	return f
}
