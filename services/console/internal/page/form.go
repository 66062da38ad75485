package page

import (
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
)

// Form has the fields and files of a form.
type Form struct {
	url.Values

	files map[string]*multipart.FileHeader
}

// File is a file that a form has sent.
type File struct {
	Name    string // as the person's system has it; never a path here
	Type    string // as the browser says, which proves nothing
	Content []byte
}

var errForm = fault.New(fault.UnsupportedType, "", "this is not a form")

// readForm reads the form of a request. Line ends are "\n". The error is UnsupportedType for
// anything but a form, and Invalid for text that is not UTF-8.
func readForm(c *fiber.Ctx) (Form, error) {
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil && len(c.Request().Body()) > 0 {
		return Form{}, errForm
	}
	form := Form{Values: url.Values{}}
	switch kind {
	case fiber.MIMEMultipartForm:
		sent, err := c.MultipartForm()
		if err != nil {
			return Form{}, errForm
		}
		form.Values, form.files = sent.Value, firstOf(sent.File)
	case fiber.MIMEApplicationForm:
		if form.Values, err = url.ParseQuery(string(c.Request().Body())); err != nil {
			return Form{}, errForm
		}
	case "":
	default:
		return Form{}, errForm
	}
	return form, form.normalize()
}

func firstOf(files map[string][]*multipart.FileHeader) map[string]*multipart.FileHeader {
	first := map[string]*multipart.FileHeader{}
	for name, all := range files {
		if len(all) > 0 && all[0].Filename != "" { // a field without a chosen file has no name
			first[name] = all[0]
		}
	}
	return first
}

// normalize writes line ends as services store them.
func (f Form) normalize() error {
	var bad fault.Violations
	for name, values := range f.Values {
		for i, value := range values {
			if !utf8.ValidString(name) || !utf8.ValidString(value) {
				bad.Add(strings.ToValidUTF8(name, "?"), reason.NotUTF8)
			}
			values[i] = strings.ReplaceAll(value, "\r\n", "\n")
		}
	}
	return bad.Err("", "the form cannot be read")
}

// Text returns a field without the space around it; "" when it is missing.
func (f Form) Text(name string) string { return strings.TrimSpace(f.Get(name)) }

// TextOrNil returns a field as a service takes it: nil clears the stored value.
func (f Form) TextOrNil(name string) any {
	if text := f.Text(name); text != "" {
		return text
	}
	return nil
}

// Link returns the address of a web page, with a scheme where none was typed, and whether browsers
// may be led to it. A missing one is "" and valid.
func (f Form) Link(name string) (link string, valid bool) {
	link = f.Text(name)
	if link == "" {
		return "", true
	}
	if !strings.Contains(link, "://") && strings.Contains(link, ".") {
		link = "https://" + link
	}
	address, err := url.Parse(link)
	valid = err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Host != "" &&
		address.User == nil && !strings.ContainsAny(link, " \n\t") && utf8.RuneCountInString(link) <= adminapi.MaxURL
	return link, valid
}

// File returns a file; nil when none was chosen.
func (f Form) File(name string) (*File, error) {
	header := f.files[name]
	if header == nil {
		return nil, nil //nolint:nilnil // no file is no error
	}
	opened, err := header.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }()
	content, err := io.ReadAll(opened)
	return &File{Name: header.Filename, Type: header.Header.Get(fiber.HeaderContentType), Content: content}, err
}
