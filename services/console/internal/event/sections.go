package event

import (
	"slices"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/dates"
	"litfass/services/console/internal/images"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/place"
)

// drawing draws a section of the page that a package of its own has.
type drawing func(r *page.Request, e adminapi.Event, tag string, may permission.Set) (templ.Component, error)

// others are the sections of other packages.
var others = []struct {
	name string
	draw drawing
}{
	{"dates", dates.Section}, {"pictures", images.Section}, {"place", place.Section},
}

// drawOthers draws the sections of other packages, unless they are to be shown otherwise, and
// reads the accessibility of the place. Their reads run at the same time.
func (s *sheet) drawOthers() error {
	may, drawn := s.may(), make([]templ.Component, len(others))
	reads := []func() error{func() error {
		s.places = s.access()
		return nil
	}}
	for i, other := range others {
		if _, given := s.drawn[other.name]; !given {
			reads = append(reads, func() (err error) {
				drawn[i], err = other.draw(s.Request, s.event, s.tag, may)
				return err
			})
		}
	}
	if err := s.Together(reads...); err != nil {
		return err
	}
	for i, other := range others {
		if drawn[i] != nil {
			s.drawn[other.name] = drawn[i]
		}
	}
	return nil
}

// shortForm are the sections that every event needs, in the order in which people think of them.
var shortForm = []string{"what", "dates", "place", "pictures", "texts", "price"}

// sectionNames returns the sections of the page in their order.
func (s *sheet) sectionNames() []string {
	all := slices.Concat(shortForm, folded)
	if s.movable() {
		all = append(all, "move")
	}
	return all
}

// section draws a section, unless it is drawn already.
func (s *sheet) section(name string) templ.Component {
	if drawn, given := s.drawn[name]; given {
		return drawn
	}
	switch name {
	case "links":
		return linksSection(s)
	case "accessibility":
		return accessibilitySection(s, s.places)
	case "release":
		return releaseSection(s)
	case "move":
		return moveSection(s)
	default:
		return groupsOf(s, name)
	}
}
