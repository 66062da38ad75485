package adminapi

import "litfass/pkg/contracts/value"

// Image is an image of an event: "main", or "gallery_1" to "gallery_7". That of a series is "main".
type Image struct {
	UUID        string     `json:"uuid"`
	Identifier  string     `json:"identifier"`
	MimeType    string     `json:"mime_type"`
	Width       int        `json:"width"`
	Height      int        `json:"height"`
	AltText     value.Text `json:"alt_text"`
	Description value.Text `json:"description"`
	License     value.Text `json:"license"`
	CreatorName value.Text `json:"creator_name"`
	Copyright   value.Text `json:"copyright"`
	FocusX      *float64   `json:"focus_x"`
	FocusY      *float64   `json:"focus_y"`

	AIGenerated bool `json:"ai_generated"` // a model has made it
}

// ImageMeta describes the image in one place of an event or a series; in an empty place everything
// but the identifier is null.
type ImageMeta struct {
	UUID        value.Text `json:"uuid"`
	Identifier  string     `json:"identifier"`
	MimeType    value.Text `json:"mime_type"`
	Width       *int       `json:"width"`
	Height      *int       `json:"height"`
	AltText     value.Text `json:"alt_text"`
	Description value.Text `json:"description"`
	License     value.Text `json:"license"`
	CreatorName value.Text `json:"creator_name"`
	Copyright   value.Text `json:"copyright"`
	FocusX      *float64   `json:"focus_x"`
	FocusY      *float64   `json:"focus_y"`

	AIGenerated *bool `json:"ai_generated"`
}

// WrittenImage is the answer to storing or describing an image. ImageUUID repeats UUID for known
// clients.
type WrittenImage struct {
	Done
	ImageUUID    string     `json:"image_uuid"`
	ReplacedUUID value.Text `json:"replaced_image_uuid"` // of the image that was there before
	ImageMeta
}

// ImageOrder is the body that orders the images of an event: the uuids of all of them, that of the
// main image first.
type ImageOrder struct {
	Images []string `json:"images"`
}

// WrittenImageOrder is the answer to ordering the images of an event.
type WrittenImageOrder struct {
	Done
	PartOfEvent
	Images []Image `json:"images"` // in their order
	Warned
}

// DeletedImages is the answer to deleting images of an event.
type DeletedImages struct {
	Done
	EventUUID string `json:"event_uuid"`
}
