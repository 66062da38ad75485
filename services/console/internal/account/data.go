package account

import (
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// showData is the page of the memberships and of all that is stored about the person.
func showData(r *page.Request) error {
	return r.Show(view.Page{Title: r.Text.T("data"), Section: view.SectionAccount, Content: data(r)})
}

// export sends everything that is stored about the person, as a file.
func export(r *page.Request) error {
	file, err := r.Admin().Export()
	if err != nil {
		return err
	}
	return r.SendFile(file, "application/json", "litfass-export.json")
}

// lastOwner reports whether a write was refused because an organization would lose its last owner.
func lastOwner(err error) bool { return err != nil && fault.Of(err).StableCode() == "last_owner" }

// orphan is an organization that would lose its last owner.
type orphan struct{ uuid, name string }

func askDelete(r *page.Request, a attempt) error { return showDelete(r, a, nil) }

func showDelete(r *page.Request, a attempt, orphans []orphan) error {
	return r.Status(a.status()).Show(view.Page{
		Title: r.Text.T("delete_account"), Section: view.SectionAccount, Content: deleting(r.Text, a, orphans),
	})
}

// deleteOwn deletes the account. Organizations that would lose their last owner are named, with the
// ways out.
func deleteOwn(r *page.Request) error {
	password := r.Form.Get("password")
	if errors := missing(r, "password", password); len(errors) > 0 {
		return askDelete(r, attempt{form: "delete", given: r.Form, errors: errors})
	}
	err := r.Admin().DeleteAccount()(password)
	if lastOwner(err) {
		return showDelete(r, attempt{form: "delete", given: r.Form}, orphansOf(r, err))
	}
	if err != nil {
		return answer(r, "delete", err, "", "", askDelete)
	}
	r.LogOut()
	return r.Go(page.Root+"/login", "account_deleted")
}

// orphansOf returns the organizations that a refusal names by their uuids.
func orphansOf(r *page.Request, err error) (list []orphan) {
	names := map[string]string{}
	for _, m := range r.Memberships() {
		names[m.OrgUUID] = m.OrgName
	}
	for _, violation := range fault.Of(err).Violations {
		uuid := strings.ToLower(violation.Field)
		if name := names[uuid]; name != "" {
			list = append(list, orphan{uuid, name})
		}
	}
	return list
}
