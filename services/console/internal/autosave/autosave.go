// Package autosave saves the parts of a resource as they are edited. When two people change it at
// the same time, fields that only one of them changed are stored, and both versions are shown of a
// field that both changed; see package version.
package autosave

import (
	"cmp"
	"encoding/json"
	"errors"
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
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// Resource is an event, an image, a venue, a space or an organization.
type Resource struct {
	Org  string         // uuid of the organization that it belongs to
	Need permission.Set // permissions there that a change takes
	Read client.Read
	// Stored and Tag are the values and the ETag that Read has just answered; nil has Save read them.
	Stored version.Values
	Tag    string
	Page   string // path of its page in the console
	// Public reports by the values whether visitors see the resource. If they do, the page waits
	// after a write until they see that, too.
	Public func(version.Values) bool
	// Whole shows the page with the given component as one of its parts, to people without scripts.
	Whole func(r *page.Request, part string, drawn templ.Component) error
	// Changed returns a sentence about who has changed some of the keys last, and when; "" when that
	// is not known. Nil: it never is.
	Changed func(keys []string) string
	// Elsewhere returns other components of the page that a write changes, such as the checklist, for
	// a script to replace; nil for none.
	Elsewhere func(r *page.Request, answer version.Values) []templ.Component
}

func (r Resource) changedBy(keys []string) string {
	if r.Changed == nil {
		return ""
	}
	return r.Changed(keys)
}

// Part is a group of fields that is saved as one.
type Part struct {
	ID    string // of its form
	Label string
	Write client.Write
	// Of returns the values of the part where the resource has several alike, such as links; false
	// when it is gone. Nil: the resource has them itself.
	Of func(version.Values) (version.Values, bool)
	// Body reads all fields of the part from a form. Invalid ones stay in the body as they were typed.
	Body func(page.Form) (map[string]any, view.Errors)
	// Draw returns the form, filled with values.
	Draw func(values version.Values, state view.State) templ.Component
	// Print writes a value for people; nil writes its text.
	Print func(key string, value json.RawMessage) string
	// Question is asked instead of storing a form that was drawn before visitors saw the resource, as
	// one that is saved as it is edited; "" stores it.
	Question string
	// Names are the labels of all keys.
	Names map[string]string
	// Dependent are keys with a meaning only together; see version.Change.
	Dependent []string
	// Redraw reports whether the fields depend on the input, so that a script replaces the whole
	// form; nil for never.
	Redraw func(page.Form) bool
}

// Base returns the digests of the part's values that a form sends with them.
func (p Part) Base(values version.Values) string { return values.DigestOf(p.keys()...) }

func (p Part) keys() []string { return slices.Collect(maps.Keys(p.Names)) }

func (p Part) words(key string, value json.RawMessage) string {
	if p.Print != nil {
		return p.Print(key, value)
	}
	return version.Values{key: value}.Text(key)
}

// save is a request that stores a part.
type save struct {
	*page.Request
	resource Resource
	part     Part
	whole    version.Values // of the resource, as they are now
	tag      string         // of the resource
	change   version.Change
	undo     string         // earlier values to revert to, as JSON; "" for none
	redo     bool           // they are those before the change was undone
	body     map[string]any // the fields as the form has them
}

// Save stores a part with the fields of the form. It answers a script with the state of the form,
// and leads other people back to the page. The field "undo" reverts a change, and "redo" an
// undoing. After a conflict, "theirs" names the fields that shall stay as others have stored them,
// and "mine" has the digests of the values to overwrite and the value of "undo". The error is
// Forbidden for people who may not change the resource.
func Save(r *page.Request, resource Resource, part Part) error {
	s := &save{Request: r, resource: resource, part: part}
	s.change = version.Change{Keys: part.keys(), Dependent: part.Dependent, Seen: version.ParseSeen(r.Form.Get("base"))}
	overwritten, undo, _ := strings.Cut(r.Form.Get("mine"), " ")
	maps.Copy(s.change.Seen, version.ParseSeen(overwritten))
	s.undo, s.redo = cmp.Or(undo, r.Form.Get("undo"), r.Form.Get("redo")), r.Form.Get("redo") != ""
	if err := s.begin(); err != nil {
		return err
	}
	wrong := s.readForm()
	s.takeTheirs(wrong)
	s.change.Typed = version.ValuesOf(s.body)
	switch {
	case s.becamePublic() && s.Script:
		s.Header("HX-Refresh", "true") // the page fills in what was typed, and sends nothing
		return s.ShowPart()
	case s.becamePublic():
		return s.refuse(view.State{Failure: part.Question})
	case s.givesWay() && len(s.change.Writes()) == 0:
		return s.show()
	case len(wrong) > 0:
		return s.refuse(view.State{Base: r.Form.Get("base"), Errors: wrong})
	}
	return s.write()
}

// begin takes the version that the handler has read, or reads one.
func (s *save) begin() error {
	if s.resource.Stored == nil {
		return s.read()
	}
	return s.take(s.resource.Stored, s.resource.Tag)
}

// read reads the current version. The error is NotFound for a part that is gone.
func (s *save) read() error {
	answer, err := s.resource.Read()
	if err != nil {
		return err
	}
	var whole version.Values
	if err := answer.Read(&whole); err != nil {
		return err
	}
	return s.take(whole, answer.Tag)
}

// take makes a version the current one.
func (s *save) take(whole version.Values, tag string) error {
	s.whole, s.change.Stored, s.tag = whole, whole, tag
	if s.part.Of == nil {
		return nil
	}
	stored, found := s.part.Of(whole)
	if !found {
		return fault.New(fault.NotFound, "", "this has been deleted")
	}
	s.change.Stored = stored
	return nil
}

// readForm reads the fields to store: the form's, or the earlier ones to revert to.
func (s *save) readForm() (errors view.Errors) {
	s.body, errors = s.part.Body(s.Form)
	if s.undo == "" {
		return errors
	}
	var before map[string]any
	if json.Unmarshal([]byte(s.undo), &before) != nil {
		return view.Errors{"undo": s.Text.T("auto.undo_unreadable")}
	}
	for key := range before {
		if _, known := s.body[key]; !known {
			delete(before, key)
		}
	}
	s.body = before
	return nil
}

// becamePublic reports whether visitors see the resource since the form was drawn.
func (s *save) becamePublic() bool {
	return s.part.Question != "" && s.resource.Public(s.whole) && s.Form.Get(view.FieldPublic) == ""
}

// givesWay reports whether the person gives way to others in some fields.
func (s *save) givesWay() bool { return s.Form.Get("theirs") != "" }

// takeTheirs replaces these fields by the stored ones.
func (s *save) takeTheirs(errors view.Errors) {
	if !s.givesWay() {
		return
	}
	for _, key := range s.change.WithDependent(strings.Split(s.Form.Get("theirs"), ",")) {
		if _, known := s.body[key]; known {
			s.body[key] = s.change.Stored.Decoded(key)
			delete(errors, key)
		}
	}
}

// write stores the change, or shows the fields that others have changed, too.
func (s *save) write() error {
	var answer client.Answer
	err := version.Write(s.Text, func() (err error) {
		if len(s.change.Disputed()) > 0 {
			return version.ErrChanged
		}
		answer, err = s.part.Write(s.tag, s.change.Merged(s.body))
		return err
	}, s.read)
	switch {
	case errors.Is(err, version.ErrChanged):
		return s.refuse(s.conflict(s.change.Disputed()))
	case err != nil:
		return s.failed(err)
	}
	return s.saved(answer)
}

// conflict is the state of a form with fields that others have changed, too. Until the person has
// decided between the versions, each save of the form ends here.
func (s *save) conflict(disputed []string) view.State {
	mine := s.change.Overwritten(disputed).String() + " " + s.undo
	state := view.State{Base: s.change.Seen.String(), Mine: strings.TrimSpace(mine)}
	state.Conflict = partChange{Part: s.part, change: s.change}.differences(disputed)
	state.Changed = s.resource.changedBy(disputed)
	return state
}

// form returns the form around the state.
func (s *save) form(state view.State) view.AutoForm {
	return view.AutoForm{ID: s.part.ID, Action: s.Path, Label: s.part.Label, Names: s.part.Names, State: state}
}

// saved answers after a write.
func (s *save) saved(answer client.Answer) error {
	var after version.Values
	if err := answer.Read(&after); err != nil {
		return err
	}
	if !s.Script {
		return s.Go(s.resource.Page+"#"+s.part.ID, "saved")
	}
	now := s.change.Stored.With(after)
	state := view.State{Saved: true, Base: s.part.Base(now)}
	if s.resource.Public != nil && s.resource.Public(s.whole) {
		state.Position = answer.Position
	}
	if s.undo == "" || s.redo {
		state.Undo = s.undoing()
	} else {
		state.Redo = s.undoing()
	}
	var drawn []templ.Component
	if s.differs(now) || s.part.Redraw != nil && s.part.Redraw(s.Form) {
		drawn = append(drawn, s.replace(now, state))
	} else {
		drawn = append(drawn, view.AutoState(s.Text, s.form(state)))
	}
	if s.resource.Elsewhere != nil {
		drawn = append(drawn, s.resource.Elsewhere(s.Request, after)...)
	}
	return s.ShowPart(drawn...)
}

// differs reports whether the fields on the page differ from the stored ones: after a change was
// reverted or given up, and where others have changed a field.
func (s *save) differs(now version.Values) bool {
	if s.undo != "" || s.givesWay() {
		return true
	}
	mine := s.change.Mine()
	for key, typed := range s.change.Typed {
		if !slices.Contains(mine, key) && !version.Same(typed, now[key]) {
			return true
		}
	}
	return false
}

// undoing returns the former values of the fields that the write has changed, as JSON; "" when it
// changed none.
func (s *save) undoing() string {
	before := version.Values{}
	for _, key := range s.change.Writes() {
		before[key] = version.Canonical(s.change.Stored[key])
	}
	encoded, err := json.Marshal(before)
	if len(before) == 0 || err != nil {
		return ""
	}
	return string(encoded)
}

// replace has the script replace the whole form.
func (s *save) replace(values version.Values, state view.State) templ.Component {
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
	stored := s.change.Stored
	return s.ShowPart(s.replace(stored, view.State{Base: s.part.Base(stored), Settled: true}))
}

// refuse shows a state with the fields as they were typed, to people who may change them at all. A
// save that succeeds asks for no permission here: the admin service does.
func (s *save) refuse(state view.State) error {
	if err := s.Require(s.resource.Org, s.resource.Need); err != nil {
		return err
	}
	if s.Script && !s.givesWay() {
		return s.ShowPart(view.AutoState(s.Text, s.form(state)))
	}
	values := s.change.Stored.With(s.change.Typed)
	state.Base = s.change.Base(values)
	if s.Script {
		return s.ShowPart(s.replace(values, state))
	}
	s.Status(http.StatusUnprocessableEntity)
	return s.resource.Whole(s.Request, s.part.ID, s.part.Draw(values, state))
}

// failures are the messages for faults after which the form stays as it is.
var failures = map[fault.Kind]string{
	fault.Invalid: "auto.invalid", fault.Forbidden: "error.text.forbidden", fault.Conflict: "error.text.conflict",
	fault.TooLarge: "auto.too_large", fault.TooMany: "error.text.too_many_requests",
}

// failureOf returns the message for a fault after which the form stays as it is; false for others.
func failureOf(err error) (message string, known bool) {
	if fault.Of(err).StableCode() == view.CodeBusy {
		return "error.text.busy", true
	}
	message, known = failures[fault.Of(err).Kind]
	return message, known
}

// failed shows an error with the form if failures has its kind. Other errors are returned, and
// shown as an error page, or to a script as an alert.
func (s *save) failed(err error) error {
	f := fault.Of(err)
	message, known := failureOf(err)
	if !known {
		return err
	}
	state := view.State{Base: s.Form.Get("base"), Errors: view.ErrorsOf(err), Retry: retryAfter(f)}
	if len(state.Errors) == 0 {
		state.Failure, state.Reason = s.Text.T(message), f.Message
	}
	return s.refuse(state)
}

// fullWindow is the longest window of the admin service's limits, in seconds.
const fullWindow = 60

// retryAfter returns the seconds after which a form is sent again that was limited, or met the save
// of another person; 0 for other faults.
func retryAfter(f *fault.Fault) int {
	switch {
	case f.Kind != fault.TooMany && f.StableCode() != view.CodeBusy:
		return 0
	case f.RetryAfter <= 0:
		return fullWindow
	default:
		return int((f.RetryAfter + time.Second - 1) / time.Second)
	}
}
