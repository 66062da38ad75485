package text

import (
	"context"
	"strings"

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

// Refusal returns the message of a failure in the language of the texts, by its code or the family
// that the code belongs to; for an unknown code, the English message of the service.
func Refusal(t *Texts, code, english string) string {
	for _, known := range []string{code, family(code)} {
		if id := "refusal." + known; t.Has(id) {
			return t.T(id)
		}
	}
	return t.Fallback(english)
}

// family returns the kind of the failures whose codes begin or end like code, such as not_found of
// event_not_found; "" for none.
func family(code string) string {
	switch {
	case strings.HasSuffix(code, "_not_found"):
		return string(fault.NotFound)
	case strings.HasPrefix(code, "invalid_"):
		return string(fault.Invalid)
	case strings.HasPrefix(code, "stale_"):
		return string(fault.Stale)
	}
	return ""
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
