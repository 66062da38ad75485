package moderation

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// newLabel names the form of a new label.
const newLabel = "new"

// typedLabel is a label as it was typed, with the errors of its form.
type typedLabel struct {
	again
	label adminapi.Label
}

// shownLabel returns a label as its form shows it: as it was typed, if that was refused.
func shownLabel(stored adminapi.Label, typed typedLabel) typedLabel {
	if typed.of != "" && typed.of == cmp.Or(stored.ID, newLabel) {
		return typed
	}
	return typedLabel{label: stored}
}

func showLabels(r *page.Request) error { return listLabels(r, typedLabel{}) }

func listLabels(r *page.Request, typed typedLabel) error {
	all, err := r.Admin().Labels()
	if err != nil {
		return err
	}
	return Show(r, tabLabels, labels(r, all.Labels, typed))
}

// saveLabel adds the label of the form, or changes its names.
func saveLabel(r *page.Request) error {
	typed := typedLabel{label: adminapi.Label{ID: r.Form.Text("key"), Names: map[string]string{}}}
	for _, code := range language.Codes {
		typed.label.Names[code] = r.Form.Text(code)
	}
	of := typed.label.ID
	if r.Form.Get("new") != "" {
		of = newLabel
	}
	if typed.label.ID == "" { // no address names it
		typed.again = again{of: of, errors: view.Errors{"key": r.Text.T("moderation.label.no_key")}}
	} else if err := r.Admin().WriteLabel(typed.label.ID, adminapi.LabelNames{Names: typed.label.Names}); err == nil {
		return r.Go(root+"/"+tabLabels, "saved")
	} else if typed.again, err = refused(of, "", err); err != nil {
		return err
	}
	r.Status(http.StatusUnprocessableEntity)
	return listLabels(r, typed)
}

// askDeleteLabel asks for the password, and shows how many events have the label.
func askDeleteLabel(r *page.Request) error { return labelDeletion(r, nil) }

func labelDeletion(r *page.Request, errors view.Errors) error {
	all, err := r.Admin().Labels()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all.Labels, func(l adminapi.LabelRow) bool { return l.ID == r.Param("label") })
	if at < 0 {
		return fault.New(fault.NotFound, "", "there is no such label")
	}
	return r.Show(view.Page{
		Title: r.Text.T("moderation.label.delete"), Section: view.SectionAdministration,
		Content: deletionOfLabel(r, all.Labels[at], errors),
	})
}

func deleteLabel(r *page.Request) error {
	errors, err := r.DeleteConfirmed(r.Admin().DeleteLabel(r.Param("label")))
	if err != nil {
		return err
	}
	if len(errors) > 0 {
		r.Status(http.StatusUnprocessableEntity)
		return labelDeletion(r, errors)
	}
	return r.Go(root+"/"+tabLabels, "label_deleted")
}

// pathOfLabel returns the address of the deletion of a label.
func pathOfLabel(key string) string {
	return root + "/" + tabLabels + "/" + url.PathEscape(key) + "/delete"
}
