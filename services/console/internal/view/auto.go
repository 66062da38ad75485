package view

import (
	"bytes"
	"context"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// AutoForm is a form whose fields are saved when they are left; without scripts its button saves
// them.
type AutoForm struct {
	ID     string // of the form: where the checklist and errors lead
	Action string
	Label  string            // of the saved fields, for screen readers
	Names  map[string]string // labels of its fields, for their errors
	State  State
	// Locked means that the person may not change it: there is no button, and its fields are
	// disabled.
	Locked bool
	// Public means that visitors see what the form saves: it is saved by its button only.
	Public bool
	// Button means that its fields say something only together: it is saved by its button only.
	Button bool
	// Bare means that it has no field to fill in, only the state of other forms: there is no button.
	Bare bool
}

// FieldPublic is sent by forms that were drawn when visitors saw what they save.
const FieldPublic = "public"

func (f AutoForm) buttonOnly() bool { return f.Public || f.Button }

// trigger are the events that save the form.
func (f AutoForm) trigger() string {
	if f.buttonOnly() {
		return "submit"
	}
	return "change, submit"
}

// keys are those of its fields, for a script.
func (f AutoForm) keys() string { return strings.Join(slices.Sorted(maps.Keys(f.Names)), " ") }

// Value is a stored value with the label of its field.
type Value struct{ Label, Text string }

// field matches the beginnings of elements that belong to a form. Texts of people are escaped, so
// that they have none.
var field = regexp.MustCompile(`<(input|select|textarea|button) `)

// inForm draws its children as elements of the form with an id, which need not be around them.
func inForm(form string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var drawn bytes.Buffer
		if err := templ.GetChildren(ctx).Render(templ.ClearChildren(ctx), &drawn); err != nil {
			return err
		}
		_, err := w.Write(field.ReplaceAll(drawn.Bytes(), []byte(`<$1 form="`+templ.EscapeString(form)+`" `)))
		return err
	})
}

// State is how the saving of a form went.
type State struct {
	Base     string // digests of the values that the fields were filled with
	Saved    bool
	Settled  bool         // the fields show the stored values, and the browser may drop its copy
	Position uint64       // of the write; 0 when it is not public, or not known
	Undo     string       // the former values, as JSON; "" when there is nothing to undo
	Redo     string       // the values before a change was undone, as JSON; "" for none
	Changed  string       // who has saved the fields in Conflict, and when; "" when it is not known
	Errors   Errors       // by field
	Conflict []Difference // fields that another person has saved in between
	Mine     string       // sent by the form to overwrite them
	Failure  string       // why it could not be saved; "" for none
	Retry    int          // seconds after which a script sends the form again; 0 for never
	Reason   string       // the same in the words of the service; "" for none
	// Elsewhere means that the form is not the one that was saved, and replaces the page's.
	Elsewhere bool
}

// Difference is a field that two people have changed.
type Difference struct {
	Key          string // in the admin API
	Label        string
	Mine, Theirs string
}

// disputed are the fields that two people have changed, in the field "theirs" of the form.
func (s State) disputed() string {
	keys := make([]string, len(s.Conflict))
	for i, d := range s.Conflict {
		keys[i] = d.Key
	}
	return strings.Join(keys, ",")
}

// seenAddress is asked until visitors see a write.
func seenAddress(position uint64) string {
	return "/console/seen?position=" + strconv.FormatUint(position, 10)
}

// name returns the label of a field, its name when it has none.
func (f AutoForm) name(field string) string {
	if label := f.Names[field]; label != "" {
		return label
	}
	return field
}
