package sitemap

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/language"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// record is as much of a document as a sitemap reads.
type record struct {
	ID        string `json:"id"`
	Gone      bool   `json:"gone"`
	ChangedAt string `json:"changed_at,omitempty"`
}

func put(t *testing.T, client *index.Client, name string, records ...record) {
	t.Helper()
	var lines [][]byte
	for _, one := range records {
		line, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	tasks, err := client.Add(t.Context(), name, lines)
	if err == nil {
		err = client.Wait(t.Context(), tasks...)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// list is both formats of a sitemap as an XML reader sees them.
type list struct {
	XMLName xml.Name
	Entries []struct {
		Loc     string `xml:"loc"`
		LastMod string `xml:"lastmod"`
	} `xml:",any"`
}

const namespaceOfSitemaps = "http://www.sitemaps.org/schemas/sitemap/0.9"

func parse(t *testing.T, data []byte, root string) (entries []string) {
	t.Helper()
	var l list
	if err := xml.Unmarshal(data, &l); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	if l.XMLName.Local != root || l.XMLName.Space != namespaceOfSitemaps {
		t.Errorf("the root is %v", l.XMLName)
	}
	for _, e := range l.Entries {
		if e.LastMod != "" {
			if _, err := time.Parse(time.RFC3339, e.LastMod); err != nil {
				t.Error(err)
			}
		}
		entries = append(entries, strings.TrimSpace(e.Loc+" "+e.LastMod))
	}
	return entries
}

const base = `https://litfass.example/a&b`

func id(n int) string { return fmt.Sprintf("01920000-0000-7000-8000-%012d", n) }

func eventAt(n int) string { return base + "/event/" + id(n) }

// TestSitemap: every page once, in as many files as it takes, each read in parts.
func TestSitemap(t *testing.T) {
	client := indextest.New(t)
	reader := New(engine.New(client, time.Minute), base+"/", "de")
	reader.perFile, reader.perQuestion = 5, 2
	if got := reader.walk(t); len(got) > 0 {
		t.Errorf("of an empty catalogue: %v", got)
	}
	put(t, client, document.Regions, record{ID: "deu_sh_flens-burg", ChangedAt: "2026-01-02T03:04:05Z"})
	put(t, client, document.Organizations, record{ID: id(1)}, record{ID: id(2), Gone: true})
	put(t, client, document.Venues, record{ID: id(3), ChangedAt: "2026-11-20T18:30:00Z"})
	var events []record
	want := []string{
		base + "/region/deu.sh.flens-burg 2026-01-02T03:04:05Z", base + "/organization/" + id(1),
		base + "/venue/" + id(3) + " 2026-11-20T18:30:00Z",
	}
	for n := range 17 {
		events = append(events, record{ID: id(100 + n), Gone: n%5 == 4})
		if n%5 != 4 {
			want = append(want, eventAt(100+n))
		}
	}
	slices.Reverse(events)
	put(t, client, document.Events, events...)
	if got := reader.walk(t); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	index, err := reader.Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if files := parse(t, index, "sitemapindex"); len(files) != 7 { // the lists, and 14 events in 3
		t.Errorf("files %v", files)
	}
	put(t, client, document.Events, record{ID: id(100), Gone: true})
	if got := reader.walk(t); slices.Contains(got, eventAt(100)) || len(got) != len(want)-1 {
		t.Errorf("after an event has gone: %v", got)
	}
	for _, number := range []int{0, -1, 7, 1 << 30} {
		if _, err := reader.File(t.Context(), number); !fault.Is(err, fault.NotFound) {
			t.Errorf("file %d: %v", number, err)
		}
	}
}

// walk returns all pages of all files that the index names.
func (r *Reader) walk(t *testing.T) (all []string) {
	t.Helper()
	index, err := r.Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	files := parse(t, index, "sitemapindex")
	if files[0] != base+"/sitemap/lists.xml" {
		t.Errorf("the first file is %s", files[0])
	}
	for i, address := range files[1:] {
		if want := fmt.Sprintf("%s/sitemap/%d.xml", base, i+1); address != want {
			t.Errorf("file %s, want %s", address, want)
		}
		file, err := r.File(t.Context(), i+1)
		if err != nil {
			t.Fatal(err)
		}
		pages := inOneLanguage(t, parse(t, file, "urlset"))
		if len(pages) > r.perFile {
			t.Errorf("%d pages in a file", len(pages))
		}
		all = append(all, pages...)
	}
	return all
}

// TestAFileStaysWithinTheFormat: the largest possible one.
func TestAFileStaysWithinTheFormat(t *testing.T) {
	pages := make([]page, perFile)
	for i := range pages {
		pages[i] = page{"/organization/" + id(i), "2026-11-20T18:30:00Z"}
	}
	r := New(nil, "https://"+strings.Repeat("long-name.", 20)+"example", "")
	if file := r.writeFile(pages); len(pages)*len(language.Codes) > 50_000 || len(file) > 50<<20 {
		t.Errorf("%d pages in %d bytes", len(pages), len(file))
	}
}

// inOneLanguage returns the addresses that name no language, those of the default. The others
// follow each, or precede it, in the order of the languages.
func inOneLanguage(t *testing.T, pages []string) (plain []string) {
	t.Helper()
	for i, page := range pages {
		code := language.Codes[i%len(language.Codes)]
		address, _, _ := strings.Cut(page, " ")
		switch _, named, has := strings.Cut(address, "lang="); {
		case !has && code == "de":
			plain = append(plain, page)
		case named != code:
			t.Errorf("%s is not the page in %s", page, code)
		}
	}
	return plain
}

// TestListsInASitemap: that of all events, then each list at the address that its page names as
// canonical.
func TestListsInASitemap(t *testing.T) {
	r := New(nil, base, "de")
	file := r.Lists([]List{{City: "Bad Segeberg"}, {Type: "1"}, {City: "Tinglev & Kær", Type: "12"}, {Slug: "tipps"}})
	want := []string{
		base + "/", base + "/?city=Bad+Segeberg", base + "/?event_types=1", base + "/?city=Tinglev+%26+K%C3%A6r&event_types=12",
		base + "/list/tipps",
	}
	if got := inOneLanguage(t, parse(t, file, "urlset")); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if address := `hreflang="en" href="` + strings.ReplaceAll(base, "&", "&amp;") + `/?event_types=1&amp;lang=en"`; !strings.Contains(string(file), address) {
		t.Errorf("%s is missing in %s", address, file)
	}
}

// TestLanguagesLinkEachOther: each page in each language names all of them, and the default.
func TestLanguagesLinkEachOther(t *testing.T) {
	file := string(New(nil, "https://litfass.example", "de").writeFile([]page{{path: "/"}}))
	for _, want := range []string{
		`<loc>https://litfass.example/</loc>`, `<loc>https://litfass.example/?lang=en</loc>`, `<loc>https://litfass.example/?lang=da</loc>`,
	} {
		if strings.Count(file, want) != 1 {
			t.Errorf("%s is missing in %s", want, file)
		}
	}
	for _, want := range []string{
		`hreflang="de" href="https://litfass.example/"/>`, `hreflang="en" href="https://litfass.example/?lang=en"/>`,
		`hreflang="da" href="https://litfass.example/?lang=da"/>`, `hreflang="x-default" href="https://litfass.example/"/>`,
	} {
		if strings.Count(file, want) != len(language.Codes) {
			t.Errorf("%s is missing in %s", want, file)
		}
	}
}

// TestSitemapOfAPortal: each event of its dates once, however many of these there are, and its
// organizations, venues and contributors, in its languages.
func TestSitemapOfAPortal(t *testing.T) {
	client := indextest.New(t)
	site := New(engine.New(client, time.Minute), base, "en")
	site.perFile, site.perQuestion = 3, 2
	put(t, client, document.Organizations, record{ID: id(1)}, record{ID: id(2)})
	put(t, client, document.Venues, record{ID: id(3)}, record{ID: id(4)}, record{ID: id(5), Gone: true})
	put(t, client, document.Contributors, record{ID: id(6)}, record{ID: id(7)})
	var dates [][]byte
	for n := range 14 { // two of each event, far from each other
		dates = append(dates, fmt.Appendf(nil, `{"date_uuid": %q, "uuid": %q, "org_uuid": %q}`, id(200+n), id(100+n%7), id(1+n%7/5)))
	}
	tasks, err := client.Add(t.Context(), document.Dates, dates)
	if err == nil {
		err = client.Wait(t.Context(), tasks...)
	}
	if err != nil {
		t.Fatal(err)
	}
	at := site.At("https://kultur.example", []string{"de", "da"})
	of := filter.InPortal(filter.Dates(params.Query{}, filter.Places{}), nil, filter.Places{}, change.PortalSelection{OrgUUIDs: []string{id(1)}}, change.PortalSelection{})
	portal := at.Of(of, []string{id(1)}, []string{id(3), id(5)}, []string{id(6)})
	const host = "https://kultur.example"
	want := []string{host + "/organization/" + id(1), host + "/venue/" + id(3), host + "/contributor/" + id(6)}
	for n := range 5 {
		want = append(want, host+"/event/"+id(100+n))
	}
	var got []string
	for number := 1; number <= 5; number++ { // 1, 1 and 1, and 5 events in 2
		file, err := portal.File(t.Context(), number)
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range parse(t, file, "urlset") {
			if page, danish := strings.CutSuffix(page, "?lang=da"); !danish {
				got = append(got, page)
			}
		}
		if number == 1 && (!strings.Contains(string(file), `hreflang="x-default" href="`+want[0]+`"`) || strings.Contains(string(file), `"en"`)) {
			t.Errorf("languages: %s", file)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := portal.File(t.Context(), 6); !fault.Is(err, fault.NotFound) {
		t.Errorf("a sixth file: %v", err)
	}
	if _, err := at.Of(filter.Named(of, nil), nil, nil, nil).File(t.Context(), 1); !fault.Is(err, fault.NotFound) {
		t.Errorf("a file of a portal without dates: %v", err)
	}
}
