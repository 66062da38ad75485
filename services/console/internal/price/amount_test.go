package price

import "testing"

func TestAmountsAreReadAsPeopleTypeThem(t *testing.T) {
	for _, test := range []struct{ typed, point, want string }{
		{"12,50", ",", "12.50"}, {"12.50", ",", "12.50"}, {"1.250", ",", "1250"}, {"1.250,5", ",", "1250.5"}, {"12 €", ",", "12"},
		{"12.50", ".", "12.50"}, {"1,250", ".", "1250"}, {"1,250.50", ".", "1250.50"}, {"0", ".", "0"}, {"12,", ",", "12"},
		{"1.250.000", ",", "1250000"}, {"12,-", ",", "12"}, {"12,50,", ",", ""}, {"1,2,3", ".", ""},
		{"twelve", ".", ""}, {"-3", ".", ""}, {"1e5", ".", ""}, {"", ",", ""},
	} {
		if got := decimal(test.typed, test.point); got != test.want {
			t.Errorf("%q with %q is %q, want %q", test.typed, test.point, got, test.want)
		}
	}
}
