// Package text reads the words of a service in its languages, and writes dates, times and prices in
// them. The messages are in messages/<part>.<language>.json.
package text

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	codes "litfass/pkg/contracts/language"
)

// formats are the messages that dates, times and numbers are written with, in every service.
//
//go:embed messages/*.json
var formats embed.FS

// Formats returns the messages that every service has, for tests of the others.
func Formats() fs.FS { return formats }

// Library are the words of a service.
type Library map[string]*Texts // by language

// Texts are the words of one language. It is safe for concurrent use.
type Texts struct {
	Code      string // ISO 639-1
	localizer *i18n.Localizer
	plain     map[string]string   // messages without parameters and plural forms
	reasons   map[string][]string // the parameters of the messages of Reason, by code
	fallbacks *sync.Map           // the English sentences that a request shows; nil for texts of a Library
}

// Of returns the texts of a language of language.Codes, and the default ones for another.
func (l Library) Of(code string) *Texts {
	if texts, known := l[code]; known {
		return texts
	}
	return l[codes.Default]
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

// Load reads the messages of a service: files holds messages/<part>.<language>.json. The messages
// are part of the program, so one that cannot be read ends it.
func Load(files fs.FS) Library {
	bundle := i18n.NewBundle(language.Make(codes.Default))
	library := Library{}
	for _, code := range codes.Codes {
		library[code] = &Texts{Code: code, plain: map[string]string{}, reasons: map[string][]string{}}
	}
	for _, tree := range []fs.FS{formats, files} {
		if err := library.read(bundle, tree); err != nil {
			panic(err)
		}
	}
	for code, texts := range library {
		texts.localizer = i18n.NewLocalizer(bundle, code)
	}
	return library
}

// read adds the messages of a folder.
func (l Library) read(bundle *i18n.Bundle, files fs.FS) error {
	names, err := fs.Glob(files, "messages/*.json")
	if err != nil {
		return err
	}
	for _, name := range names {
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		code := strings.TrimPrefix(path.Ext(strings.TrimSuffix(name, ".json")), ".")
		texts, known := l[code]
		if !known {
			return fmt.Errorf("%s: the language %q is not known", name, code)
		}
		if err := texts.add(content); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := bundle.ParseMessageFileBytes(content, code+".json"); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// add reads the messages that are plain text.
func (t *Texts) add(content []byte) error {
	var messages map[string]json.RawMessage
	if err := json.Unmarshal(content, &messages); err != nil {
		return err
	}
	t.addReasons(messages)
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
