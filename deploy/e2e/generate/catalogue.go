package generate

import (
	"strings"
	"time"

	"litfass/deploy/e2e/reference"
)

// builder holds the catalogue while it is made or edited.
type builder struct {
	random
	*reference.Catalogue
	today    time.Time
	spacesOf map[string][]*reference.Space
}

// Catalogue returns a catalogue with at least the given number of dates that the public may find,
// and others that it may not. Some dates lie around today.
func Catalogue(seed uint64, dates int, today time.Time) *reference.Catalogue {
	b := &builder{random: newRandom(seed), Catalogue: &reference.Catalogue{Regions: regions(), Labels: Labels()}, today: today}
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
