package owner

import (
	"net/http"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// Overview is a page of the items of an owner, such as its portals, with a form for a new one.
type Overview struct {
	Items []Item
	Page  adminapi.Page

	kind        Kind
	t           *text.Texts
	owner       Owner
	title, slug string // of one that was refused
	errors      view.Errors
}

// Kind is a kind of items, with the operations of its overview.
type Kind struct {
	Section string // the name of the page
	Words   string // what the keys of its texts begin with
	Title   string // the field with the title of an item: "name" or "title"
	// Read returns a page of the items of an owner: of organization "", all.
	Read func(r *page.Request, o Owner) (Overview, error)
	// Add makes an item of fields, and returns its uuid.
	Add func(r *page.Request, fields map[string]any) (uuid string, err error)
}

// Item is one among others.
type Item struct {
	UUID    string
	Title   string
	Address string // on the site; "" for one that is not public
	Note    string // shown quietly; "" for none
	Waiting string // shown loudly; "" for none
	Row     Row
}

// Show answers with the items of an owner.
func (k Kind) Show(r *page.Request) error { return k.show(r, Overview{}) }

func (k Kind) show(r *page.Request, refused Overview) error {
	of, err := Of(r, k.Section)
	if err != nil {
		return err
	}
	o, err := k.Read(r, of)
	if err != nil {
		return err
	}
	o.kind, o.t, o.owner, o.title, o.slug, o.errors = k, r.Text, of, refused.title, refused.slug, refused.errors
	return of.Show("", overviewPage(o))
}

// Create adds the item of the form, and goes on to its page.
func (k Kind) Create(r *page.Request) error {
	of, err := Of(r, k.Section)
	if err != nil {
		return err
	}
	o := Overview{title: r.Form.Text(k.Title), slug: r.Form.Text("slug")}
	fields := map[string]any{k.Title: o.title, "slug": o.slug}
	if of.UUID != "" {
		fields["org_uuid"] = of.UUID
	}
	uuid, err := k.Add(r, fields)
	if err == nil {
		return r.Go(of.Path(uuid), "saved")
	}
	if !view.Refusable(err, fault.Conflict) {
		return err
	}
	o.errors = view.Reasons(err)
	r.Status(http.StatusUnprocessableEntity)
	return k.show(r, o)
}

// text returns a text of the kind.
func (o Overview) text(key string) string { return o.t.T(o.kind.Words + "." + key) }
