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

// Catalogue returns a catalogue with at least the given number of dates that the public may find, and others that it may
// not. Some dates lie around today.
func Catalogue(seed uint64, dates int, today time.Time) *reference.Catalogue {
	b := &builder{random: newRandom(seed), Catalogue: &reference.Catalogue{Regions: regions()}, today: today}
	for n := range max(3, dates/100) {
		b.Organizations = append(b.Organizations, b.organization(n))
	}
	for range max(5, dates/20) {
		b.Venues = append(b.Venues, b.venue(pick(b.random, b.Organizations)))
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
	return b.Catalogue
}

func (b *builder) indexSpaces() {
	b.spacesOf = map[string][]*reference.Space{}
	for _, s := range b.Spaces {
		b.spacesOf[s.VenueUUID] = append(b.spacesOf[s.VenueUUID], s)
	}
}
