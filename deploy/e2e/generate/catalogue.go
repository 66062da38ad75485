package generate

import (
	"fmt"
	"strings"
	"time"

	"litfass/deploy/e2e/reference"
)

// builder holds the catalogue while it is made or edited.
type builder struct {
	random
	*reference.Catalogue
	cast     random // of contributors, so that the other draws are as they were without them
	extras   random // of fields that only whole events show, for the same reason
	till     random // of tariffs of dates, likewise
	today    time.Time
	spacesOf map[string][]*reference.Space
}

func newBuilder(seed uint64, c *reference.Catalogue, today time.Time) *builder {
	return &builder{
		random: newRandom(seed), Catalogue: c, cast: newRandom(^seed), extras: newRandom(seed ^ 1<<32), till: newRandom(seed ^ 0x7111), today: today,
	}
}

// Catalogue returns a catalogue with at least the given number of dates that the public may find,
// and others that it may not. Some dates lie around today.
func Catalogue(seed uint64, dates int, today time.Time) *reference.Catalogue {
	b := newBuilder(seed, &reference.Catalogue{Regions: regions(), Labels: Labels(), Contributors: Contributors()}, today)
	for n := range max(3, dates/100) {
		b.Organizations = append(b.Organizations, b.organization(n))
	}
	for n := range max(5, dates/20) {
		v := b.venue(pick(b.random, b.Organizations))
		if n < len(spots) { // each of them is asked for
			v.Lat, v.Lon = new(spots[n][0]), new(spots[n][1])
		}
		b.Venues = append(b.Venues, v)
	}
	for range max(5, dates/15) {
		b.Spaces = append(b.Spaces, b.space(pick(b.random, b.Venues)))
	}
	b.indexSpaces()
	wordy := b.event(1)
	wordy.Description, wordy.ReleaseStatus, wordy.ReleaseDate = reference.Text(strings.Join(ManyWords, " ")), "released", ""
	b.Events = append(b.Events, wordy)
	for public := 0; public < dates; {
		event := b.event(8)
		b.Events = append(b.Events, event)
		if event.ReleaseStatus != "draft" && event.ReleaseStatus != "review" && event.ReleaseDate == "" {
			public += len(event.Dates)
		}
	}
	b.addQuiet()
	b.random = newRandom(seed + 1<<32) // the rest of the catalogue is the same without series
	b.addSeries(15)
	return b.Catalogue
}

// Labels returns the labels of all catalogues.
func Labels() (all []*reference.Label) {
	for _, key := range labels {
		all = append(all, &reference.Label{Key: key, Names: map[string]string{"en": "Label " + key, "da": "Mærkat " + key}})
	}
	return all
}

// Contributors returns the contributors of all catalogues, which are the operator's: two have one
// name, and one has taken the place of another.
func Contributors() (all []*reference.Contributor) {
	for n, name := range contributors {
		c := &reference.Contributor{
			UUID: contributorID(n), Type: "person", Name: name, Note: reference.Text([]string{"", "Kiel & Husum"}[n%2]), FormerUUIDs: []string{},
		}
		if n == 1 {
			c.Type, c.WebLink, c.Wikidata, c.FormerUUIDs = "group", "https://example.org/trio", "Q254", []string{formerContributor}
		}
		all = append(all, c)
	}
	return all
}

// contributors are the names of contributors.
var contributors = []string{"Anna Thomsen", "Zwirbel Trio", "anna THOMSEN", "Çağlar Ünlü", "<b>D\"J</b> O'Grady", RareWords[0] + " Ensemble"}

// formerContributor was merged into another one, and unknownContributor never was there.
const (
	formerContributor  = "01920000-0000-7000-8000-0000000000c1"
	unknownContributor = "01920000-0000-7000-8000-0000000000c2"
)

func contributorID(n int) string { return fmt.Sprintf("01920000-0000-7000-8000-00000000c1%02d", n) }

// addQuiet adds organizations with nothing public: one with nothing at all, one with a venue that
// no event uses, and one with a draft.
func (b *builder) addQuiet() {
	n := len(b.Organizations)
	nothing, unused, drafting := b.organization(n), b.organization(n+1), b.organization(n+2)
	b.Venues = append(b.Venues, b.venue(unused))
	draft := b.event(1)
	draft.OrgUUID, draft.ReleaseStatus, draft.ReleaseDate = drafting.UUID, "draft", ""
	b.Events = append(b.Events, draft)
	b.Organizations = append(b.Organizations, nothing, unused, drafting)
}

func (b *builder) indexSpaces() {
	b.spacesOf = map[string][]*reference.Space{}
	for _, s := range b.Spaces {
		b.spacesOf[s.VenueUUID] = append(b.spacesOf[s.VenueUUID], s)
	}
}
