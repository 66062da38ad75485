package editing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/model"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
	"litfass/pkg/chassis/lane"
)

// randomEdits is how many requests TestRandomEdits sends.
var randomEdits = lane.Scale(320, 500)

// TestRandomEdits: several people edit a catalogue at random over HTTP. Each request is accepted or
// refused as the model says, changes what the model says, and nothing when it is refused. On the
// way and at the end the export equals the model's catalogue, and the search equals the reference.
func TestRandomEdits(t *testing.T) {
	seed := harness.Seed(t)
	s := harness.Run(t, stack.Options{Env: []string{"LOGIN_ATTEMPTS=10000"}})
	e := &editors{System: &harness.System{Stack: s, Client: client.New(s.URL(), 8)}, world: &model.World{}, sent: map[string]int{}}
	e.AwaitReady(t)
	e.audit = newAuditor(t, s.DatabaseURL())
	now := time.Now().In(harness.Berlin)
	e.regions = generate.Catalogue(seed, 1, now).Regions
	e.ImportCatalogue(t, &reference.Catalogue{Regions: e.regions, Labels: generate.Labels(), Contributors: generate.Contributors()})
	for _, label := range generate.Labels() {
		e.world.Labels = append(e.world.Labels, label.Key)
	}
	e.world.Contributors = map[string]string{}
	for _, c := range generate.Contributors() {
		for _, uuid := range append(c.FormerUUIDs, c.UUID) {
			e.world.Contributors[uuid] = c.UUID
		}
	}
	e.begin(t)
	requests := generate.NewRequests(seed, e.world, e.crowd, now)
	for n := range randomEdits {
		e.send(t, fmt.Sprintf("request %d", n), requests.Next())
		if sale, edit, drawn := requests.Race(); drawn && n%5 == 0 {
			e.race(t, fmt.Sprintf("race %d", n), sale, edit)
		}
		if n == randomEdits*2/5 || n == randomEdits*4/5 {
			e.compareAll(t, seed+uint64(n), 60)
		}
	}
	e.finish(t, requests)
	c := e.compareAll(t, seed, 250)
	e.CheckVenues(t, c, seed)
	e.CheckOrganizations(t, c)
	if pictured, translated := e.CheckSeries(t, c); pictured == 0 || translated == 0 {
		t.Errorf("%d public series have an image and %d translations, so the test shows little", pictured, translated)
	}
	e.testPictures(t, c)
	e.Verify(t)
	e.report(t)
}

// finish sends requests that the outputs need, and operations that some seeds do not draw.
func (e *editors) finish(t *testing.T, requests *generate.Requests) {
	t.Helper()
	org := e.world.Of(model.Organization, "")[0].UUID()
	e.send(t, "a series, so that there is one", model.Request{Who: e.admin, Do: "PUT /series", Body: model.Object{
		"org_uuid": org, "slug": "last-but-one", "title": "Last but one", "public": true,
	}})
	e.send(t, "the last deletion of a series", model.Request{
		Who: e.admin, Do: "DELETE /series/:seriesId", ID: e.world.Of(model.Series, "")[0].UUID(), Body: model.Object{"password": e.admin.Password},
	})
	e.send(t, "the last series", model.Request{Who: e.admin, Do: "PUT /series", Body: model.Object{
		"org_uuid": org, "slug": "last", "title": "Last", "public": true,
		"text_language": "en", "texts": model.Object{"da": model.Object{"title": "Sidste", "description": "Kort"}},
	}})
	for _, series := range e.world.Of(model.Series, "") {
		if series.Fields["public"] == true {
			image := requests.ImageOf(e.admin, series)
			e.send(t, "the last image of a series", image)
			image.File = nil
			e.send(t, "the last texts of this image", image)
		}
	}
	e.send(t, "the last organization, without anything public", model.Request{
		Who: e.admin, Do: "PUT /organization", Body: model.Object{"name": "Quiet 0"},
	})
}

// editors are people who edit a catalogue.
type editors struct {
	*harness.System
	world   *model.World
	regions []*reference.Region
	crowd   []*model.Person
	admin   *model.Person // who reads everything
	sent    map[string]int
	audit   *auditor
}

// send sends a request and checks that what becomes of it is what the model says.
func (e *editors) send(t *testing.T, what string, r model.Request) {
	t.Helper()
	verdict, entries, versions := e.world.Judge(r), e.audit.count(t), e.versions()
	answer, err := e.transmit(t, r)
	if err != nil {
		t.Fatalf("%s: %s: %v", what, r, err)
	}
	_, mayRefuse := verdict.Refusals[answer.Status]
	switch {
	case verdict.Accepted() && answer.Status != verdict.Status:
		t.Fatalf("%s: %s\nanswers %d %.1000s, the model accepts it with %d", what, r, answer.Status, answer.Body, verdict.Status)
	case !verdict.Accepted() && !mayRefuse:
		t.Fatalf("%s: %s\nanswers %d %.1000s, the model refuses it: %s", what, r, answer.Status, answer.Body, verdict.Why())
	case verdict.Accepted():
		err = e.follow(t, r, verdict, answer)
	default:
		err = e.unchanged(t, r, verdict)
	}
	if err == nil && r.Do != model.Sell { // of which only the first is audited
		err = e.audit.check(t, entries, versions != e.versions())
	}
	if err != nil {
		t.Fatalf("%s: %s\nanswers %d %.1000s: %v", what, r, answer.Status, answer.Body, err)
	}
	e.sent[fmt.Sprintf("%s %d", r.Do, answer.Status)]++
}

// transmit sends a request as its sender would.
func (e *editors) transmit(t *testing.T, r model.Request) (client.Answer, error) {
	t.Helper()
	header, body := http.Header{}, []byte(nil)
	header.Set("Authorization", "Bearer "+r.Who.Token)
	if r.IfMatch != "" {
		header.Set("If-Match", r.IfMatch)
	}
	if r.IsForm() {
		var kind string
		body, kind = requestForm(t, r)
		header.Set("Content-Type", kind)
	} else if r.Body != nil {
		var err error
		if body, err = json.Marshal(r.Body); err != nil {
			return client.Answer{}, err
		}
		header.Set("Content-Type", "application/json")
	}
	return e.Client.Do(t.Context(), r.Method(), "/api/admin"+r.Path(), header, body)
}

// follow makes the model's changes and compares each entity with how it is read now.
func (e *editors) follow(t *testing.T, r model.Request, v model.Verdict, answer client.Answer) error {
	t.Helper()
	var said model.Object
	if err := json.Unmarshal(answer.Body, &said); err != nil {
		return err
	}
	uuid, _ := said["uuid"].(string)
	before := make([]model.Object, len(v.Changes))
	for i, change := range v.Changes {
		if change.Before != nil {
			before[i] = change.Before.Fields
		}
	}
	e.world.Accept(v, r, uuid)
	for i, change := range v.Changes {
		if change.After == nil {
			if _, _, status := e.read(t, change.Before); status != http.StatusNotFound {
				return fmt.Errorf("what is deleted answers %d", status)
			}
			continue
		}
		entity := e.world.Lookup(change.After.UUID())
		was := entity.Tag
		if err := e.compareOne(t, entity, true); err != nil {
			return err
		}
		if r.Do == model.Sell {
			if entity.Tag != was {
				return fmt.Errorf("the ETag was %s and is %s after a sale", was, entity.Tag)
			}
			continue
		}
		if tag := answer.Header.Get("ETag"); tag != "" && tag != entity.Tag && i == 0 { // of what was edited
			return fmt.Errorf("the answer has the ETag %s, what is read then %s", tag, entity.Tag)
		}
		if changed := !reflect.DeepEqual(before[i], entity.Fields); changed != (was != entity.Tag) {
			return fmt.Errorf("the ETag was %s and is %s, although it is %t that something changed", was, entity.Tag, changed)
		}
	}
	return nil
}

// versions returns the versions of all entities.
func (e *editors) versions() string {
	var all strings.Builder
	for _, entity := range e.world.Entities {
		fmt.Fprintln(&all, entity.UUID(), entity.Tag)
	}
	return all.String()
}

// unchanged checks that a refused request has changed none of the entities that it names.
func (e *editors) unchanged(t *testing.T, r model.Request, v model.Verdict) error {
	t.Helper()
	about := []*model.Entity{e.world.Lookup(r.ID)}
	for _, change := range v.Changes {
		about = append(about, change.Before)
	}
	for _, entity := range about {
		if entity == nil {
			continue
		}
		if err := e.compareOne(t, entity, false); err != nil {
			return fmt.Errorf("although it is refused, %w", err)
		}
	}
	return nil
}

// compareOne compares an entity with the service's current answer. With learn it first takes over
// the values that only the service knows; otherwise the version must be the known one, too.
func (e *editors) compareOne(t *testing.T, entity *model.Entity, learn bool) error {
	t.Helper()
	shown, tag, status := e.read(t, entity)
	if status != http.StatusOK {
		return fmt.Errorf("the %s answers %d", entity.Kind, status)
	}
	if learn {
		entity.Learn(shown, tag)
	}
	if tag != entity.Tag {
		return fmt.Errorf("the ETag is %s, was %s", tag, entity.Tag)
	}
	if err := harness.SameFields(shown, entity.Fields); err != nil {
		return fmt.Errorf("%s %s: %w", entity.Kind, entity.UUID(), err)
	}
	return model.CheckRules(entity.Fields)
}

// read returns an entity as the platform administrator reads it.
func (e *editors) read(t *testing.T, entity *model.Entity) (fields model.Object, tag string, status int) {
	t.Helper()
	header := http.Header{"Authorization": {"Bearer " + e.admin.Token}}
	answer, err := e.Client.Do(t.Context(), http.MethodGet, "/api/admin/"+entity.Kind+"/"+entity.UUID(), header, nil)
	if err == nil && answer.Status == http.StatusOK {
		err = json.Unmarshal(answer.Body, &fields)
	}
	if err != nil {
		t.Fatal(err)
	}
	return fields, answer.Header.Get("ETag"), answer.Status
}

// compareAll compares the whole catalogue: the export with the model, and n random queries of the
// public search with the reference.
func (e *editors) compareAll(t *testing.T, seed uint64, n int) *reference.Catalogue {
	t.Helper()
	e.AwaitReady(t)
	var lines bytes.Buffer
	if err := (&reference.Catalogue{Regions: e.regions, Labels: generate.Labels(), Contributors: generate.Contributors()}).Write(&lines); err != nil {
		t.Fatal(err)
	}
	got, want := harness.Entities(t, e.Export(t)), harness.Entities(t, append(lines.Bytes(), e.world.Lines()...))
	if err := harness.SameCatalogue(got, want); err != nil {
		t.Fatalf("the export differs from the model: %v", err)
	}
	for id, fields := range got {
		if fields["kind"] != "region" && len(fields) != len(want[id]) {
			t.Fatalf("the export of %s has the fields %v, the model %v", id,
				slices.Sorted(maps.Keys(fields)), slices.Sorted(maps.Keys(want[id])))
		}
	}
	c := e.world.Catalogue(e.regions)
	c.Contributors = generate.Contributors()
	if len(e.Reference(c).Dates()) == 0 {
		t.Fatal("nothing is public, so the search would show nothing")
	}
	e.Compare(t, c, seed, n)
	return c
}

// report logs how many requests of each operation have had which answer.
func (e *editors) report(t *testing.T) {
	t.Helper()
	accepted := 0
	for _, name := range slices.Sorted(maps.Keys(e.sent)) {
		if name[len(name)-3] == '2' {
			accepted += e.sent[name]
		}
		t.Logf("%4d %s", e.sent[name], name)
	}
	for _, do := range []string{"PATCH /event/:eventId", "PUT /series/:seriesId", "DELETE /series/:seriesId", "PUT /series/:seriesId/event/:eventOfSeries", "POST /series/:seriesId/image",
		model.Sell, "at once: " + model.Sell} {
		if e.sent[do+" 200"] == 0 {
			t.Errorf("no %s is accepted", do)
		}
	}
	if accepted < randomEdits*2/5 {
		t.Errorf("of %d requests %d are accepted: the test shows little", randomEdits, accepted)
	}
}
