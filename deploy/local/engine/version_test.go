package engine

import "testing"

func TestParseVersion(t *testing.T) {
	cases := map[string]Version{
		"postgres (PostgreSQL) 18.4":                        {18, 4, 0},
		"postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb1)": {15, 18, 0},
		"postgres (PostgreSQL) 19beta1":                     {19, 0, 0},
		"meilisearch 1.21.0":                                {1, 21, 0},
		"nats-server: v2.15.2":                              {2, 15, 2},
		"1.21.3":                                            {1, 21, 3},
	}
	for text, want := range cases {
		if got, err := parseVersion(text); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "no version here", "99999999999999999999.1"} {
		if got, err := parseVersion(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestFit(t *testing.T) {
	cases := []struct {
		name    string
		fits    fit
		version Version
		ok      bool
	}{
		{"PostgreSQL old", fitPostgres(0), Version{14, 9, 0}, false},
		{"PostgreSQL oldest", fitPostgres(0), Version{15, 0, 0}, true},
		{"PostgreSQL new", fitPostgres(0), Version{18, 4, 0}, true},
		{"PostgreSQL of the data", fitPostgres(16), Version{16, 1, 0}, true},
		{"PostgreSQL newer than the data", fitPostgres(16), Version{18, 4, 0}, false},
		{"Meilisearch older", fitMeili, Version{1, 20, 9}, false},
		{"Meilisearch", fitMeili, Version{1, 21, 5}, true},
		{"Meilisearch newer", fitMeili, Version{1, 22, 0}, false},
		{"NATS old", fitNATS, Version{2, 9, 25}, false},
		{"NATS oldest", fitNATS, Version{2, 10, 0}, true},
		{"NATS next generation", fitNATS, Version{3, 10, 0}, false},
	}
	for _, c := range cases {
		if err := c.fits(c.version); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestVersionString(t *testing.T) {
	for want, v := range map[string]Version{"18.4": {18, 4, 0}, "1.21.0": {1, 21, 0}, "2.15.2": {2, 15, 2}, "2.10.0": {2, 10, 0}} {
		if got := v.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
