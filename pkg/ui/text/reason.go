package text

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"github.com/nicksnyder/go-i18n/v2/i18n"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	codes "litfass/pkg/contracts/language"
)

// reasonPrefix begins the ids of the messages for the codes of package reason, in every service.
const reasonPrefix = "reason."

// wordPrefix begins the ids of the messages for the words that are parameters of reasons.
const wordPrefix = "reason_word."

// wordID turns a word into the end of its id.
var wordID = strings.NewReplacer(" ", "_", "-", "_")

// parameter finds the parameters of a message.
var parameter = regexp.MustCompile(`{{\.(\w+)}}`)

// Reason returns why a field is invalid in the language of the texts, by the code of the violation.
// For a code or parameters that the messages lack, as from a newer service, it returns the English
// sentence. translated reports whether a message was found.
func (t *Texts) Reason(v fault.Violation) (words string, translated bool) {
	names, known := t.reasons[v.Code]
	if !known {
		return v.Reason, false
	}
	values := make(map[string]any, len(names))
	for _, name := range names {
		value, given := v.Params[name]
		if !given {
			return v.Reason, false
		}
		text := reason.Format(value)
		if name == "kind" || name == "unit" || name == "set" { // one of reason.Words or reason.Sets
			text = t.word(text)
		}
		values[name] = text
	}
	id := reasonPrefix + v.Code
	if len(names) == 0 {
		return t.T(id), true
	}
	return t.localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: values}), true
}

// word returns one of the words of reasons in the language of the texts, or an unknown word as it
// is.
func (t *Texts) word(value string) string {
	if id := wordPrefix + wordID.Replace(value); t.Has(id) {
		return t.T(id)
	}
	return value
}

// ForRequest returns the same texts for one request, whose fallbacks they remember.
func (t *Texts) ForRequest() *Texts {
	own := *t
	own.fallbacks = &sync.Map{}
	return &own
}

// Fallback returns an English sentence that a service sent and no message translates, and remembers
// it for IsFallback.
func (t *Texts) Fallback(english string) string {
	if t.fallbacks != nil && t.Code != codes.Default && english != "" {
		t.fallbacks.Store(english, true)
	}
	return english
}

// IsFallback reports whether words are English on a page in another language, so that the page can
// mark them for screen readers.
func (t *Texts) IsFallback(words string) bool {
	if t.fallbacks == nil {
		return false
	}
	_, found := t.fallbacks.Load(words)
	return found
}

// addReasons records the parameters of the messages that Reason chooses from.
func (t *Texts) addReasons(messages map[string]json.RawMessage) {
	for id, message := range messages {
		code, ok := strings.CutPrefix(id, reasonPrefix)
		if !ok {
			continue
		}
		names := []string{}
		for _, match := range parameter.FindAllSubmatch(message, -1) {
			names = append(names, string(match[1]))
		}
		t.reasons[code] = names
	}
}
