package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"litfass/deploy/local/stack"
)

const (
	// savers is how many people edit in the console at once.
	savers = 20
	// saveRest is how long each of them types before the next field is saved.
	saveRest = time.Second
	// savesLasting is how long they do.
	savesLasting = 20 * time.Second
)

// measureConsole measures the waits of organizers in the console: several people leave fields of
// drafts, and each field is saved.
func (b *bench) measureConsole(ctx context.Context) error {
	o, err := b.newOrganizer(ctx, "console@example.org")
	if err != nil {
		return err
	}
	venue, err := o.addVenue(ctx, "Speicher")
	if err != nil {
		return err
	}
	people := make([]*saver, savers)
	for i, body := range newEvents(o.org, venue, "draft")[:savers] {
		var event created
		if err := o.send(ctx, http.MethodPost, "/api/admin/event/create", "application/json", body, &event); err != nil {
			return err
		}
		if people[i], err = b.newSaver(ctx, event.UUID); err != nil {
			return err
		}
	}
	return b.measureSaves(ctx, people)
}

// measureSaves has all people save at once.
func (b *bench) measureSaves(ctx context.Context, people []*saver) error {
	var mutex sync.Mutex
	var took durations
	var next atomic.Int64
	done, err := repeat(ctx, load{clients: savers, going: lasting(b.span(savesLasting)), rest: saveRest, work: func(ctx context.Context) error {
		person := people[int(next.Add(1))%savers]
		person.mutex.Lock() // one saves a field after the other
		defer person.mutex.Unlock()
		begun := time.Now()
		if err := person.save(ctx); err != nil {
			return err
		}
		mutex.Lock()
		defer mutex.Unlock()
		took = append(took, time.Since(begun))
		return nil
	}})
	if err != nil {
		return err
	}
	name := fmt.Sprintf("a saved field, %d people", savers)
	b.report.aimed("console", name+", p50", took.percentile(50), "ms", atMost(40))
	b.report.aimed("console", name+", p99", took.percentile(99), "ms", atMost(150))
	b.report.add("console", name, done.perSecond(), "saves/s")
	return b.measurePeaks("saves in the console", map[string]float64{stack.Console: 150})
}

// saver is a person who edits an event in the console.
type saver struct {
	mutex sync.Mutex
	http  *http.Client
	base  string // address of the console's service
	event string // uuid
	known string // digest of the title as the person has seen it
	saved int
}

// newSaver logs a person in and opens the page of their event.
func (b *bench) newSaver(ctx context.Context, event string) (*saver, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(b.stack.ServiceURL(stack.Console))
	if err != nil {
		return nil, err
	}
	jar.SetCookies(base, []*http.Cookie{{Name: "litfass_scripts", Value: "1"}}) // each field has a form of its own
	s := &saver{
		http: &http.Client{Jar: jar, Timeout: 30 * time.Second}, base: b.stack.ServiceURL(stack.Console), event: event,
	}
	login := url.Values{"email": {"console@example.org"}, "password": {accountPassword}, "next": {"/console/event/" + event}}
	page, err := s.post(ctx, "/console/login", login)
	if err != nil {
		return nil, err
	}
	return s, s.read(page[max(strings.Index(page, `id="edit-title"`), 0):])
}

// digest matches what a form was filled with.
var digest = regexp.MustCompile(`name="base" value="([^"]+)"`)

// read keeps the digest of the title.
func (s *saver) read(html string) error {
	found := digest.FindStringSubmatch(html)
	if found == nil {
		return fmt.Errorf("the page of event %s has no form of its title", s.event)
	}
	s.known = found[1]
	return nil
}

// save saves another title, as the script of the page does.
func (s *saver) save(ctx context.Context) error {
	s.saved++
	title := fmt.Sprintf("Konzert am Hafen, Fassung %d", s.saved)
	answer, err := s.post(ctx, "/console/event/"+s.event+"/edit/title", url.Values{"title": {title}, "base": {s.known}})
	if err != nil {
		return err
	}
	if !strings.Contains(answer, "data-saved") {
		return fmt.Errorf("the title of event %s was not saved: %.300s", s.event, answer)
	}
	return s.read(answer)
}

// post sends a form and returns the page that it leads to, or for a script the part of it.
func (s *saver) post(ctx context.Context, path string, form url.Values) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	if s.known != "" {
		request.Header.Set("HX-Request", "true")
	}
	response, err := s.http.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("POST %s: %d", path, response.StatusCode)
	}
	return string(content), err
}
