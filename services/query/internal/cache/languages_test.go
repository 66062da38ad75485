package cache

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/applied"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// translatedEntry returns an entry with a title in its own language and in others.
func translatedEntry(title string, languages ...string) string {
	texts := make([]string, len(languages))
	for i, language := range languages {
		texts[i] = fmt.Sprintf(`"%s":{"title":"%s %s"}`, language, title, language)
	}
	return fmt.Sprintf(`{"title":"%s","subtitle":"","text_language":"de","texts":{%s}}`, title, strings.Join(texts, ","))
}

// entriesPage returns the first page of entries by start.
func entriesPage(entries []string) *Page {
	rows := make([]Row, len(entries))
	for i, entry := range entries {
		rows[i] = Row{Cursor: params.Cursor{StartKey: 202611010000 + int64(i), DateUUID: dateID(i)}, Members: []byte(entry[1:])}
	}
	return NewPage(Page{
		Criteria: NewCriteria(filter.Simplify(filter.Dates(params.Query{}, filter.Places{})), "", ""), ByStart: true, Limit: len(entries), Encode: join,
	}, rows, true)
}

// shownIn returns the payload of entries in a language, by a row of them each.
func shownIn(entries []string, language string) string {
	var lines strings.Builder
	for _, entry := range entries {
		if title := fmt.Sprintf(`"%s":{"title":"`, language); strings.Contains(entry, title) {
			_, translated, _ := strings.Cut(entry, title)
			translated, _, _ = strings.Cut(translated, `"`)
			_, rest, _ := strings.Cut(entry, `","subtitle"`)
			entry = `{"title":"` + translated + `","subtitle"` + strings.Replace(rest, `"text_language":"de"`, `"text_language":"`+language+`"`, 1)
		}
		lines.WriteString(entry + "\n")
	}
	return lines.String()
}

// plain returns a payload without the end of its envelope.
func plain(payload encoded.Payload) string { return strings.TrimSuffix(string(payload.Plain()), "}") }

// A page in a language has the edits of the page that it is made of, also of translations.
func TestPagesInLanguagesFollowEdits(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		some := func() string {
			var languages []string
			for _, language := range []string{"da", "en"} {
				if r.IntN(3) == 0 {
					languages = append(languages, language)
				}
			}
			return translatedEntry(fmt.Sprintf("title %d", r.IntN(1000)), languages...)
		}
		entries := []string{some(), some(), some(), some()}
		page := entriesPage(entries)
		for range 30 {
			if r.IntN(4) == 0 {
				page.Pack()
			}
			for _, language := range []string{"", "da", "en", "de"} {
				payload := page.PayloadIn(language)
				if got, want := plain(payload), shownIn(entries, language); got != want {
					t.Fatalf("seed %d, %q:\n%swant\n%s", seed, language, got, want)
				}
			}
			at := r.IntN(len(entries))
			entries[at] = some()
			edit := rewordedDate(at, "")
			edit.Entry = []string{entries[at]}
			next, reason := page.Apply(NewBatch(applied.Batch{Dates: []applied.Date{edit}}, "", ""))
			if next == nil {
				t.Fatalf("seed %d: %s", seed, reason)
			}
			page = next.(*Page)
		}
	}
}

// A page that is not translated into a language takes no more memory for it, and one that is counts
// it, until it is packed.
func TestPagesInLanguagesAreCounted(t *testing.T) {
	t.Parallel()
	plain, translated := entriesPage([]string{translatedEntry("a", "en")}), entriesPage([]string{translatedEntry("a", "da")})
	resized := 0
	for _, page := range []*Page{plain, translated} {
		page.OnResize(func() { resized++ })
	}
	before, without := plain.Size(), translated.Size()
	plainIn, translatedIn := plain.PayloadIn("da"), translated.PayloadIn("da")
	if plainIn.Text != plain.Payload.Text || plain.Size() != before {
		t.Error("a page that is not translated has a payload of its own")
	}
	if translatedIn.Text == translated.Payload.Text || translated.Size() < without+translatedIn.Size() || resized != 1 {
		t.Errorf("the payload is not counted: %d, then %d, announced %d times", without, translated.Size(), resized)
	}
	if again := translated.PayloadIn("da"); again.Text != translatedIn.Text {
		t.Error("the payload is made again")
	}
	if translated.Pack(); translated.Size() > without {
		t.Errorf("packed: %d, before %d", translated.Size(), without)
	}
}

// Requests in languages do not wait for each other, and not for one that packs the page.
func TestPagesInLanguagesAreReadConcurrently(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long text ", 300)
	entries := []string{translatedEntry(long, "da", "en"), translatedEntry("b", "da")}
	page := entriesPage(entries)
	var lock sync.Mutex
	page.OnResize(func() {
		lock.Lock()
		defer lock.Unlock()
		_ = page.Size()
	})
	var requests sync.WaitGroup
	for i := range 8 {
		requests.Go(func() {
			for range 50 {
				language := []string{"da", "en"}[i%2]
				if payload := page.PayloadIn(language); plain(payload) != shownIn(entries, language) {
					t.Errorf("in %s: %.100s", language, payload.Plain())
				}
				if i == 0 {
					page.Pack()
				}
			}
		})
	}
	requests.Wait()
}
