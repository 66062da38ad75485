// Package sitemap lists the public pages of Litfass for search engines (sitemaps.org): an index of
// files, each read from the engine in parts, so that neither the service nor the engine ever holds
// more than one file of a catalogue.
package sitemap

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
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
	base                 string // of all addresses, without a trailing slash
	language             string // of pages whose address names none
	perFile, perQuestion int
}

// New returns a reader whose sitemaps have addresses below publicURL. The code is the language of
// pages whose address names none, "" for the first of language.Codes.
func New(e *engine.Engine, publicURL string, code language.Code) *Reader {
	return &Reader{e, strings.TrimRight(publicURL, "/"), cmp.Or(string(code), language.Default), perFile, perQuestion}
}

// section is the pages of the entities of an index.
type section struct{ index, path string }

// sections are in the order of their files.
var sections = []section{
	{document.Regions, "/region/"},
	{document.Organizations, "/organization/"},
	{document.Venues, "/venue/"},
	{document.Events, "/event/"},
}

// Indexes are the indexes whose records decide which pages are in which file.
var Indexes = []string{document.Regions, document.Organizations, document.Venues, document.Events}

// MaxLists is the number of lists in the file of lists.
const MaxLists = perFile - 1

// List is a list of events by its filter, or the one of an editor by its slug; the zero value is
// that of all events.
type List struct{ City, Type, Slug string }

// path returns the path of the page of a list.
func (l List) path() string {
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
	existing, _ := filter.Compile(filter.Existing())
	for _, s := range sections {
		counts, err := r.engine.Count(ctx, s.index, engine.Counting{Filter: existing})
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
		found, err := r.entities(ctx, f.index, last, offset, limit)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			pages = append(pages, page{f.path + strings.ReplaceAll(e.ID, "_", "."), e.ChangedAt})
			last = e.ID
		}
		if len(found) < limit {
			break
		}
		left, offset = left-limit, 0
	}
	return pages, nil
}

// entity is the part of a record that a sitemap needs.
type entity struct {
	ID        string `json:"id"`
	ChangedAt string `json:"changed_at"`
}

func (r *Reader) entities(ctx context.Context, index, after string, offset, limit int) ([]entity, error) {
	q := engine.Question{Sort: []string{"id:asc"}, Attributes: []string{"id", "changed_at"}, Offset: offset, Limit: limit}
	q.Filter, _ = filter.Compile(filter.ExistingAfter(after))
	answer, err := r.engine.Search(ctx, index, q)
	if err != nil {
		return nil, err
	}
	var found struct {
		Hits []entity `json:"hits"`
	}
	if err := json.Unmarshal(answer, &found); err != nil {
		return nil, fmt.Errorf("decode what there is in %s: %w", index, err)
	}
	return found.Hits, nil
}
