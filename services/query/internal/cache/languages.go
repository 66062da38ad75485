package cache

import (
	"slices"
	"sync"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/publicapi"
)

// inOthers are the payloads of a page in languages, made of its rows on demand: a page that is
// patched gets others. So a page in a language is never older than the page, and pages of which
// nothing is translated have none. A nil pointer has no payloads.
type inOthers struct {
	mu       sync.Mutex
	payloads map[string]encoded.Payload // by language
	resized  func()
}

// findLanguages notes the languages into which rows that are shown are translated.
func (p *Page) findLanguages(shown []Row) {
	p.languages, p.inOthers = nil, nil
	for _, row := range shown {
		for _, language := range publicapi.LanguagesOf(row.Members) {
			if !slices.Contains(p.languages, language) {
				p.languages = append(p.languages, language)
			}
		}
	}
	if p.languages != nil {
		p.inOthers = &inOthers{payloads: map[string]encoded.Payload{}}
	}
}

// PayloadIn returns the payload with the texts of its entries in a language, as far as they are
// translated; "" is the language of the original.
func (p *Page) PayloadIn(language string) encoded.Payload {
	if language == "" || !slices.Contains(p.languages, language) {
		return p.Payload
	}
	return p.inOthers.in(language, func() encoded.Payload {
		rows := slices.Clone(p.shown(p.rows()))
		for i := range rows {
			rows[i].Members = publicapi.InLanguage(append([]byte{'{'}, rows[i].Members...), language)[1:]
		}
		data, _ := p.Encode(p, rows)
		return encoded.NewPayload(data)
	})
}

// in returns the payload in a language. It is made without the lock: that may unpack the page,
// which is then resized.
func (o *inOthers) in(language string, encode func() encoded.Payload) encoded.Payload {
	if payload, known := o.get(language); known {
		return payload
	}
	payload := encode()
	o.mu.Lock()
	resized := o.resized
	if resized != nil {
		payload.OnResize(resized)
	}
	o.payloads[language] = payload
	o.mu.Unlock()
	if resized != nil {
		resized()
	}
	return payload
}

func (o *inOthers) get(language string) (payload encoded.Payload, known bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	payload, known = o.payloads[language]
	return payload, known
}

func (o *inOthers) size() (bytes int) {
	if o == nil {
		return 0
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, payload := range o.payloads {
		bytes += payload.Size()
	}
	return bytes
}

// drop drops the payloads.
func (o *inOthers) drop() {
	if o != nil {
		o.mu.Lock()
		clear(o.payloads)
		o.mu.Unlock()
	}
}

func (o *inOthers) onResize(fn func()) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.resized = fn
	for _, payload := range o.payloads {
		payload.OnResize(fn)
	}
}
