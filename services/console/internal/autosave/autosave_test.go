package autosave_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/autosave"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

const (
	read  = "GET /api/admin/event/thing"
	write = "PUT /api/admin/event/thing/name"
	path  = "/console/thing/edit"
)

type thing = map[string]any

var names = map[string]string{"name": "Name", "color": "Color"}

// whole shows a part as it is given.
func whole(r *page.Request, _ string, drawn templ.Component) error { return r.ShowPart(drawn) }

// save stores the part of a thing that has a name and a color.
func save(r *page.Request) error { return store(r) }

// saveTogether is save where the two say something only together.
func saveTogether(r *page.Request) error { return store(r, "color", "name") }

func store(r *page.Request, together ...string) error {
	draw := func(values version.Values, state view.State) templ.Component {
		return templ.Join(
			view.AutoState(r.Text, view.AutoForm{ID: "edit", Action: path, Label: "Name", Names: names, State: state}),
			view.Input(view.Field{Name: "name", Value: values.Text("name")}),
			view.Input(view.Field{Name: "color", Value: values.Text("color")}),
		)
	}
	body := func(form page.Form) (map[string]any, view.Errors) {
		errors := view.Errors{}
		if form.Text("name") == "bad" {
			errors["name"] = "is not nice"
		}
		return map[string]any{"name": form.Text("name"), "color": form.TextOrNil("color")}, errors
	}
	return autosave.Save(r, autosave.Resource{
		Org: pagetest.Org, Need: permission.EditEvent, Read: r.Admin().ReadEvent("thing"), Page: "/console/thing", Whole: whole,
		Public: func(values version.Values) bool { return values.Bool("public") },
	}, autosave.Part{ID: "edit", Label: "Name", Write: r.Admin().WriteEvent("thing", "name"), Names: names, Dependent: together, Body: body, Draw: draw})
}

func start(t *testing.T, stored thing) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, func(r page.Router) {
		r.Post("/thing/edit", save)
		r.Post("/thing/edit-together", saveTogether)
	})
	c.Answer(read, http.StatusOK, stored)
	c.AnswerWith(write, func(pagetest.Call) (int, any) { return http.StatusOK, thing{"name": "new", "color": nil} })
	return c
}

// base are the digests of a thing as the person has seen it.
func base(seen thing) string { return version.ValuesOf(seen).DigestOf("name", "color") }

func form(name string, seen thing) url.Values {
	return url.Values{"name": {name}, "color": {""}, "base": {base(seen)}}
}

func TestASaveCanBeTakenBack(t *testing.T) {
	old := thing{"name": "old", "color": nil, "size": 3}
	c := start(t, old)
	got := c.Post(path, form("new", old), pagetest.Script...)
	if want := `value="{&#34;name&#34;:&#34;old&#34;}"`; !strings.Contains(got.Body, "data-saved") || !strings.Contains(got.Body, want) {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	now := thing{"name": "new", "color": nil, "size": 3}
	if !strings.Contains(got.Body, base(now)) {
		t.Error("the next save begins with another digest than that of what is stored")
	}
	c.Answer(read, http.StatusOK, now)
	c.Answer(write, http.StatusOK, old)
	back := form("new", now)
	back.Set("undo", `{"color":null,"name":"old","size":9}`)
	got = c.Post(path, back, pagetest.Script...)
	calls := c.Calls(write)
	if body := string(calls[len(calls)-1].Body); body != `{"color":null,"name":"old"}` {
		t.Errorf("the service gets %s", body)
	}
	if !strings.Contains(got.Body, `value="old"`) || got.Header.Get("HX-Retarget") != "#edit" || strings.Contains(got.Body, `name="undo"`) {
		t.Errorf("the fields are not as they were: %v %s", got.Header, got.Body)
	}
	if want := `name="redo" value="{&#34;name&#34;:&#34;new&#34;}"`; !strings.Contains(got.Body, want) {
		t.Errorf("the way back is missing: %s", got.Body)
	}
	c.Answer(read, http.StatusOK, old)
	c.Answer(write, http.StatusOK, now)
	again := form("old", old)
	again.Set("redo", `{"name":"new"}`)
	got = c.Post(path, again, pagetest.Script...)
	if !strings.Contains(got.Body, `value="new"`) || !strings.Contains(got.Body, `name="undo"`) || strings.Contains(got.Body, `name="redo"`) {
		t.Errorf("redone: %s", got.Body)
	}
}

// TestVisitorsSeeAPartOfWhatIsPublic: the values of a part do not say whether visitors see the
// resource.
func TestVisitorsSeeAPartOfWhatIsPublic(t *testing.T) {
	part := thing{"name": "old", "color": nil}
	for _, public := range []bool{true, false} {
		c := pagetest.Start(t, func(r page.Router) {
			r.Post("/thing/edit", func(r *page.Request) error {
				return autosave.Save(r, autosave.Resource{
					Org: pagetest.Org, Need: permission.EditEvent, Read: r.Admin().ReadEvent("thing"), Page: "/console/thing", Whole: whole,
					Public: func(values version.Values) bool { return values.Bool("public") },
				}, autosave.Part{
					ID: "edit", Label: "Name", Write: r.Admin().WriteEvent("thing", "name"), Names: names,
					Of:   func(version.Values) (version.Values, bool) { return version.ValuesOf(part), true },
					Body: func(page.Form) (map[string]any, view.Errors) { return thing{"name": "new", "color": nil}, nil },
				})
			})
		})
		c.Answer(read, http.StatusOK, thing{"public": public, "parts": []thing{part}})
		c.Answer(write, http.StatusOK, thing{"name": "new", "color": nil})
		got := c.Post(path, form("new", part), pagetest.Script...)
		if !strings.Contains(got.Body, "data-saved") || strings.Contains(got.Body, "/console/seen") != public {
			t.Errorf("public %t: %s", public, got.Body)
		}
	}
}

// TestTwoTabs: the second tab knows the name from before the first one has changed it.
func TestTwoTabs(t *testing.T) {
	old, now := thing{"name": "old", "color": nil}, thing{"name": "first", "color": nil}
	c := start(t, now)
	for _, headers := range [][]string{pagetest.Script, nil} {
		got := c.Post(path, form("second", old), headers...)
		if len(c.Calls(write)) != 0 {
			t.Fatal("the first change is overwritten")
		}
		for _, want := range []string{`class="conflict"`, ">first<", ">second<", base(old), `name="mine" value="` + nameOf(now) + `"`, `name="theirs" value="name"`} {
			if !strings.Contains(got.Body, want) {
				t.Errorf("there is no %s in %s", want, got.Body)
			}
		}
		if strings.Contains(got.Body, "<dt>Color</dt>") {
			t.Error("a field that is the same counts as changed")
		}
	}
	theirs := form("second", old)
	theirs.Set("theirs", "name")
	if got := c.Post(path, theirs, pagetest.Script...); !strings.Contains(got.Body, `value="first"`) || got.Header.Get("HX-Retarget") != "#edit" {
		t.Errorf("the other version is not shown: %s", got.Body)
	}
	undecided := form("second", old)
	undecided.Set("color", "blue")
	if got := c.Post(path, undecided, pagetest.Script...); len(c.Calls(write)) != 0 || !strings.Contains(got.Body, `class="conflict"`) {
		t.Error("the next change in the form has decided for the person")
	}
	mine := form("second", old)
	mine.Set("mine", nameOf(now))
	if got := c.Post(path, mine); got.Status != http.StatusSeeOther || len(c.Calls(write)) != 1 {
		t.Errorf("keeping one's own: %d", got.Status)
	}
}

// nameOf is the digest of the name of a thing.
func nameOf(seen thing) string { return version.ValuesOf(seen).DigestOf("name") }

// TestTakingBackWhatOthersHaveChanged: undoing is a change like others, and can be decided for.
func TestTakingBackWhatOthersHaveChanged(t *testing.T) {
	now := thing{"name": "bea", "color": "red"}
	c := start(t, now)
	back := form("ada", thing{"name": "ada", "color": nil})
	back.Set("undo", `{"name":"old"}`)
	mine := nameOf(now) + " " + `{&#34;name&#34;:&#34;old&#34;}`
	if got := c.Post(path, back, pagetest.Script...); !strings.Contains(got.Body, `name="mine" value="`+mine+`"`) || !strings.Contains(got.Body, ">old<") {
		t.Fatalf("%s", got.Body)
	}
	back.Del("undo")
	back.Set("mine", html.UnescapeString(mine))
	c.Post(path, back, pagetest.Script...)
	if calls := c.Calls(write); len(calls) != 1 || string(calls[0].Body) != `{"name":"old"}` {
		t.Errorf("%d writes", len(calls))
	}
}

// TestTakingBackShowsWhatItIsAbout: without scripts the form is rendered with the values that
// others have stored next to the disputed field. Each field is compared with its rendered value.
func TestTakingBackShowsWhatItIsAbout(t *testing.T) {
	c := start(t, thing{"name": "bea", "color": "red"})
	back := form("ada", thing{"name": "ada", "color": "green"})
	back.Set("undo", `{"name":"old"}`)
	got := c.Post(path, back)
	if want := base(thing{"name": "ada", "color": "red"}); !strings.Contains(got.Body, `name="base" value="`+want+`"`) || !strings.Contains(got.Body, `value="red"`) {
		t.Errorf("the digests are not %s in %s", want, got.Body)
	}
}

// TestTwoPeopleChangeDifferentFields: each form has an old value of the field that the other person
// has changed, and stores only its own change.
func TestTwoPeopleChangeDifferentFields(t *testing.T) {
	old, now := thing{"name": "old", "color": nil}, thing{"name": "old", "color": "red"}
	c := start(t, now)
	c.Answer(write, http.StatusOK, thing{"name": "new", "color": "red"})
	for _, headers := range [][]string{pagetest.Script, nil} {
		got := c.Post(path, form("new", old), headers...)
		calls := c.Calls(write)
		if len(calls) == 0 || string(calls[len(calls)-1].Body) != `{"color":"red","name":"new"}` {
			t.Fatalf("%d writes: %d %s", len(calls), got.Status, got.Body)
		}
		if headers == nil {
			continue
		}
		if want := base(thing{"name": "new", "color": "red"}); !strings.Contains(got.Body, want) || !strings.Contains(got.Body, `value="red"`) {
			t.Errorf("the form does not show the other person's color: %s", got.Body)
		}
		if want := `value="{&#34;name&#34;:&#34;old&#34;}"`; !strings.Contains(got.Body, want) {
			t.Errorf("undoing reverts more than the name: %s", got.Body)
		}
	}
}

// TestTextsOfOtherClientsAreNotChangedByAForm: a form trims texts and normalizes line ends. Such
// differences count as changes neither by the person nor by others.
func TestTextsOfOtherClientsAreNotChangedByAForm(t *testing.T) {
	seen, now := thing{"name": "  first\r\nsecond ", "color": ""}, thing{"name": "  first\r\nsecond ", "color": "red"}
	for _, stored := range []thing{seen, now} {
		c := start(t, stored)
		got := c.Post(path, form("first\nsecond", seen), pagetest.Script...)
		want, err := json.Marshal(stored)
		if err != nil {
			t.Fatal(err)
		}
		if calls := c.Calls(write); len(calls) != 1 || string(calls[0].Body) != string(want) || !strings.Contains(got.Body, "data-saved") {
			t.Errorf("%d writes, want %s: %s", len(calls), want, got.Body)
		}
	}
}

// TestAConflictKeepsOtherFields: insisting on a name does not revert the color, which the other
// person has changed as well.
func TestAConflictKeepsOtherFields(t *testing.T) {
	old, now := thing{"name": "old", "color": nil}, thing{"name": "first", "color": "red"}
	c := start(t, now)
	got := c.Post(path, form("second", old), pagetest.Script...)
	if !strings.Contains(got.Body, "<dt>Name</dt>") || strings.Contains(got.Body, "<dt>Color</dt>") {
		t.Errorf("not the name alone is disputed: %s", got.Body)
	}
	insisting := form("second", old)
	insisting.Set("mine", nameOf(now))
	c.Post(path, insisting, pagetest.Script...)
	if calls := c.Calls(write); len(calls) != 1 || string(calls[0].Body) != `{"color":"red","name":"second"}` {
		t.Errorf("%d writes", len(calls))
	}
}

// TestGivingWayInOneField: the other field of the form keeps what the person has written, and is
// stored.
func TestGivingWayInOneField(t *testing.T) {
	now := thing{"name": "first", "color": nil}
	c := start(t, now)
	c.Answer(write, http.StatusOK, thing{"name": "first", "color": "blue"})
	givingWay := form("second", thing{"name": "old", "color": nil})
	givingWay.Set("color", "blue")
	givingWay.Set("theirs", "name")
	got := c.Post(path, givingWay, pagetest.Script...)
	if calls := c.Calls(write); len(calls) != 1 || string(calls[0].Body) != `{"color":"blue","name":"first"}` {
		t.Fatalf("%d writes", len(calls))
	}
	if !strings.Contains(got.Body, `value="first"`) || !strings.Contains(got.Body, `value="blue"`) || got.Header.Get("HX-Retarget") != "#edit" {
		t.Errorf("the fields do not show what is stored: %s", got.Body)
	}
}

// TestFieldsThatBelongTogetherAreNotMixed: a name that was written for the old color is not stored
// together with another color.
func TestFieldsThatBelongTogetherAreNotMixed(t *testing.T) {
	old, now := thing{"name": "old", "color": nil}, thing{"name": "old", "color": "red"}
	c := start(t, now)
	got := c.Post(path+"-together", form("new", old), pagetest.Script...)
	if len(c.Calls(write)) != 0 || !strings.Contains(got.Body, "<dt>Color</dt>") || !strings.Contains(got.Body, `class="conflict"`) {
		t.Errorf("%d writes, %s", len(c.Calls(write)), got.Body)
	}
	back := form("new", thing{"name": "new", "color": nil})
	back.Set("undo", `{"name":"old"}`)
	c.Answer(read, http.StatusOK, thing{"name": "new", "color": "red"})
	if got := c.Post(path+"-together", back, pagetest.Script...); len(c.Calls(write)) != 0 || !strings.Contains(got.Body, `class="conflict"`) {
		t.Errorf("taking one of them back: %d writes, %s", len(c.Calls(write)), got.Body)
	}
}

// TestABaseThatIsNotOursIsAConflict: nothing is taken for seen that a form does not name.
func TestABaseThatIsNotOursIsAConflict(t *testing.T) {
	for _, sent := range []string{"", "x", "~", "name", "name~", "..", "color~x.color~y"} {
		c := start(t, thing{"name": "old", "color": nil})
		changed := form("new", nil)
		changed.Set("base", sent)
		if got := c.Post(path, changed, pagetest.Script...); len(c.Calls(write)) != 0 || !strings.Contains(got.Body, `class="conflict"`) {
			t.Errorf("%q: %d writes, %s", sent, len(c.Calls(write)), got.Body)
		}
	}
}

// TestTheSameChangeTwiceIsNoConflict: both want what is stored.
func TestTheSameChangeTwiceIsNoConflict(t *testing.T) {
	c := start(t, thing{"name": "new", "color": nil})
	if got := c.Post(path, form("new", thing{"name": "old", "color": nil}), pagetest.Script...); !strings.Contains(got.Body, "data-saved") {
		t.Errorf("%s", got.Body)
	}
}

// TestOtherPartsMayChangeMeanwhile: the write is repeated for the version that is there now.
func TestOtherPartsMayChangeMeanwhile(t *testing.T) {
	old := thing{"name": "old", "color": nil}
	c := start(t, old)
	refused := 0
	c.AnswerWith(write, func(pagetest.Call) (int, any) {
		if refused++; refused <= 2 {
			return http.StatusPreconditionFailed, adminapi.Error{Error: "has changed", Code: "stale_thing"}
		}
		return http.StatusOK, thing{"name": "new", "color": nil}
	})
	if got := c.Post(path, form("new", old), pagetest.Script...); !strings.Contains(got.Body, "data-saved") || len(c.Calls(write)) != 3 {
		t.Errorf("%d writes, %s", len(c.Calls(write)), got.Body)
	}
	c.Refuse(write, http.StatusPreconditionFailed, adminapi.Error{Error: "has changed", Code: "stale_thing"})
	if got := c.Post(path, form("new", old), pagetest.Script...); !strings.Contains(got.Body, "data-failed") {
		t.Errorf("a thing that never rests: %s", got.Body)
	}
	if got := c.Post(path+"?lang=de", form("new", old), pagetest.Script...); !strings.Contains(got.Body, `<span lang="en">others are saving at the same time</span>`) {
		t.Errorf("on a German page: %s", got.Body)
	}
}

func TestWhatWasTypedStays(t *testing.T) {
	old := thing{"name": "old", "color": nil}
	c := start(t, old)
	if got := c.Post(path, form("bad", old)); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="bad"`) || !strings.Contains(got.Body, "is not nice") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	c.Refuse(write, http.StatusNotFound, adminapi.Error{
		Error: "there is no such color", Code: "not_found", Details: []fault.Violation{{Field: "color", Reason: "does not exist"}},
	})
	if got := c.Post(path, form("new", old)); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "does not exist") {
		t.Errorf("a field that names what is gone: %d %s", got.Status, got.Body)
	}
	for status, code := range map[int]string{400: "invalid", 403: "permission_missing", 409: "conflict", 413: "too_large", 429: "too_many_requests"} {
		c.Refuse(write, status, adminapi.Error{Error: "not today", Code: code})
		got := c.Post(path, form("new", old))
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="new"`) || !strings.Contains(got.Body, "Not saved:") {
			t.Errorf("%d: %d %s", status, got.Status, got.Body)
		}
		if got := c.Post(path, form("new", old), pagetest.Script...); strings.Contains(got.Body, "<input id=") || !strings.Contains(got.Body, "data-failed") {
			t.Errorf("%d by a script: %s", status, got.Body)
		}
	}
}

// TestSomeoneElseIsSaving: a save that meets another one is tried again after the time that the
// service names; a page says so in words.
func TestSomeoneElseIsSaving(t *testing.T) {
	old := thing{"name": "old", "color": nil}
	c := start(t, old)
	c.Refuse(write, http.StatusServiceUnavailable, adminapi.Error{Error: "the lock was not free", Code: "busy", RetryAfter: 2})
	got := c.Post(path, form("new", old), pagetest.Script...)
	if got.Status != http.StatusOK || !strings.Contains(got.Body, `data-retry="2"`) || !strings.Contains(got.Body, "Someone else is saving") {
		t.Errorf("by a script: %d %s", got.Status, got.Body)
	}
	if got := c.Post(path, form("new", old)); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="new"`) {
		t.Errorf("without scripts: %d %s", got.Status, got.Body)
	}
	c.Refuse("GET /api/admin/user/memberships", http.StatusServiceUnavailable, adminapi.Error{Error: "the lock was not free", Code: "busy"})
	if got := c.Post(path, form("new", old)); got.Status != http.StatusServiceUnavailable || !strings.Contains(got.Body, "<h1>Someone else is saving</h1>") {
		t.Errorf("on a page of its own: %d %s", got.Status, got.Body)
	}
}

// TestReadersAreRefusedFirst: people who may not change a thing do not learn whether their input is
// valid.
func TestReadersAreRefusedFirst(t *testing.T) {
	old := thing{"name": "old", "color": nil}
	c := start(t, old)
	c.Member(permission.ViewEventInsights)
	c.Refuse(write, http.StatusForbidden, adminapi.Error{Error: "you may not", Code: "permission_missing"})
	for _, name := range []string{"new", "bad"} {
		for _, headers := range [][]string{nil, pagetest.Script} {
			if got := c.Post(path, form(name, old), headers...); got.Status != http.StatusForbidden {
				t.Errorf("a reader sends %s: %d", name, got.Status)
			}
		}
	}
	c.Answer("GET /api/admin/user/memberships", http.StatusOK, adminapi.Memberships{})
	if got := c.Post(path, form("new", old)); got.Status != http.StatusNotFound {
		t.Errorf("a stranger: %d", got.Status)
	}
	c.Refuse("GET /api/admin/user/memberships", http.StatusServiceUnavailable, adminapi.Error{Error: "not now", Code: "unavailable"})
	if got := c.Post(path, form("new", old)); got.Status != http.StatusServiceUnavailable {
		t.Errorf("while it is not known who may do what: %d", got.Status)
	}
}
