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

const codeInvalid = "image_invalid"

// codes are those of the admin service that say everything.
var codes = []string{"image_too_large", "image_too_many_pixels", "image_progressive", "image_animated", "image_heic", codeInvalid, "no_blob_store"}

// taken are the types of files that the admin service reads.
var taken = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

// refusalOf returns the refusal that an error means for a file; another error as it is.
func refusalOf(err error, content []byte) error {
	f := fault.Of(err)
	message := "refusal." + f.Code
	switch {
	case f.Code == codeInvalid && !slices.Contains(taken, http.DetectContentType(content)):
		message = "images.refused.wrong_type"
	case slices.Contains(codes, f.Code):
	case f.Kind == fault.TooLarge:
		return refusal{Message: "refusal.image_too_large", Code: f.Code, Reason: f.Message}
	case f.Kind == fault.Invalid:
		return refusal{Message: "images.refused.other", Code: f.Code, Reason: f.Message}
	default:
		return err
	}
	return refusal{Message: message, Code: f.Code}
}
