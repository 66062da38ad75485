// Package sitemap lists the public pages of Litfass for search engines (sitemaps.org): an index of
// files, each read from the engine in parts, so that neither the service nor the engine ever holds
// more than one file of a catalogue.
package sitemap

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/language"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

const (
	// perFile is the number of pages in a file, each in every language: some 5 MB. The format allows
	// 50,000 addresses and 50 MB.
	perFile = 2_500
	// perQuestion is the number of pages in one question to the engine.
	perQuestion = 1_000
)

// Reader makes sitemaps from the indexes of one read node.
type Reader struct {
	engine               *engine.Engine
	base                 string   // of all addresses, without a trailing slash
	languages            []string // of the pages
	language             string   // of pages whose address names none
	sections             []section
	perFile, perQuestion int
}

// New returns a reader whose sitemaps have addresses below publicURL. The code is the language of
// pages whose address names none, "" for the first of language.Codes.
func New(e *engine.Engine, publicURL string, code language.Code) *Reader {
	return &Reader{
		e, strings.TrimRight(publicURL, "/"), language.Codes, cmp.Or(string(code), language.Default), sections(), perFile, perQuestion,
	}
}

// section is the pages of the entities of an index.
type section struct {
	index, path string
	match       filter.Expr // of the records that have a page
	// event is whether the records are dates, whose events have the pages.
	event bool
}

// sections are in the order of their files.
func sections() []section {
	return []section{
		{document.Regions, "/region/", filter.Existing(), false},
		{document.Organizations, "/organization/", filter.Existing(), false},
		{document.Venues, "/venue/", filter.Existing(), false},
		{document.Contributors, "/contributor/", filter.Existing(), false},
		{document.Events, "/event/", filter.Existing(), false},
	}
}

// Indexes are the indexes whose records decide which pages are in which file of the site.
var Indexes = []string{document.Regions, document.Organizations, document.Venues, document.Contributors, document.Events}

// At returns the reader of a portal at the address of a host of its own, in its languages, none for
// all. It knows no pages but lists, see Of.
func (r *Reader) At(base string, languages []string) *Reader {
	at := *r
	at.base, at.sections = base, nil
	if len(languages) > 0 {
		at.languages = languages
	}
	if !slices.Contains(at.languages, at.language) {
		at.language = at.languages[0]
	}
	return &at
}

// Of returns the reader with the pages of the events of dates, and of organizations, venues and
// contributors by their uuids.
func (r *Reader) Of(dates filter.Expr, organizations, venues, contributors []string) *Reader {
	of := *r
	of.sections = []section{
		{document.Organizations, "/organization/", filter.Named(filter.Existing(), organizations), false},
		{document.Venues, "/venue/", filter.Named(filter.Existing(), venues), false},
		{document.Contributors, "/contributor/", filter.Named(filter.Existing(), contributors), false},
		{document.Dates, "/event/", dates, true},
	}
	return &of
}

// MaxLists is the number of lists in the file of lists.
const MaxLists = perFile - 1

// List is a list of events by its filter, the one of an editor by its slug, or that of a series by
// its slug; the zero value is that of all events, and AllLists the page of those of editors.
type List struct{ City, Type, Slug, Series string }

// AllLists is the page that links the lists of editors.
var AllLists = List{Slug: "*"} // which is no slug

// path returns the path of the page of a list.
func (l List) path() string {
	if l == AllLists {
		return "/lists"
	}
	if l.Series != "" {
		return "/series/" + url.PathEscape(l.Series)
	}
	if l.Slug != "" {
		return "/list/" + url.PathEscape(l.Slug)
	}
	filter := url.Values{}
	for name, value := range map[string]string{"city": l.City, "event_types": l.Type} {
		if value != "" {
			filter.Set(name, value)
		}
	}
	if len(filter) == 0 {
		return "/"
	}
	return "/?" + filter.Encode()
}

// Lists returns the file of lists: that of all events, then those given.
func (r *Reader) Lists(lists []List) []byte {
	pages := []page{{path: List{}.path()}}
	for _, l := range lists {
		pages = append(pages, page{path: l.path()})
	}
	return r.writeFile(pages)
}

// Index returns the index of the files. The error is the engine's.
func (r *Reader) Index(ctx context.Context) ([]byte, error) {
	files, err := r.files(ctx)
	if err != nil {
		return nil, err
	}
	return writeIndex(r.base, len(files)), nil
}

// File returns a file by its number, from 1. The error is the engine's, or a NotFound fault when
// there is no such file.
func (r *Reader) File(ctx context.Context, number int) ([]byte, error) {
	files, err := r.files(ctx)
	if err != nil {
		return nil, err
	}
	if number < 1 || number > len(files) {
		return nil, fault.New(fault.NotFound, "", "there is no such sitemap")
	}
	pages, err := r.pages(ctx, files[number-1])
	if err != nil {
		return nil, err
	}
	return r.writeFile(pages), nil
}

// file is a part of a section.
type file struct {
	section
	from int // entities of the section in the files before
}

// files returns the content of each file.
func (r *Reader) files(ctx context.Context) (files []file, err error) {
	for _, s := range r.sections {
		question := engine.Counting{}
		if s.event {
			question.Distinct = eventOfDate
		}
		var matches bool
		if question.Filter, matches = filter.Compile(s.match); !matches {
			continue
		}
		counts, err := r.engine.Count(ctx, s.index, question)
		if s.index == document.Contributors && errors.Is(err, engine.ErrNoIndex) {
			continue // built by a release without contributors
		}
		if err != nil {
			return nil, err
		}
		for from := 0; from < counts[0].Total; from += r.perFile {
			files = append(files, file{s, from})
		}
	}
	return files, nil
}

// page is a page with when it changed; "" when that is not known.
type page struct{ path, changed string }

// pages returns the pages of a file. Entities are read in the order of their ids, each part after
// the last id, so that no page is missing while others come or go.
func (r *Reader) pages(ctx context.Context, f file) (pages []page, err error) {
	last, offset := "", f.from
	for left := r.perFile; left > 0; {
		limit := min(left, r.perQuestion)
		found, err := r.entities(ctx, f.section, last, offset, limit)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			pages = append(pages, page{f.path + strings.ReplaceAll(e.id(), "_", "."), e.ChangedAt})
			last = e.ID
		}
		if len(found) < limit {
			break
		}
		left -= limit
		if offset += limit; !f.event {
			offset = 0
		}
	}
	return pages, nil
}

// The attributes of dates that name them, and their events.
const (
	uuidOfDate  = "date_uuid"
	eventOfDate = "uuid"
)

// entity is the part of a record, or of a date, that a sitemap needs.
type entity struct {
	ID        string `json:"id"`
	EventUUID string `json:"uuid"`
	ChangedAt string `json:"changed_at"`
}

// id returns what the page of the entity is named by.
func (e entity) id() string { return cmp.Or(e.ID, e.EventUUID) }

// entities returns a part of a section after an id, or of events, which cannot be ordered by
// theirs, from an offset in the order of their first dates.
func (r *Reader) entities(ctx context.Context, s section, after string, offset, limit int) ([]entity, error) {
	q := engine.Question{Sort: []string{"id:asc"}, Attributes: []string{"id", "changed_at"}, Offset: offset, Limit: limit}
	if s.event {
		q.Sort, q.Attributes, q.Distinct = []string{uuidOfDate + ":asc"}, []string{eventOfDate, "changed_at"}, eventOfDate
	}
	q.Filter, _ = filter.Compile(filter.After(s.match, after))
	answer, err := r.engine.Search(ctx, s.index, q)
	if err != nil {
		return nil, err
	}
	var found struct {
		Hits []entity `json:"hits"`
	}
	if err := json.Unmarshal(answer, &found); err != nil {
		return nil, fmt.Errorf("decode what there is in %s: %w", s.index, err)
	}
	return found.Hits, nil
}
