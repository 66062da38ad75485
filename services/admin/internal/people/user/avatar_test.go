package user_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/media/blob"
	"litfass/pkg/media/imaging"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/people/avatar"
	"litfass/services/admin/internal/people/user"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/version"
)

// upload returns a PNG file of one colour.
func upload(t *testing.T, colour color.Color) []byte {
	t.Helper()
	plain := image.NewRGBA(image.Rect(0, 0, 80, 60))
	for y := range 60 {
		for x := range 80 {
			plain.Set(x, y, colour)
		}
	}
	var file bytes.Buffer
	if err := png.Encode(&file, plain); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

var (
	red  = color.RGBA{200, 0, 0, 255}
	blue = color.RGBA{0, 0, 200, 255}
)

func openAvatars(t *testing.T, db *postgres.DB, address string) *user.Avatars {
	t.Helper()
	blobs, err := blob.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	return user.NewAvatars(user.AvatarOptions{
		DB: db, Store: avatar.NewStore(blobs), Budget: imaging.NewBudget(imaging.DefaultBudget), Now: authtest.NewClock().Now, Log: slog.New(slog.DiscardHandler),
	})
}

func asUser(t *testing.T, userID int) context.Context {
	t.Helper()
	return auth.WithPrincipal(t.Context(), auth.Principal{UserID: userID, SessionID: "s"})
}

// walkAvatar runs through every operation on an avatar, on any store.
func walkAvatar(t *testing.T, db *postgres.DB, service *user.Avatars) {
	t.Helper()
	id := authtest.User(t, db, "anna@example.org")
	ctx := asUser(t, id)
	if _, err := service.Remove(ctx, version.Expected{}); !fault.Is(err, fault.NotFound) {
		t.Errorf("remove without one: %v", err)
	}
	if _, err := service.Find(ctx, id, 64); !fault.Is(err, fault.NotFound) {
		t.Errorf("find without one: %v", err)
	}
	tags := map[string]bool{}
	old := version.Parse(`"0"`)
	if _, err := service.Set(ctx, old, upload(t, red)); !fault.Is(err, fault.Stale) {
		t.Errorf("set with a version of old: %v", err)
	}
	for _, colour := range []color.RGBA{red, blue} {
		if _, err := service.Set(ctx, version.Expected{}, upload(t, colour)); err != nil {
			t.Fatal(err)
		}
		for _, size := range avatar.Sizes {
			shown, err := service.Find(ctx, id, size)
			if err != nil {
				t.Fatal(err)
			}
			data, err := service.Load(ctx, shown)
			if err != nil {
				t.Fatal(err)
			}
			picture, format, err := image.Decode(bytes.NewReader(data))
			if err != nil || "image/"+format != shown.Type || picture.Bounds().Dx() != size {
				t.Fatalf("%s %v as %s, %v", format, picture.Bounds(), shown.Type, err)
			}
			if r, _, _, _ := picture.At(size/2, size/2).RGBA(); (r > 0x8000) != (colour == red) {
				t.Errorf("size %d shows the wrong picture", size)
			}
			tags[shown.Tag] = true
		}
	}
	if len(tags) != 2*len(avatar.Sizes) {
		t.Errorf("%d tags for %d pictures", len(tags), 2*len(avatar.Sizes))
	}
	stale, err := service.Find(ctx, id, 64)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.Remove(ctx, version.Expected{}); err != nil {
		t.Fatal(err)
	}
	if _, err := service.Load(ctx, stale); !fault.Is(err, fault.NotFound) {
		t.Errorf("load what was removed: %v", err)
	}
	if _, err := service.Find(ctx, id, 63); !fault.Is(err, fault.Invalid) {
		t.Errorf("an unknown size: %v", err)
	}
}

func TestAvatarInFolder(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	dir := filepath.Join(t.TempDir(), "made when it is missing")
	walkAvatar(t, db, openAvatars(t, db, "file://"+filepath.ToSlash(dir)))
	if files := filesIn(t, dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
}

func TestAvatarInS3(t *testing.T) {
	backend := s3mem.New()
	server := httptest.NewServer(gofakes3.New(backend).Server())
	defer server.Close()
	if err := backend.CreateBucket("litfass"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	db, _ := storetest.New(t)
	walkAvatar(t, db, openAvatars(t, db, "s3://litfass?region=eu-central-1&use_path_style=true&disable_https=true&endpoint="+server.URL))
	left, err := backend.ListBucket("litfass", nil, gofakes3.ListBucketPage{})
	if err != nil || len(left.Contents) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestRefusedAvatarLeavesNothing(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	dir := t.TempDir()
	service := openAvatars(t, db, "file://"+filepath.ToSlash(dir))
	ctx := asUser(t, authtest.User(t, db, "anna@example.org"))
	if _, err := service.Set(ctx, version.Expected{}, []byte("<script>")); !fault.Is(err, fault.Invalid) {
		t.Errorf("no image: %v", err)
	}
	if _, err := service.Set(asUser(t, 4711), version.Expected{}, upload(t, red)); err == nil {
		t.Error("a user who is not there has an avatar")
	}
	if files := filesIn(t, dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
	var audited int
	if err := db.Pool().QueryRow(ctx, "SELECT count(*) FROM audit_entry").Scan(&audited); err != nil || audited != 0 {
		t.Errorf("%d audit entries, %v", audited, err)
	}
}

func TestManyAvatarsAtOnceLeaveOne(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	dir := t.TempDir()
	service := openAvatars(t, db, "file://"+filepath.ToSlash(dir))
	id := authtest.User(t, db, "anna@example.org")
	var wait sync.WaitGroup
	for range 6 {
		wait.Go(func() {
			if _, err := service.Set(asUser(t, id), version.Expected{}, upload(t, red)); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if files := filesIn(t, dir); len(files) != len(avatar.Sizes) {
		t.Errorf("%d files are left, want those of one avatar", len(files))
	}
	var actions int
	const count = "SELECT count(*) FROM audit_entry WHERE action = 'user.set_avatar' AND actor_user_id = $1"
	if err := db.Pool().QueryRow(t.Context(), count, id).Scan(&actions); err != nil || actions != 6 {
		t.Errorf("%d audit entries, %v", actions, err)
	}
}

func TestAvatarOfDeactivatedUserIsNotShown(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	service := openAvatars(t, db, "file://"+filepath.ToSlash(t.TempDir()))
	id := authtest.User(t, db, "anna@example.org")
	if _, err := service.Set(asUser(t, id), version.Expected{}, upload(t, red)); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pool().Exec(t.Context(), "UPDATE app_user SET deactivated_at = now()"); err != nil {
		t.Fatal(err)
	}
	if _, err := service.Find(t.Context(), id, 64); !fault.Is(err, fault.NotFound) {
		t.Errorf("got %v", err)
	}
}

func filesIn(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
