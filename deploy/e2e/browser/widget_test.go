package browser

import (
	"slices"
	"testing"
)

// TestWidgetOnAHostilePage: the element keeps its look and its words on a page whose styles reach
// for everything, whose policy allows next to nothing, and which is dark and from right to left.
func TestWidgetOnAHostilePage(t *testing.T) {
	b := Start(t)
	site, api := widgetSite(t)
	walk := func(name string) Journey {
		return Journey{
			Name: name, Base: host(t, site), Origins: []string{site},
			Args: map[string]any{"site": site, "now": november.UnixMilli()},
		}
	}

	t.Run("two instances", func(t *testing.T) {
		if shift := b.Run(t, walk("widget-hostile")).Shift(); shift > 0.02 {
			t.Errorf("the page moves by %g", shift)
		}
		got := api.take()
		slices.Sort(got)
		want := []string{ // the list with what began before, the month, and the step to the next month
			"city=Kiel&title=*jazz*&start=today&limit=10&not_over=true&lang=en",
			"city=Kiel&title=*jazz*&start=today&ongoing=true&limit=5&not_over=true&starts_before=2026-11-18&lang=en",
			"on=2026-11-01%2C2026-11-30&limit=200&lang=de", "on=2026-12-01%2C2026-12-31&limit=200&lang=de",
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("the API was asked %q, want %q", got, want)
		}
	})
	t.Run("views and states", func(t *testing.T) {
		b.Run(t, walk("widget-states"))
		api.take()
	})
	t.Run("links stay without scripts", func(t *testing.T) {
		j := walk("widget-blocked")
		b.Run(t, j)
		j.Context = map[string]any{"javaScriptEnabled": false}
		b.Run(t, j)
		if got := api.take(); len(got) > 0 {
			t.Errorf("the API was asked %q", got)
		}
	})
}
