package value

import "testing"

func TestHost(t *testing.T) {
	for given, want := range map[string]string{
		"Example.org": "example.org", "example.org.": "example.org", "example.org.:8080": "example.org:8080",
		"example.org:8080": "example.org:8080", "127.0.0.1.": "127.0.0.1", "[2001:DB8::1]": "[2001:db8::1]",
		"[2001:db8::1]:80": "[2001:db8::1]:80", "": "", ".": "", "example.org..": "example.org.",
	} {
		if got := Host(given); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}
