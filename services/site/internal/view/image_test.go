package view

import "testing"

// TestVersioned: the version of an image comes from its address in the API, and nothing else of it.
func TestVersioned(t *testing.T) {
	const uuid = "01890000-0000-7000-8000-0000000000b1"
	for address, want := range map[string]string{
		"https://litfass.example/api/image/" + uuid + "/33-42":         uuid + "/33-42",
		"https://litfass.example/api/image/" + uuid:                    uuid,
		"https://litfass.example/api/image/" + uuid + "/":              uuid,
		"https://litfass.example/api/image/" + uuid + "/../../login":   uuid,
		"https://litfass.example/api/image/" + uuid + `/1" onerror="x`: uuid,
		"https://litfass.example/api/image/another/33-42":              uuid,
		"": uuid,
	} {
		if got := Versioned(uuid, address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
	if got, want := PublicImages.Crop(Versioned(uuid, "/api/image/"+uuid+"/1-2"), 480), "/api/image/"+uuid+"/1-2?ratio=3:2&width=480"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
