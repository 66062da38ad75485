package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
)

// longTexts are the documents of lists with texts as long as they may be, as this release and
// earlier ones write them.
func longTexts(t *testing.T, count int) (documents [][]byte) {
	t.Helper()
	text := strings.Repeat("Zwölf Boxkämpfer jagen Viktor. ", 300)
	for n := range count {
		list := change.List{
			UUID: fmt.Sprintf("01920000-0000-7000-8000-%012x", n), Slug: fmt.Sprintf("l%d", n), Name: fmt.Sprintf("Liste %03d", count-n), Description: value.Text(text),
			Titles:  []change.ListTitle{{Language: "da", Title: "Liste", Description: value.Text(text)}},
			Entries: []change.ListEntry{{EventUUID: eventJazz, Note: value.Text(text[:2_000])}},
		}
		c, err := change.New(change.KindList, list.UUID, 7, list)
		if err != nil {
			t.Fatal(err)
		}
		made, err := project.New("", "").Project(c)
		if err != nil {
			t.Fatal(err)
		}
		d, _ := made.Record.(document.List)
		if n%2 == 1 {
			d.Row, d.Short = nil, nil
		}
		documents = append(documents, encode(t, d))
	}
	return documents
}

// TestListsArePages: all lists are found by following the cursors, in the order of their names, and
// a page is small however long their texts are.
func TestListsArePages(t *testing.T) {
	client := indextest.New(t)
	const count = 130
	put(t, client, document.Lists, longTexts(t, count)...)
	s := serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 0)
	for limit, pages := range map[string]int{"": 2, "limit=50&": 3, "limit=130&": 1} {
		cursor, last, seen := "", "", 0
		for page := 1; ; page++ {
			response, body := s.do(t, http.MethodGet, "/api/lists?"+limit+cursor, "")
			if response.StatusCode != http.StatusOK || len(body) > 200_000 {
				t.Fatalf("%d with %d bytes", response.StatusCode, len(body))
			}
			var answer publicapi.PageOfLists
			if err := json.Unmarshal(body, &answer); err != nil {
				t.Fatal(err)
			}
			for _, list := range answer.Data {
				if list.Name <= last || list.EntryCount != 1 || len(list.Descriptions["da"]) > 400 || !strings.HasSuffix(string(list.Description), "…") {
					t.Errorf("after %s: %+v", last, list)
				}
				last = list.Name
			}
			seen += len(answer.Data)
			if answer.NextCursor == "" {
				if page != pages || seen != count {
					t.Errorf("%s%d lists on %d pages", limit, seen, page)
				}
				break
			}
			cursor = "cursor=" + string(answer.NextCursor)
		}
	}
	var whole enveloped[publicapi.ListedEntries]
	if s.get(t, "/api/list/l7", &whole); len(whole.Data.Description) < 9_000 {
		t.Errorf("a list is cut to %d bytes", len(whole.Data.Description))
	}
	for _, bad := range []string{"cursor=x", "cursor=%20", "limit=0", "limit=201", "offset=1"} {
		if response, body := s.do(t, http.MethodGet, "/api/lists?"+bad, ""); response.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d %.100s", bad, response.StatusCode, body)
		}
	}
}

// TestPagesOfSeriesEndEarly where texts are long, and the cursors lead to all series.
func TestPagesOfSeriesEndEarly(t *testing.T) {
	client := indextest.New(t)
	var documents [][]byte
	const count = 9
	for n := range count {
		one := publicapi.Series{UUID: fmt.Sprintf("01920000-0000-7000-8000-%012x", n), Slug: fmt.Sprintf("s%d", n), Title: fmt.Sprint("Fest ", n), Description: strings.Repeat("ä", 200_000)}
		documents = append(documents, encode(t, recordOf(one.UUID, one, one.Title, "")))
	}
	put(t, client, document.Series, documents...)
	s := serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 0)
	cursor, seen, pages := "", "", 1
	for ; ; pages++ {
		response, body := s.do(t, http.MethodGet, "/api/series?limit=200"+cursor, "")
		if response.StatusCode != http.StatusOK || len(body) > maxSeriesBytes+500_000 {
			t.Fatalf("%d with %d bytes", response.StatusCode, len(body))
		}
		var answer enveloped[publicapi.AllSeries]
		if err := json.Unmarshal(body, &answer); err != nil {
			t.Fatal(err)
		}
		for _, one := range answer.Data.Series {
			seen += one.Slug
		}
		if answer.Data.NextCursor == "" {
			break
		}
		cursor = "&cursor=" + string(answer.Data.NextCursor)
	}
	if seen != "s0s1s2s3s4s5s6s7s8" || pages < 3 {
		t.Errorf("%s on %d pages", seen, pages)
	}
	if response, _ := s.do(t, http.MethodGet, "/api/series?offset=1"+cursor, ""); response.StatusCode != http.StatusBadRequest {
		t.Error("two beginnings of a page are taken")
	}
}
