package harness

import (
	"net/http"
	"reflect"
	"slices"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/reference"
)

// CheckSeries checks that the public reads exactly the public series of a catalogue in each
// language, each with its image. It returns how many have one, and how many are translated.
func (s *System) CheckSeries(t *testing.T, c *reference.Catalogue) (pictured, translated int) {
	t.Helper()
	ref := s.Reference(c)
	for _, one := range c.Series {
		want := ref.Series(one)
		for _, lang := range []string{"", "en", "de", "da"} {
			s.checkSeries(t, one.UUID, lang, want)
		}
		if want != nil && want.Image != nil {
			pictured++
		}
		if want != nil && len(want.Texts) > 0 {
			translated++
		}
	}
	for _, lang := range []string{"", "en", "de", "da"} {
		s.checkOrderOfSeries(t, c, lang)
	}
	return pictured, translated
}

// checkSeries checks a series in a language; nil is one that is not public.
func (s *System) checkSeries(t *testing.T, uuid, lang string, want *reference.ShownSeries) {
	t.Helper()
	address := "/api/series/" + uuid
	if lang != "" {
		address += "?lang=" + lang
	}
	answer, err := s.Client.Get(t.Context(), address)
	switch {
	case err != nil:
		t.Fatal(err)
	case want == nil:
		if answer.Status != http.StatusNotFound {
			t.Errorf("%s, which is not public, answers %d", address, answer.Status)
		}
		return
	}
	got, err := client.Data[reference.ShownSeries](answer, "get-series")
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	if want := want.In(lang); !reflect.DeepEqual(reference.Fields(got), reference.Fields(want)) {
		t.Errorf("%s is %+v with %+v, want %+v with %+v", address, got, got.Image, want, want.Image)
	}
}

// checkOrderOfSeries checks that all series are in the order of the titles that a language shows.
func (s *System) checkOrderOfSeries(t *testing.T, c *reference.Catalogue, lang string) {
	t.Helper()
	var want []string
	for _, one := range s.Reference(c).PublicSeries(lang) {
		want = append(want, one.UUID)
	}
	address := "/api/series?limit=200"
	if lang != "" {
		address += "&lang=" + lang
	}
	answer, err := s.Client.Get(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	all, err := client.Data[struct {
		Series []reference.ShownSeries `json:"series"`
	}](answer, "get-all-series")
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	var got []string
	for _, one := range all.Series {
		got = append(got, one.UUID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s is in the order\n%v, want\n%v", address, got, want)
	}
}
