package event

import (
	"net/http"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// readLabels reads which labels an operator may give the event. Without them the page shows those
// that the event has, as it does to organizers.
func (s *sheet) readLabels() {
	if !s.Administrator() {
		return
	}
	all, err := s.Admin().Labels()
	if err != nil {
		return
	}
	s.mayLabel = true
	for _, label := range all.Labels {
		s.labels = append(s.labels, label.Label)
	}
}

// labelOptions are the labels to tick.
func (s *sheet) labelOptions() []view.Option {
	given := map[string]bool{}
	for _, key := range s.event.Labels {
		given[key] = true
	}
	options := make([]view.Option, len(s.labels))
	for i, label := range s.labels {
		options[i] = view.Option{Value: label.ID, Label: label.Name(s.Text.Code), Chosen: given[label.ID]}
	}
	return options
}

// saveLabels replaces the labels of the event, which takes a platform administrator.
func saveLabels(r *page.Request) error {
	s, err := read(r)
	if err != nil {
		return err
	}
	keys := append([]string{}, r.Form.Values["labels"]...)
	if err := r.Admin().LabelEvent(s.event.UUID, adminapi.LabelsPart{Labels: keys}); err != nil {
		if !view.Refusable(err) {
			return err
		}
		r.Status(http.StatusUnprocessableEntity) // a label was deleted meanwhile
		return s.show()
	}
	return r.Go(s.address(), "saved")
}
