package text

import (
	"context"

	"litfass/pkg/chassis/fault"
)

// Reason returns why a field is invalid in the language of the texts, by the code of the violation:
// that of a reason, or of a failure. For an unknown code it is the English sentence of the service.
func Reason(t *Texts, v fault.Violation) string {
	if words, translated := t.Reason(v); translated {
		return words
	}
	return Refusal(t, v.Code, v.Reason)
}

// Refusal returns the message of a failure in the language of the texts, by its code; for an
// unknown code, the English message of the service.
func Refusal(t *Texts, code, english string) string {
	if id := "refusal." + code; t.Has(id) {
		return t.T(id)
	}
	return t.Fallback(english)
}

type contextKey struct{}

// NewContext returns a context that carries the texts of a request to its components.
func NewContext(ctx context.Context, t *Texts) context.Context {
	return context.WithValue(ctx, contextKey{}, t)
}

// IsFallback reports whether words are English on a page in another language.
func IsFallback(ctx context.Context, words string) bool {
	t, found := ctx.Value(contextKey{}).(*Texts)
	return found && t.IsFallback(words)
}
