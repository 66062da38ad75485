package adminapi

import (
	"cmp"

	"litfass/pkg/contracts/language"
)

// MaxLabels is the maximum number of labels of an event.
const MaxLabels = 20

// Label is a word that the operator gives to events.
type Label struct {
	ID    string            `json:"key"`   // names it in events and as a value of the parameter label
	Names map[string]string `json:"names"` // by language; in others it has its English one
}

// Name returns the name in a language.
func (l Label) Name(lang string) string { return cmp.Or(l.Names[lang], l.Names[language.Default]) }

// LabelNames is the body that adds or changes a label.
type LabelNames struct {
	Names map[string]string `json:"names"`
}

// LabelsPart is the part written by PUT /event/{uuid}/labels.
type LabelsPart struct {
	Labels []string `json:"labels"` // keys
}

// WrittenLabel is the answer to adding or changing a label.
type WrittenLabel struct {
	Done
	Label
}

// DeletedLabel is the answer to deleting a label.
type DeletedLabel struct {
	Done
	ID     string `json:"key"`
	Events int    `json:"events"` // that it was taken off
}

// WrittenLabels is the answer to changing the labels of an event.
type WrittenLabels struct {
	Done
	PartOfEvent
	LabelsPart
}

// Labels are all labels, by key.
type Labels struct {
	Labels []LabelRow `json:"labels"`
}

// LabelRow is a label in the list.
type LabelRow struct {
	Label
	Events int `json:"events"` // that have it, drafts included
}
