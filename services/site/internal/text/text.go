// Package text holds the words of the site in its languages, and writes dates, times and prices in
// them. The messages are in messages/<part>.<language>.json.
package text

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	codes "litfass/pkg/language"
)

//go:embed messages/*.json
var files embed.FS

// Texts are the words of one language. It is safe for concurrent use.
type Texts struct {
	Code      string // ISO 639-1
	localizer *i18n.Localizer
	plain     map[string]string // messages without parameters and plural forms
}

// all are the texts by language.
var all = load()

// Of returns the texts of a language of language.Codes, and the default ones for another.
func Of(code string) *Texts {
	if texts, known := all[code]; known {
		return texts
	}
	return all[codes.Default]
}

// T returns a message as it is. It panics when there is none: the messages are part of the program,
// and a test compares their languages.
func (t *Texts) T(id string) string {
	message, known := t.plain[id]
	if !known {
		panic(fmt.Sprintf("there is no plain message %q in %q", id, t.Code))
	}
	return message
}

// Has reports whether there is a message without parameters with this id.
func (t *Texts) Has(id string) bool {
	_, known := t.plain[id]
	return known
}

// With returns a message with its parameters, given as names and values in turn. They are text, not
// HTML.
func (t *Texts) With(id string, pairs ...any) string {
	return t.localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: data(pairs)})
}

// Count returns a message in the plural form for n, which it can show as {{.N}}.
func (t *Texts) Count(id string, n int, pairs ...any) string {
	values := data(pairs)
	values["N"] = t.Integer(n)
	return t.localize(&i18n.LocalizeConfig{MessageID: id, PluralCount: n, TemplateData: values})
}

func (t *Texts) localize(config *i18n.LocalizeConfig) string {
	message, err := t.localizer.Localize(config)
	if err != nil {
		panic(fmt.Sprintf("message %q in %q: %v", config.MessageID, t.Code, err))
	}
	return message
}

func data(pairs []any) map[string]any {
	values := make(map[string]any, len(pairs)/2+1)
	for i := 0; i+1 < len(pairs); i += 2 {
		values[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return values
}

func load() map[string]*Texts {
	bundle := i18n.NewBundle(language.Make(codes.Default))
	texts := map[string]*Texts{}
	for _, code := range codes.Codes {
		texts[code] = &Texts{Code: code, plain: map[string]string{}}
	}
	names, err := fs.Glob(files, "messages/*.json")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		content, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		code := strings.TrimPrefix(path.Ext(strings.TrimSuffix(name, ".json")), ".")
		if err := texts[code].add(content); err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
		if _, err := bundle.ParseMessageFileBytes(content, code+".json"); err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
	}
	for code, of := range texts {
		of.localizer = i18n.NewLocalizer(bundle, code)
	}
	return texts
}

// add reads the messages that are plain text.
func (t *Texts) add(content []byte) error {
	var messages map[string]json.RawMessage
	if err := json.Unmarshal(content, &messages); err != nil {
		return err
	}
	for id, message := range messages {
		var plain string
		if json.Unmarshal(message, &plain) != nil || strings.Contains(plain, "{{") {
			continue // with parameters or plural forms
		}
		if _, twice := t.plain[id]; twice {
			return fmt.Errorf("message %q is there twice", id)
		}
		t.plain[id] = plain
	}
	return nil
}
