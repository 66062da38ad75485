package model

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// identifier returns how the image at an index is named: the first is the main one.
func identifier(index string) string {
	n, _ := strconv.Atoi(index)
	if n == 1 {
		return "main"
	}
	return "gallery_" + strconv.Itoa(n-1)
}

// putImage judges a form that has a file, or says something of the image that is there: with a file
// nothing of the old image stays.
func (t *trial) putImage() {
	place := identifier(t.Part)
	if strings.HasSuffix(t.Do, "/teaser/image") {
		place = "main"
	}
	t.edit(Event, func(e *Entity) {
		images := Parts(e.Fields, "images")
		at := slices.IndexFunc(images, func(m Object) bool { return m["identifier"] == place })
		switch {
		case t.File == nil && at < 0:
			t.refuse(http.StatusNotFound, "there is no image to describe")
			return
		case t.File == nil:
			assign(images[at], blankImage, t.Body)
			return
		case at >= 0:
			images = slices.Delete(images, at, at+1)
		default:
			t.verdict.Status = http.StatusCreated
		}
		image := made(blankImage, t.Body)
		image["uuid"], image["identifier"], image["mime_type"] = "", place, t.File.MimeType
		image["width"], image["height"] = float64(t.File.Width), float64(t.File.Height)
		setParts(e.Fields, "images", append(images, image))
	})
}

// deleteImages judges the deletion of one image, or of all of them.
func (t *trial) deleteImages() {
	index, one := strings.CutPrefix(t.Query, "index=")
	t.edit(Event, func(e *Entity) {
		images := Parts(e.Fields, "images")
		left := slices.DeleteFunc(slices.Clone(images), func(m Object) bool {
			return !one || m["identifier"] == identifier(index)
		})
		if len(left) == len(images) {
			t.refuse(http.StatusNotFound, "there is no such image")
		}
		setParts(e.Fields, "images", left)
	})
}
