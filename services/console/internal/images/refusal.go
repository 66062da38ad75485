package images

import (
	"net/http"
	"slices"

	"litfass/pkg/chassis/fault"
)

// refusal is why a file is not taken, in words of the person's language.
type refusal struct {
	Message string // id of the message; "" for none
	Code    string // of the admin service; "" for none
	Reason  string // of the admin service, where it says more (see view.Words); "" for none
}

// Error returns the reason for logs.
func (r refusal) Error() string { return r.Message }

// messages are the messages for the codes of the admin service.
var messages = map[string]string{
	"image_too_large":       "images.refused.too_large",
	"image_too_many_pixels": "images.refused.too_many_pixels",
	"image_animated":        "images.refused.animated",
	"image_invalid":         "images.refused.broken",
	"no_blob_store":         "images.refused.no_store",
}

// taken are the types of files that the admin service reads.
var taken = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

// refusalOf returns the refusal that an error means for a file; another error as it is.
func refusalOf(err error, content []byte) error {
	f := fault.Of(err)
	message, known := messages[f.Code]
	switch {
	case f.Code == "image_invalid" && !slices.Contains(taken, http.DetectContentType(content)):
		message = "images.refused.wrong_type"
	case known:
	case f.Kind == fault.TooLarge:
		message = messages["image_too_large"]
	case f.Kind == fault.Invalid:
		message = "images.refused.other"
	default:
		return err
	}
	refused := refusal{Message: message, Code: f.Code}
	if f.Code == "image_too_many_pixels" || !known {
		refused.Reason = f.Message // it says more than the message does
	}
	return refused
}
