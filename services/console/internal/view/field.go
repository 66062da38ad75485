package view

import (
	"slices"
	"strings"

	"litfass/pkg/chassis/fault"
)

// Field is a field of a form with its label.
type Field struct {
	ID    string // of the element; "" is the name
	Name  string
	Label string
	Value string
	Hint  string // "" for none
	Error string // "" for none

	Type         string // of an input; "" is "text"
	Autocomplete string // "" for none
	Inputmode    string // "" for that of the type
	Required     bool
	Max          int // characters; 0 for no limit
	Rows         int // of a text area
	Disabled     bool
	List         string // the id of a datalist that completes it; "" for none
	Placeholder  string // "" for none
	// Alone is the label of the first field of a range while styles hide the last; "" for no range.
	Alone string
	// Content means that people write it in any language; it is then shown in its own direction.
	Content bool
}

// id returns the id of the element.
func (f Field) id() string {
	if f.ID != "" {
		return f.ID
	}
	return f.Name
}

// describedBy returns the ids of the elements that describe the field: its hint, and the state of
// its form that a script may fill in later.
func (f Field) describedBy() string {
	var ids []string
	if f.Hint != "" {
		ids = append(ids, f.id()+"-hint")
	}
	return strings.Join(append(ids, f.id()+"-error"), " ")
}

func (f Field) kind() string {
	if f.Type == "" {
		return "text"
	}
	return f.Type
}

func (f Field) dir() string {
	if f.Content {
		return "auto"
	}
	return ""
}

// Option is a choice of a field.
type Option struct {
	Value, Label string
	Hint         string // a sentence about it; "" for none
	Chosen       bool
	Disabled     bool
}

// Errors are the errors of the fields of a form, by their names.
type Errors map[string]string

// ErrorsOf returns the errors of an Invalid or Conflict fault by field; nil for another error.
// Fields of lists, such as "tags[0]", count for the list.
func ErrorsOf(err error) Errors {
	if !fault.Is(err, fault.Invalid) && !fault.Is(err, fault.Conflict) {
		return nil
	}
	errors := Errors{}
	for _, violation := range fault.Of(err).Violations {
		name, _, _ := strings.Cut(violation.Field, "[")
		if errors[name] == "" {
			errors[name] = violation.Reason
		}
	}
	return errors
}

// Refusable reports whether the form can show err next to its input: Invalid, Conflict, Stale,
// TooMany or one of also.
func Refusable(err error, also ...fault.Kind) bool {
	kinds := []fault.Kind{fault.Invalid, fault.Conflict, fault.Stale, fault.TooMany}
	return slices.ContainsFunc(append(kinds, also...), func(kind fault.Kind) bool { return fault.Is(err, kind) })
}

// Reasons returns the errors of the admin service by the fields of a form: under "" the error said
// of no field.
func Reasons(err error) Errors {
	errors := ErrorsOf(err)
	if len(errors) == 0 {
		return Errors{"": fault.Of(err).Message}
	}
	return errors
}
