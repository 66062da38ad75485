package images

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
	"litfass/pkg/media/imaging/imagingtest"
)

const (
	atOnce    = 50
	largeFile = 5 << 20 // the longest that an upload may be
)

// TestPicturesFitIntoTheManifest: fifty of the largest files that may be uploaded, all at once, and
// then fifty variants of the largest originals, leave the processes within the memory of their
// containers. Each request is answered: some may be asked to come back. The services are built
// without the race detector, which multiplies their memory.
func TestPicturesFitIntoTheManifest(t *testing.T) {
	s := harness.Run(t, stack.Options{Env: []string{"GOGC="}}) // as in the containers, also where the CI sets it
	sys := &harness.System{Stack: s, Client: client.New(s.URL(), 1)}
	sys.AwaitReady(t)
	e := sys.LogIn(t)
	var places []string // of images, one for each upload
	for range (atOnce + imagesOfEvent - 1) / imagesOfEvent {
		event := event(e, t)
		for index := range imagesOfEvent {
			places = append(places, fmt.Sprintf("/api/admin/event/%s/image/%d", event, index+1))
		}
	}

	files := largestFiles(t)
	upload := func(ctx context.Context, i int) (reply, error) {
		form, contentType := harness.ImageForm(t, files[i%len(files)], nil)
		return fetch(ctx, e, http.MethodPost, s.ServiceURL(stack.Admin)+places[i], contentType, form)
	}
	uploads := askAtOnce(t, "uploads", http.StatusCreated, upload)
	for i := range files { // none is too large once there is room for it
		harness.Await(t, "an upload is accepted", again(t, &uploads[i], http.StatusCreated, func() (reply, error) { return upload(t.Context(), i) }))
	}
	originals := wantStoredAsAnswered(sys, t, uploads)
	wantMemory(sys, t, stack.Admin, "admin.yaml")

	sys.AwaitReady(t)
	variant := func(ctx context.Context, i int) (reply, error) {
		width := []int{160, 480, 960, 1280, 1920}[i/len(originals)%5]
		address := fmt.Sprintf("%s/api/image/%s?type=png&width=%d", s.ServiceURL(stack.Query), originals[i%len(originals)], width)
		return fetch(ctx, e, http.MethodGet, address, "", nil)
	}
	variants := askAtOnce(t, "variants", http.StatusOK, variant)
	for i := range originals {
		harness.Await(t, "a variant is drawn", again(t, &variants[i], http.StatusOK, func() (reply, error) { return variant(t.Context(), i) }))
	}
	wantMemory(sys, t, stack.Query, "read-node.yaml")
}

// askAtOnce sends many requests at the same time. Each must succeed, or be asked to come back.
func askAtOnce(t *testing.T, what string, success int, ask func(ctx context.Context, i int) (reply, error)) []reply {
	t.Helper()
	answers := make([]reply, atOnce)
	group, ctx := errgroup.WithContext(t.Context())
	for i := range answers {
		group.Go(func() (err error) {
			answers[i], err = ask(ctx, i)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	succeeded := 0
	for _, a := range answers {
		if a.status == success {
			succeeded++
		} else if a.status != http.StatusServiceUnavailable || a.retryAfter == "" {
			t.Errorf("%s: %d %.300s, Retry-After %q", what, a.status, a.body, a.retryAfter)
		}
	}
	t.Logf("%d of %d %s succeeded at once", succeeded, len(answers), what)
	return answers
}

// again returns a condition that sends a request until it succeeds, unless it has already.
func again(t *testing.T, answer *reply, success int, ask func() (reply, error)) func() error {
	return func() (err error) {
		if answer.status == success {
			return nil
		}
		if *answer, err = ask(); err != nil {
			t.Fatal(err)
		}
		if answer.status != success {
			err = fmt.Errorf("%d %.300s", answer.status, answer.body)
		}
		return err
	}
}

// reply is the answer to one of many requests.
type reply struct {
	status     int
	retryAfter string
	body       []byte
}

// fetch sends a request to an absolute address and reads the whole answer.
func fetch(ctx context.Context, e harness.Editor, method, address, contentType string, body []byte) (answer reply, err error) {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return answer, err
	}
	request.Header.Set("Authorization", "Bearer "+e.Token)
	request.Header.Set("Content-Type", contentType)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	answer = reply{status: response.StatusCode, retryAfter: response.Header.Get("Retry-After")}
	answer.body, err = io.ReadAll(response.Body)
	return answer, err
}

// wantStoredAsAnswered checks that the rows and the blob store name the images whose uploads were
// accepted, and no others. It returns their uuids.
func wantStoredAsAnswered(s *harness.System, t *testing.T, uploads []reply) (accepted []string) {
	t.Helper()
	for _, upload := range uploads {
		var stored struct {
			ImageUUID string `json:"image_uuid"`
		}
		if err := json.Unmarshal(upload.body, &stored); err != nil {
			t.Fatal(err)
		}
		if upload.status == http.StatusCreated {
			accepted = append(accepted, stored.ImageUUID)
		}
	}
	database, err := pgx.Connect(t.Context(), s.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close(context.WithoutCancel(t.Context()))
	rows, _ := database.Query(t.Context(), "SELECT uuid::text FROM event_image") // the error comes with the rows
	named, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, path := range storedPictures(s, t) {
		kept = append(kept, filepath.Base(filepath.Dir(path)))
	}
	slices.Sort(accepted)
	slices.Sort(named)
	slices.Sort(kept)
	if !slices.Equal(named, accepted) || !slices.Equal(kept, accepted) {
		t.Errorf("accepted %v, the rows name %v, the store keeps %v", accepted, named, kept)
	}
	return accepted
}

// wantMemory checks that a service never took more memory than its container may have.
func wantMemory(s *harness.System, t *testing.T, service, manifest string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../kubernetes", manifest))
	if err != nil {
		t.Fatal(err)
	}
	limit := regexp.MustCompile(`(?s)image: litfass/` + service + `:.*?limits: \{memory: (\d+)Mi\}`).FindSubmatch(text)
	if limit == nil {
		t.Fatalf("%s names no limit of %s", manifest, service)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Process(service).PID()))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var peak int
	if _, err := fmt.Sscanf(rest, "%d kB", &peak); err != nil {
		t.Fatal(err)
	}
	most, err := strconv.Atoi(string(limit[1]))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s took %d MiB of %d at most", service, peak>>10, most)
	if peak>>10 >= most {
		t.Errorf("%s took %d MiB, its container may have %d", service, peak>>10, most)
	}
}

// largestFiles returns files that come near to every limit: of bytes, of pixels, and of the memory
// that reading them and drawing their originals takes.
func largestFiles(t *testing.T) [][]byte {
	t.Helper()
	colour, halved := []byte{0x11, 0x11, 0x11}, []byte{0x22, 0x11, 0x11}
	raw := func(frame byte, width, height int, factors []byte) []byte {
		return imagingtest.RawJPEG{Frame: frame, Width: width, Height: height, Factors: factors, Adobe: -1}.Bytes()
	}
	turned := imagingtest.WithSegment(raw(imagingtest.Baseline, 4096, 3072, halved), 0xe1, append([]byte("Exif\x00\x00"), imagingtest.EXIF(6)...))
	return [][]byte{
		padded(raw(imagingtest.Baseline, 6000, 4000, colour)), padded(raw(imagingtest.Progressive, 3600, 2400, halved)), padded(turned),
		noisyJPEG(t), noisyPNG(t),
	}
}

// padded returns a JPEG file with comments, as long as a file may be.
func padded(file []byte) []byte {
	const most = 65_533 // bytes of a segment
	for len(file)+4 < largeFile {
		file = imagingtest.WithSegment(file, 0xfe, make([]byte, min(most, largeFile-len(file)-4)))
	}
	return file
}

// noisyJPEG returns an image that compresses badly in every format.
func noisyJPEG(t *testing.T) []byte {
	t.Helper()
	source := rand.NewChaCha8([32]byte{1})
	noise := image.NewYCbCr(image.Rect(0, 0, 3000, 2250), image.YCbCrSubsampleRatio420)
	for _, plane := range [][]byte{noise.Y, noise.Cb, noise.Cr} {
		_, _ = source.Read(plane) // never fails
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, noise, &jpeg.Options{Quality: 60}); err != nil || file.Len() > largeFile {
		t.Fatalf("%d bytes, %v", file.Len(), err)
	}
	return padded(file.Bytes())
}

// noisyPNG returns an image with holes: each pixel has one of two values, which become many when it
// is scaled down.
func noisyPNG(t *testing.T) []byte {
	t.Helper()
	source := rand.NewChaCha8([32]byte{2})
	noise := image.NewPaletted(image.Rect(0, 0, 3800, 3800), color.Palette{color.RGBA{}, color.RGBA{200, 30, 30, 255}})
	_, _ = source.Read(noise.Pix) // never fails
	for i := range noise.Pix {
		noise.Pix[i] &= 1
	}
	var file bytes.Buffer
	if err := png.Encode(&file, noise); err != nil || file.Len() > largeFile {
		t.Fatalf("%d bytes, %v", file.Len(), err)
	}
	return file.Bytes()
}
