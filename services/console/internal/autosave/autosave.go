// Package autosave saves the parts of a resource as they are edited. What two people change at the
// same time is never overwritten silently: what only one of them has changed is stored; of a field
// that both have changed, both versions are shown.
package autosave

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// Resource is what has the parts.
type Resource struct {
	Org  string         // uuid of the organization that it belongs to
	Need permission.Set // what changing it takes there
	Read string         // path of the operation that reads it
	// Stored is what that operation has just answered, and Tag the ETag of it; nil has Save read it.
	Stored Values
	Tag    string
	Page   string // path of its page in the console
	// Public reports by its values whether visitors see it, so that a write is followed until they
	// see that, too.
	Public func(Values) bool
	// Whole shows the page with one part as it is given, for people without scripts.
	Whole func(r *page.Request, part string, drawn templ.Component) error
	// Beside returns what a script replaces elsewhere on the page after a write, such as the
	// checklist; nil for nothing.
	Beside func(r *page.Request, answer Values) []templ.Component
}

// Part is a group of fields that is saved as one.
type Part struct {
	ID    string // of its form
	Label string
	Write string // path of the operation that stores it
	// Form says that the operation takes a form by POST, and not JSON by PUT.
	Form bool
	// Of returns the values of the part where the resource has several alike, such as one of its
	// links; false when it is gone. Nil: they are keys of the resource.
	Of func(Values) (Values, bool)
	// Body returns what the form says in the keys of the part, all of them. What is wrong stays in it
	// as it was typed.
	Body func(page.Form) (map[string]any, view.Errors)
	// Draw returns the form, its fields filled with values.
	Draw func(values Values, state view.State) templ.Component
	// Print writes a value for people; nil writes its text.
	Print func(key string, value json.RawMessage) string
	// Names are the labels of its keys, of all of them.
	Names map[string]string
	// Together are keys that say something only together, such as a latitude and a longitude: who
	// changes one of them has changed all.
	Together []string
	// Redraw reports whether its fields change with what a form has sent, so that a script replaces
	// the whole form; nil for never.
	Redraw func(page.Form) bool
}

// Base returns the digests of the part's values that a form sends with them.
func (p Part) Base(values Values) string {
	return values.DigestOf(slices.Collect(maps.Keys(p.Names))...)
}

// PrintOf writes a value of the part for people.
func (p Part) PrintOf(key string, value json.RawMessage) string {
	if p.Print != nil {
		return p.Print(key, value)
	}
	return Values{key: value}.Text(key)
}

// attempts are made when other parts of the resource change at the same moment.
const attempts = 5

// save is one attempt of a person to store a part.
type save struct {
	*page.Request
	resource Resource
	part     Part
	whole    Values // of the resource, as they are now
	stored   Values // of the part
	tag      string // of the resource
	seen     seen
	undo     string         // earlier values that a change is reverted to, as JSON; "" for none
	body     map[string]any // what the form says
	said     Values         // the same as JSON
	mine     []string       // the keys that the person has changed
}

// Save stores a part as the form of the request says. For a script it answers with the state of
// the form, else it leads back to the page. The field "undo" reverts a change. After a conflict,
// "theirs" names the fields in which what others have stored is to stay, and "mine" has the digests
// of what is to be overwritten, and what "undo" had. The error is Forbidden for people who may not
// change the resource.
func Save(r *page.Request, resource Resource, part Part) error {
	s := &save{Request: r, resource: resource, part: part, seen: seenIn(r.Form.Get("base"))}
	overwritten, undo, _ := strings.Cut(r.Form.Get("mine"), " ")
	maps.Copy(s.seen, seenIn(overwritten))
	s.undo = cmp.Or(undo, r.Form.Get("undo"))
	if err := s.begin(); err != nil {
		return err
	}
	var errors view.Errors
	s.body, errors = s.given()
	s.takeTheirs(errors)
	s.said = ValuesOf(s.body)
	s.mine = s.changed()
	switch {
	case s.taken() && len(s.writes()) == 0:
		return s.show()
	case len(errors) > 0:
		return s.refuse(view.State{Base: r.Form.Get("base"), Errors: errors})
	}
	for range attempts {
		if disputed := s.disputed(); len(disputed) > 0 {
			return s.refuse(s.conflict(disputed))
		}
		answer, err := r.Ask(part.call(s.tag, s.merged()))
		if err == nil {
			return s.saved(answer)
		}
		if !fault.Is(err, fault.Stale) {
			return s.failed(err)
		}
		if err := s.read(); err != nil { // another part was saved in between
			return err
		}
	}
	busy := text.Refusal(s.Text, "", "others are saving at the same time")
	return s.failed(fault.New(fault.Conflict, "", "%s", busy))
}

// begin takes what the handler has read of the resource, or reads it.
func (s *save) begin() error {
	if s.resource.Stored == nil {
		return s.read()
	}
	return s.take(s.resource.Stored, s.resource.Tag)
}

// read reads what is stored. The error is NotFound for a part that is gone.
func (s *save) read() error {
	var whole Values
	tag, err := s.Get(s.resource.Read, nil, &whole)
	if err != nil {
		return err
	}
	return s.take(whole, tag)
}

// take keeps a version of the resource, and the values of the part in it.
func (s *save) take(whole Values, tag string) error {
	s.whole, s.stored, s.tag = whole, whole, tag
	if s.part.Of == nil {
		return nil
	}
	stored, found := s.part.Of(whole)
	if !found {
		return fault.New(fault.NotFound, "", "this has been deleted")
	}
	s.stored = stored
	return nil
}

// given returns what is to be stored: the values of the form, or the earlier ones that a change is
// reverted to.
func (s *save) given() (map[string]any, view.Errors) {
	body, errors := s.part.Body(s.Form)
	if s.undo == "" {
		return body, errors
	}
	var before map[string]any
	if json.Unmarshal([]byte(s.undo), &before) != nil {
		return body, view.Errors{"undo": s.Text.T("auto.undo_unreadable")}
	}
	for key := range before {
		if _, known := body[key]; !known {
			delete(before, key)
		}
	}
	return before, nil
}

// conflict is the state of a form with fields that others have changed, too. Until the person has
// decided between them, each save of the form comes here.
func (s *save) conflict(disputed []string) view.State {
	overwritten := seen{}
	for _, key := range s.part.withTogether(disputed) {
		overwritten[key] = digest(s.stored[key])
	}
	state := view.State{Base: s.seen.String(), Mine: strings.TrimSpace(overwritten.String() + " " + s.undo)}
	for _, key := range disputed {
		state.Conflict = append(state.Conflict, view.Difference{
			Key: key, Label: s.part.Names[key], Mine: s.part.PrintOf(key, s.said[key]), Theirs: s.part.PrintOf(key, s.stored[key]),
		})
	}
	return state
}

// form returns the form around the state.
func (s *save) form(state view.State) view.AutoForm {
	return view.AutoForm{ID: s.part.ID, Action: s.Path, Label: s.part.Label, Names: s.part.Names, State: state}
}

// saved answers after a write.
func (s *save) saved(answer client.Answer) error {
	var after Values
	if err := answer.Read(&after); err != nil {
		return err
	}
	if !s.Script {
		return s.Go(s.resource.Page+"#"+s.part.ID, "saved")
	}
	now := merge(s.stored, after)
	state := view.State{Saved: true, Base: s.part.Base(now)}
	if s.resource.Public != nil && s.resource.Public(s.whole) {
		state.Position = answer.Position
	}
	if s.undo == "" {
		state.Undo = s.undoing()
	}
	var drawn []templ.Component
	if s.showsOther(now) || s.part.Redraw != nil && s.part.Redraw(s.Form) {
		drawn = append(drawn, s.replace(now, state))
	} else {
		drawn = append(drawn, view.AutoState(s.Text, s.form(state)))
	}
	if s.resource.Beside != nil {
		drawn = append(drawn, s.resource.Beside(s.Request, after)...)
	}
	return s.ShowPart(drawn...)
}

// showsOther reports whether the fields of the form show something else than what is stored now:
// after a change was reverted or given up, and where others have changed a field.
func (s *save) showsOther(now Values) bool {
	if s.undo != "" || s.taken() {
		return true
	}
	theirs := func(key string) bool { return !slices.Contains(s.mine, key) && !same(s.said[key], now[key]) }
	return slices.ContainsFunc(slices.Collect(maps.Keys(s.said)), theirs)
}

// undoing returns what was stored of the fields that the person has changed, as JSON; "" when they
// are as they were.
func (s *save) undoing() string {
	before := Values{}
	for _, key := range s.writes() {
		before[key] = canonical(s.stored[key])
	}
	encoded, err := json.Marshal(before)
	if len(before) == 0 || err != nil {
		return ""
	}
	return string(encoded)
}

// replace has the script put a whole form in the place of the one that is there.
func (s *save) replace(values Values, state view.State) templ.Component {
	s.Header("HX-Retarget", "#"+s.part.ID)
	s.Header("HX-Reswap", "outerHTML")
	return s.part.Draw(values, state)
}

// show answers with the part as it is stored.
func (s *save) show() error {
	if err := s.Require(s.resource.Org, s.resource.Need); err != nil {
		return err
	}
	if !s.Script {
		return s.Go(s.resource.Page+"#"+s.part.ID, "")
	}
	return s.ShowPart(s.replace(s.stored, view.State{Base: s.part.Base(s.stored), Settled: true}))
}

// refuse answers with what is wrong, beside what was typed, to people who may change it at all. A
// save that goes well asks for no permission here: the admin service does.
func (s *save) refuse(state view.State) error {
	if err := s.Require(s.resource.Org, s.resource.Need); err != nil {
		return err
	}
	if s.Script && !s.taken() {
		return s.ShowPart(view.AutoState(s.Text, s.form(state)))
	}
	values := merge(s.stored, s.said)
	state.Base = s.base(values)
	if s.Script {
		return s.ShowPart(s.replace(values, state))
	}
	s.Status(http.StatusUnprocessableEntity)
	return s.resource.Whole(s.Request, s.part.ID, s.part.Draw(values, state))
}

// failures are the messages for faults that leave the form as it is.
var failures = map[fault.Kind]string{
	fault.Invalid: "auto.invalid", fault.Forbidden: "error.text.forbidden", fault.Conflict: "error.text.conflict",
	fault.TooLarge: "auto.too_large", fault.TooMany: "error.text.too_many_requests",
}

// failed answers with why a part could not be stored if failures has the kind of err. Other errors
// are returned and shown as an error page, or to a script as an alert.
func (s *save) failed(err error) error {
	f := fault.Of(err)
	message, known := failures[f.Kind]
	if !known {
		return err
	}
	state := view.State{Base: s.Form.Get("base"), Errors: view.ErrorsOf(err), Retry: retryAfter(f)}
	if len(state.Errors) == 0 {
		state.Failure, state.Reason = s.Text.T(message), f.Message
	}
	return s.refuse(state)
}

// fullWindow is how long the limits of the admin service count, in seconds.
const fullWindow = 60

// retryAfter returns after how many seconds a form that was one too many is sent again; 0 for other
// faults.
func retryAfter(f *fault.Fault) int {
	switch {
	case f.Kind != fault.TooMany:
		return 0
	case f.RetryAfter <= 0:
		return fullWindow
	default:
		return int((f.RetryAfter + time.Second - 1) / time.Second)
	}
}
