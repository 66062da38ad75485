package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
)

// validateAll returns the status of each answer, by its first letter, and when they expire.
func (s site) validateAll(t *testing.T, answers ...publicapi.CachedAnswer) (status string, expires []string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"answers": answers})
	if err != nil {
		t.Fatal(err)
	}
	var got enveloped[publicapi.Validation]
	s.post(t, "/api/validate", string(body), &got)
	letters := map[string]string{publicapi.Unchanged: "=", publicapi.Changed: "!", publicapi.Unknown: "?"}
	for _, answer := range got.Data.Answers {
		status, expires = status+letters[answer.Status], append(expires, answer.Expires)
	}
	return status, expires
}

// TestManyAnswersAreValidatedAtOnce: answers are unchanged until a batch changes them, and unknown
// where they are not cached or are none.
func TestManyAnswersAreValidatedAtOnce(t *testing.T) {
	client := indextest.New(t)
	eventsSite(t, client)
	signal := cache.NewSignal(time.Now)
	signal.Hear(applied.Signal{Session: "s", Batches: 1})
	s := serveEvents(t, engine.New(client, patience), signal, 1<<20)
	var answers []publicapi.CachedAnswer
	read := func(paths ...string) {
		for _, path := range paths {
			response, _ := s.do(t, "GET", path, "")
			answers = append(answers, publicapi.CachedAnswer{Path: path, ETag: response.Header.Get("ETag")})
		}
	}
	read("/api/events?limit=2", "/api/events?limit=2&not_over=true", "/api/events/facets?by=city&group=event", "/api/events/type-summary",
		"/api/events?facets=city,tags&limit=2", "/api/events.atom", "/api/choosable-languages", "/api/venues")
	status, expires := s.validateAll(t, answers...)
	if status != "========" {
		t.Errorf("at first: %s", status)
	}
	response, _ := s.do(t, "GET", answers[1].Path, "")
	if at, err := http.ParseTime(response.Header.Get("Expires")); err != nil || expires[1] != at.UTC().Format(time.RFC3339) || expires[0] != "" {
		t.Errorf("they expire %q, %v", expires, err)
	}
	others := []publicapi.CachedAnswer{
		{Path: answers[0].Path, ETag: `W/"other"`}, {Path: answers[0].Path}, {Path: "/api/events?limit=3", ETag: answers[0].ETag},
		{Path: "/api/nothing", ETag: "*"}, {Path: "/api/events?limit=x", ETag: "*"}, {Path: "", ETag: "*"}, {Path: "http://[::1/", ETag: "*"},
		{Path: "/api/validate", ETag: "*"}, {Path: "/readyz", ETag: "*"},
	}
	if status, _ := s.validateAll(t, others...); status != "!!???????" {
		t.Errorf("other answers: %s", status)
	}
	signal.Hear(applied.Signal{Session: "s", Batches: 2, Batch: &applied.Batch{Records: map[string][]string{document.Venues: {unknown}}}})
	if status, _ = s.validateAll(t, answers...); status != "=======?" {
		t.Errorf("after a batch that wrote a venue: %s", status)
	}
	signal.Hear(applied.Signal{Session: "other", Batches: 1})
	if status, _ = s.validateAll(t, answers...); strings.Contains(status, "=") {
		t.Errorf("after anything may have changed: %s", status)
	}
	answers = answers[:1]
	if read(answers[0].Path); answers[0] != answers[1] {
		t.Errorf("the tag was %s and is %s", answers[0].ETag, answers[1].ETag)
	}
	if status, _ = s.validateAll(t, answers[0]); status != "=" {
		t.Errorf("read again: %s", status)
	}
	response, _ = s.do(t, "POST", "/api/validate", `{"answers":[{"path":"/api/venues","etag":"*"}]}`, "Content-Type", "application/json", "Litfass-Position", "9")
	if response.StatusCode != http.StatusConflict {
		t.Errorf("a position that is not reached: %d", response.StatusCode)
	}
}

// TestValidationsEndInTime: what is not looked at in time is unknown.
func TestValidationsEndInTime(t *testing.T) {
	now, asked := time.Now(), 0
	v := newValidations(func() time.Time { return now }, func(api fiber.Router) {
		api.Get("/slow", func(c *fiber.Ctx) error {
			asked++
			now = now.Add(validationTime / 2)
			return c.SendStatus(http.StatusNotModified)
		})
	})
	app := fiber.New()
	app.Post("/api/validate", v.post)
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/validate",
		strings.NewReader(`{"answers":[`+strings.Repeat(`{"path":"/api/slow"},`, 9)+`{"path":"/api/slow"}]}`))
	request.Header.Set("Content-Type", "application/json")
	response, err := app.Test(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var got enveloped[publicapi.Validation]
	if err := json.NewDecoder(response.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	unknown := 0
	for _, answer := range got.Data.Answers {
		if answer.Status == publicapi.Unknown {
			unknown++
		}
	}
	if asked != 2 || unknown != 8 {
		t.Errorf("%d were asked for, and %d are unknown", asked, unknown)
	}
}

func TestBadValidations(t *testing.T) {
	s := serveEvents(t, engine.New(indextest.New(t), patience), cache.NewSignal(time.Now), 1<<20)
	long := strings.Repeat(`{"path":"/api/events","etag":"*"},`, publicapi.MaxValidated) + `{"path":"","etag":""}`
	for body, field := range map[string]string{
		`{}`: "answers", `{"answers":[]}`: "answers", `{"answers":null}`: "answers", `{"answers":[` + long + `]}`: "answers",
		`{"answers":[{"path":1}]}`: "answers[0].path", `{"answers":[{"url":"x"}]}`: "answers[0].url", `{"answer":[]}`: "answer", `[]`: "",
	} {
		response, answer := s.do(t, "POST", "/api/validate", body, "Content-Type", "application/json")
		if response.StatusCode != http.StatusBadRequest || !strings.Contains(string(answer), fmt.Sprintf(`"field":%q`, field)) {
			t.Errorf("%.60s: %d %s", body, response.StatusCode, answer)
		}
	}
	if response, _ := s.do(t, "POST", "/api/validate", strings.Repeat(" ", 600<<10), "Content-Type", "application/json"); response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a long body: %d", response.StatusCode)
	}
	if response, _ := s.do(t, "POST", "/api/validate?x=1", `{}`, "Content-Type", "text/plain"); response.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("a body of another type: %d", response.StatusCode)
	}
}
