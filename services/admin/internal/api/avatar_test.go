package api_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/media/imaging/imagingtest"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/people/avatar"
)

// form returns a multipart body with one file.
func form(t *testing.T, field, name string, content []byte) (body io.Reader, kind string) {
	t.Helper()
	var packed bytes.Buffer
	writer := multipart.NewWriter(&packed)
	part, err := writer.CreateFormFile(field, name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return &packed, writer.FormDataContentType()
}

func avatarFile(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 90, 70))); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestAvatar(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	user := authtest.User(t, s.db, anna)
	bearer := []string{"Authorization", "Bearer " + s.stack.LogIn(t, s.db, user).Access}
	upload := func(field, name string, content []byte) answer {
		body, kind := form(t, field, name, content)
		return s.send(t, http.MethodPost, "/api/admin/user/avatar", body, append(bearer, "Content-Type", kind)...)
	}
	show := fmt.Sprintf("/api/user/%d/avatar", user)
	get := func(path string, headers ...string) answer { return s.send(t, http.MethodGet, path, nil, headers...) }

	get(show).want(t, "none yet", http.StatusNotFound, "avatar_not_found")
	s.send(t, http.MethodDelete, "/api/admin/user/avatar", nil, bearer...).want(t, "delete none", http.StatusNotFound, "avatar_not_found")
	upload("avatar", "me.exe", avatarFile(t)).want(t, "a picture by another name", http.StatusOK, "")
	for path, size := range map[string]int{show: 256, show + "/": 256, show + "/64": 64, show + "/128": 128, show + "/256": 256, show + "/512/": 512} {
		a := get(path)
		config, format, err := image.DecodeConfig(bytes.NewReader(a.raw))
		if err != nil || config.Width != size || a.header.Get("Content-Type") != "image/"+format {
			t.Errorf("%s: %d, %s of %d pixels as %s, %v", path, a.status, format, config.Width, a.header.Get("Content-Type"), err)
		}
		tag := a.header.Get("ETag")
		if tag == "" || a.header.Get("Cache-Control") != "public, max-age=300" || a.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", path, a.header)
		}
		for _, seen := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
			if a := get(path, "If-None-Match", seen); a.status != http.StatusNotModified || len(a.raw) != 0 {
				t.Errorf("%s with %s: %d", path, seen, a.status)
			}
		}
		if a := get(path, "If-None-Match", `"other"`); a.status != http.StatusOK {
			t.Errorf("%s with another tag: %d", path, a.status)
		}
	}
	for _, path := range []string{show + "/0", show + "/63", show + "/x", "/api/user/x/avatar", "/api/user/0/avatar", "/api/user/-1/avatar",
		"/api/user/99999999999/avatar", show + "/+64", "/api/user/1%00/avatar"} {
		get(path).want(t, path, http.StatusBadRequest, "")
	}
	a := get(show + "/63")
	if a.fields() != "size" {
		t.Errorf("no such size: bad fields %q", a.fields())
	}
	get("/api/user/4711/avatar").want(t, "a stranger", http.StatusNotFound, "avatar_not_found")

	upload("file", "me.png", avatarFile(t)).want(t, "another field", http.StatusBadRequest, "invalid_body")
	upload("avatar", "me.png", []byte("<script>alert(1)</script>")).want(t, "a script", http.StatusBadRequest, "image_invalid")
	upload("avatar", "me.png", append(avatarFile(t), make([]byte, avatar.MaxBytes)...)).
		want(t, "too many bytes", http.StatusRequestEntityTooLarge, "image_too_large")
	a = upload("avatar", "me.jpg", imagingtest.RawJPEG{Frame: imagingtest.Progressive, Width: 5000, Height: 5000, Factors: []byte{0x11}}.Bytes())
	a.want(t, "more memory than there is", http.StatusRequestEntityTooLarge, "image_progressive")
	if a.fields() != "avatar" {
		t.Errorf("too many pixels: bad fields %q", a.fields())
	}
	upload("avatar", "me.png", append(avatarFile(t), make([]byte, 7<<20)...)).
		want(t, "more than any body", http.StatusRequestEntityTooLarge, "too_large")
	s.post(t, "/api/admin/user/avatar", "{}", bearer...).want(t, "JSON", http.StatusUnsupportedMediaType, "")
	s.send(t, http.MethodPost, "/api/admin/user/avatar", strings.NewReader("--x"), append(bearer, "Content-Type", "multipart/form-data; boundary=x")...).
		want(t, "half a form", http.StatusBadRequest, "")
	if a := get(show); a.status != http.StatusOK {
		t.Errorf("the avatar suffered from refused uploads: %d", a.status)
	}
	s.send(t, http.MethodDelete, "/api/admin/user/avatar", nil, bearer...).want(t, "delete", http.StatusOK, "")
	get(show).want(t, "deleted", http.StatusNotFound, "avatar_not_found")
}

// TestAvatarIsOfTheProfileThatWasRead: the profile shows the avatar, so it is the profile's version
// that is expected.
func TestAvatarIsOfTheProfileThatWasRead(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	upload := func(tag string) answer {
		body, kind := form(t, "avatar", "me.png", avatarFile(t))
		return s.send(t, http.MethodPost, admin+"/user/avatar", body, "Authorization", "Bearer "+s.people["viewer"].access,
			"Content-Type", kind, "If-Match", tag)
	}
	read := s.as(t, "viewer", http.MethodGet, "/user/profile", "").header.Get("ETag")
	s.as(t, "viewer", http.MethodDelete, "/user/avatar", "", "If-Match", `"7"`).want(t, "delete", http.StatusPreconditionFailed, "stale_profile")
	upload(`"7"`).want(t, "another version", http.StatusPreconditionFailed, "stale_profile")
	a := upload(read)
	a.want(t, "what was read", http.StatusOK, "")
	upload(read).want(t, "once more", http.StatusPreconditionFailed, "stale_profile")
	s.as(t, "viewer", http.MethodPut, "/user/settings", `{"theme": "dark"}`, "If-Match", read).
		want(t, "the profile shows another avatar", http.StatusPreconditionFailed, "stale_profile")
	written := a.header.Get("ETag")
	if now := s.as(t, "viewer", http.MethodGet, "/user/profile", "").header.Get("ETag"); now != written || written == read {
		t.Errorf("the profile is %s, after the write %s, before %s", now, written, read)
	}
	a = s.as(t, "viewer", http.MethodDelete, "/user/avatar", "", "If-Match", written)
	a.want(t, "delete", http.StatusOK, "")
	if now := s.as(t, "viewer", http.MethodGet, "/user/profile", "").header.Get("ETag"); now != a.header.Get("ETag") {
		t.Errorf("the profile is %s, after the deletion %s", now, a.header.Get("ETag"))
	}
	if got := s.done(t, "viewer"); got != "user.set_avatar user.delete_avatar" {
		t.Errorf("audited %s", got)
	}
}
