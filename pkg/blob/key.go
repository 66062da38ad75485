package blob

import "path"

// Images is the folder of the images of events.
const Images = "event"

// OriginalKey returns the key of an image's original, below a folder for each image. id is that of
// the upload: another file of the same image needs another one.
func OriginalKey(folder, id string) string { return path.Join(folder, id, "original") }

// VariantKey returns the key of a variant of an image, named by picture.Variant.Key.
func VariantKey(folder, id, variant string) string { return path.Join(folder, id, variant) }
