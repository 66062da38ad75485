package api

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"slices"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
)

// maxParts is how many parts a form may have.
const maxParts = 32

// form is a multipart body with at most one file.
type form struct {
	file   []byte // nil without a file
	values map[string]string
	bad    fault.Violations
}

// readForm reads a multipart body with a file of at most most bytes in the field fileField, which
// may be absent, and texts in the fields named. The faults: UnsupportedType for another body,
// TooLarge for a file of more bytes, Invalid for a body that is broken off. Fields that are unknown
// or given twice stay in the form, so that an answer can name bad values beside them.
func readForm(c *fiber.Ctx, fileField string, most int, names ...string) (form, error) {
	f := form{values: map[string]string{}}
	kind, parameters, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEMultipartForm {
		return f, fault.New(fault.UnsupportedType, "", "the body must be multipart/form-data")
	}
	body, err := web.ReadBody(c, most+formBytes)
	if err != nil {
		return f, err
	}
	parts := multipart.NewReader(bytes.NewReader(body), parameters["boundary"])
	for count := 0; ; count++ {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && (count == maxParts || part.FormName() == "") {
			err = errors.New("too many parts, or one without a name")
		}
		var content []byte
		if err == nil {
			content, err = io.ReadAll(part)
		}
		if err != nil {
			return f, fault.Wrap(err, fault.Invalid, "invalid_body", "the body is no form that could be read")
		}
		f.add(part, content, fileField, names)
	}
	if len(f.file) > most {
		return f, fault.New(fault.TooLarge, "image_too_large", "the file has more than %d MiB", most>>20)
	}
	return f, nil
}

// add takes in a part. A file without a name and content is what a browser sends when none was
// chosen.
func (f *form) add(part *multipart.Part, content []byte, fileField string, names []string) {
	name := part.FormName()
	_, given := f.values[name]
	switch {
	case name == fileField && part.FileName() == "" && len(content) == 0:
	case name == fileField && part.FileName() == "":
		f.bad.Add(name, "is not a file")
	case name == fileField && f.file != nil, given:
		f.bad.Add(name, "is given twice")
	case name == fileField:
		f.file = content
	case !slices.Contains(names, name):
		f.bad.Add(name, "is not a field of this form")
	default:
		f.values[name] = string(content)
	}
}

// mustHold returns an Invalid fault for a form without its file, or with what it does not have.
func (f *form) mustHold(fileField string) error {
	if f.file == nil && len(f.bad) == 0 {
		f.bad.Add(fileField, "is missing")
	}
	return f.bad.Err("invalid_body", "the form is not what this operation reads")
}
