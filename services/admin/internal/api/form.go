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
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/web"
)

// maxParts is the maximum number of parts of a form.
const maxParts = 32

// form is a multipart body with at most one file.
type form struct {
	file   []byte // nil without a file
	values map[string]string
	bad    fault.Violations
}

// readForm reads a multipart body with an optional file of at most maxBytes in the field fileField,
// and texts in the fields names. The faults: UnsupportedType for another body, TooLarge for a
// longer file, Invalid for a malformed body. Violations for fields that are unknown or given twice
// stay in the form, so that an answer can also name invalid values.
func readForm(c *fiber.Ctx, fileField string, maxBytes int, names ...string) (form, error) {
	f := form{values: map[string]string{}}
	kind, parameters, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEMultipartForm {
		return f, fault.New(fault.UnsupportedType, "", "the body must be multipart/form-data")
	}
	body, err := web.ReadBody(c, maxBytes+formBytes)
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
	if len(f.file) > maxBytes {
		return f, fault.New(fault.TooLarge, "image_too_large", "the file has more than %d MiB", maxBytes>>20)
	}
	return f, nil
}

// add adds a part. Browsers send an unnamed, empty file when none was chosen.
func (f *form) add(part *multipart.Part, content []byte, fileField string, names []string) {
	name := part.FormName()
	_, given := f.values[name]
	switch {
	case name == fileField && part.FileName() == "" && len(content) == 0:
	case name == fileField && part.FileName() == "":
		f.bad.Add(name, reason.NoFile)
	case name == fileField && f.file != nil, given:
		f.bad.Add(name, reason.GivenTwice)
	case name == fileField:
		f.file = content
	case !slices.Contains(names, name):
		f.bad.Add(name, reason.UnknownField)
	default:
		f.values[name] = string(content)
	}
}

// mustHold returns an Invalid fault for a form without its file, or with unknown fields.
func (f *form) mustHold(fileField string) error {
	if f.file == nil && len(f.bad) == 0 {
		f.bad.Add(fileField, reason.Required)
	}
	return f.bad.Err("invalid_body", "the form is not what this operation reads")
}
