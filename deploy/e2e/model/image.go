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
		setParts(e.Fields, "images", append(images, t.uploaded(place)))
	})
}

// uploaded returns the image of the form with a file, whose uuid is not known.
func (t *trial) uploaded(place string) Object {
	image := made(blankImage, t.Body)
	image["uuid"], image["identifier"], image["mime_type"] = "", place, t.File.MimeType
	image["width"], image["height"] = float64(t.File.Width), float64(t.File.Height)
	return image
}

// putSeriesImage is putImage for a series, which has one image.
func (t *trial) putSeriesImage() {
	t.edit(Series, func(s *Entity) {
		image, _ := s.Fields["image"].(Object)
		if t.File != nil {
			dropTextsOfImages(s)
		}
		switch {
		case t.File == nil && image == nil:
			t.refuse(http.StatusNotFound, "there is no image to describe")
		case t.File == nil:
			assign(image, blankImage, t.Body)
		case image == nil:
			t.verdict.Status = http.StatusCreated
			s.Fields["image"] = t.uploaded("main")
		default:
			s.Fields["image"] = t.uploaded("main")
			s.Fields["image"].(Object)["uuid"] = notUUID + text(image, "uuid")
		}
	})
}

// notUUID begins what stands for an unknown uuid that is not the one that follows.
const notUUID = "not "

// learnImage takes over the uuid of a new image of a series.
func (e *Entity) learnImage(shown Object) {
	image, _ := e.Fields["image"].(Object)
	as, _ := shown["image"].(Object)
	former, replaces := strings.CutPrefix(text(image, "uuid"), notUUID)
	if image != nil && (replaces && former != text(as, "uuid") || text(image, "uuid") == "") {
		image["uuid"] = text(as, "uuid")
	}
}

func (t *trial) deleteSeriesImage() {
	t.edit(Series, func(s *Entity) {
		if s.Fields["image"] == nil {
			t.refuse(http.StatusNotFound, "the series has no image")
		}
		s.Fields["image"] = nil
		dropTextsOfImages(s)
	})
}

// dropTextsOfImages removes the translations of the texts of images.
func dropTextsOfImages(e *Entity) {
	textsOf("images", e.Fields, func(images Object) { clear(images) })
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
