package series

import (
	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/images"
	"litfass/services/console/internal/page"
)

// picture is the page with the image of a series. It is not that of the form: what is saved here
// would make the form outdated.
type picture struct{ form }

// pictures are the images of series.
var pictures = images.Kind{
	Path: "/organization/:organization/" + section + "/:series", Section: "/pictures", Max: 1,
	Read: func(r *page.Request) (images.Subject, error) {
		p, err := readPicture(r)
		if err != nil {
			return images.Subject{}, err
		}
		return p.subject(), nil
	},
	File: func(r *page.Request, _ int) (client.Image, error) {
		uuid, err := r.UUID("series")
		return r.Admin().SeriesImage(uuid), err
	},
	Whole: func(r *page.Request, drawn templ.Component) error {
		p, err := readPicture(r)
		if err != nil {
			return err
		}
		return p.showWith(drawn)
	},
}

func readPicture(r *page.Request) (p picture, err error) {
	p.form, err = read(r)
	return p, err
}

func (p picture) subject() images.Subject {
	subject := images.Subject{
		Title: p.Text.T("series.picture"), Page: p.path(), Org: p.series.OrgUUID, Tag: p.tag, Max: 1,
		Need: permission.EditOrganization, Edits: true, Public: p.series.Public,
		Image: func(int) client.Image { return p.Admin().SeriesImage(p.series.UUID) },
	}
	if p.series.Image != nil {
		subject.Images = []adminapi.Image{*p.series.Image}
	}
	return subject
}

func (p picture) show() error { return p.showWith(images.Draw(p.Request, p.subject())) }

func (p picture) showWith(drawn templ.Component) error {
	return p.owner.Show(p.Text.T("series.picture")+" · "+p.series.Title, picturePage(p, drawn))
}

// problem is the message about the picture that the page of the series shows; "" for none.
func (f form) problem() string {
	switch {
	case f.series.Image == nil:
		return "series.picture.none"
	case f.series.Image.AltText == "":
		return "images.no_alt_text"
	default:
		return ""
	}
}

// pictureSource is the address of the picture on the page of the series.
func (f form) pictureSource() string {
	return images.Source(f.path(), *f.series.Image, "16:9", 480)
}
