package generate

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strconv"

	"litfass/deploy/e2e/model"
)

const (
	describeImage         = "POST /event/:eventId/image/:imageIndex"
	describeImageOfSeries = "POST /series/:seriesId/image"
)

// picture returns a small image: opaque, or partly transparent and therefore stored as a PNG.
func (q *Requests) picture() *model.Picture {
	size := image.Rect(0, 0, q.between(2, 60), q.between(2, 60))
	p := &model.Picture{MimeType: "image/jpeg", Width: size.Dx(), Height: size.Dy()}
	drawn := image.NewNRGBA(size)
	for i := range drawn.Pix {
		drawn.Pix[i] = byte(i * 7)
		if i%4 == 3 {
			drawn.Pix[i] = 255
		}
	}
	var file bytes.Buffer
	var err error
	if q.chance(30) {
		p.MimeType = "image/png"
		drawn.Set(0, 0, color.NRGBA{200, 0, 0, 100})
		err = png.Encode(&file, drawn)
	} else {
		err = jpeg.Encode(&file, drawn, nil)
	}
	if err != nil {
		panic(err)
	}
	p.Content = file.Bytes()
	return p
}

// imageFields are the fields that describe an image.
func (q *Requests) imageFields() model.Object {
	fields := model.Object{
		"alt_text": q.text(), "description": q.text(), "license": pick(q.random, []string{"cc-by", "cc0"}),
		"creator_name": q.words(2), "copyright": "", "focus_x": float64(q.IntN(101)) / 100, "focus_y": 0.25,
		"ai_generated": q.chance(30),
	}
	return q.groups(fields, []string{"alt_text"}, []string{"description", "license"}, []string{"creator_name", "copyright"},
		[]string{"focus_x", "focus_y"}, []string{"focus_x"}, []string{"ai_generated"})
}

func (q *Requests) newImage(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Event, describeImage)
	r.Part, r.File, r.Body = strconv.Itoa(q.between(1, 4)), q.picture(), q.imageFields()
	if q.chance(25) {
		r.Do, r.Part = "POST /event/:eventId/teaser/image", ""
	}
	return r, e != nil
}

func (q *Requests) describedImage(who *model.Person) (model.Request, bool) {
	r, e := q.aboutOneWith(who, describeImage, "images")
	if e == nil {
		return r, false
	}
	r.Part, r.Body = q.index(e), q.imageFields()
	return r, true
}

// index returns the place of an image of an event, now and then any place.
func (q *Requests) index(e *model.Entity) string {
	places := map[any]string{"main": "1", "gallery_1": "2", "gallery_2": "3", "gallery_3": "4"}
	if q.chance(10) {
		return strconv.Itoa(q.between(1, 8))
	}
	return places[pick(q.random, model.Parts(e.Fields, "images"))["identifier"]]
}

func (q *Requests) deletedImages(who *model.Person) (model.Request, bool) {
	r, e := q.aboutOneWith(who, "DELETE /event/:eventId/image", "images")
	if e != nil && q.chance(60) {
		r.Query = "index=" + q.index(e)
	}
	return r, e != nil
}

// ImageOf returns a request that gives a series an image.
func (q *Requests) ImageOf(who *model.Person, series *model.Entity) model.Request {
	return model.Request{Who: who, Do: describeImageOfSeries, ID: series.UUID(), File: q.picture(), Body: q.imageFields()}
}

func (q *Requests) newImageOfSeries(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Series, describeImageOfSeries)
	r.File, r.Body = q.picture(), q.imageFields()
	return r, e != nil
}

func (q *Requests) describedImageOfSeries(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Series, describeImageOfSeries)
	r.Body = q.imageFields()
	return r, e != nil
}

func (q *Requests) deletedImageOfSeries(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Series, "DELETE /series/:seriesId/image")
	return r, e != nil
}
