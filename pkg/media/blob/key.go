package blob

import "path"

// Images is the folder of the images of events, which have a folder each, named by their uuids.
// Another file is another image.
const Images = "event"

// ImageFolder returns the folder of an image, with its original and its variants.
func ImageFolder(uuid string) string { return path.Join(Images, uuid) }

// OriginalKey returns the key of an image's original.
func OriginalKey(uuid string) string { return path.Join(ImageFolder(uuid), "original") }

// VariantKey returns the key of a variant of an image, named by imaging.Variant.Key.
func VariantKey(uuid, variant string) string { return path.Join(ImageFolder(uuid), variant) }
