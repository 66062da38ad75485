package generate

import (
	"fmt"

	"litfass/deploy/e2e/model"
	"litfass/deploy/e2e/reference"
)

// seriesFields returns the fields of a series, with some of the parts that it has and further ones.
// Its image is nil for a new one.
func (q *Requests) seriesFields(stored []model.Object, image any) model.Object {
	fields := model.Object{
		"slug": fmt.Sprintf("series-%d", q.IntN(1_000_000)), "title": q.orgName(), "subtitle": q.text(), "description": q.text(),
		"web_link": q.address(), "public": q.chance(80), "start_date": nil, "end_date": nil,
	}
	fields["text_language"], fields["texts"] = q.seriesTexts(image)
	if q.chance(40) {
		first := q.day()
		fields["start_date"], fields["end_date"] = first, shifted(first, q.between(-1, 9))
	}
	if all := q.world.Of(model.Series, ""); len(all) > 0 && q.chance(5) {
		fields["slug"] = pick(q.random, all).Fields["slug"]
	}
	parts := []any{}
	for _, part := range sample(q.random, stored, q.between(0, len(stored))) {
		part = model.Plain(part).(model.Object)
		if q.chance(30) {
			part["description"] = q.text()
		}
		if q.chance(30) { // the service knows it by its kind and title
			delete(part, "uuid")
		}
		parts = append(parts, part)
	}
	for range q.IntN(3) {
		part := object(q.part())
		delete(part, "uuid")
		parts = append(parts, part)
	}
	fields["parts"] = parts
	return fields
}

// seriesTexts returns a language of the original, and an edit of translations: some texts, or all
// of a language, are cleared. Now and then a text is of an image that the series does not have.
func (q *Requests) seriesTexts(image any) (original any, texts model.Object) {
	drawn := &reference.Series{}
	if stored, _ := image.(model.Object); stored != nil {
		uuid, _ := stored["uuid"].(string)
		drawn.Image = &reference.Image{UUID: uuid}
	} else if q.chance(3) {
		drawn.Image = &reference.Image{UUID: q.uuid()}
	}
	q.translateSeries(drawn)
	fields := object(drawn)
	texts = fields["texts"].(model.Object)
	for _, language := range textLanguages {
		switch text, _ := texts[language].(model.Object); {
		case text == nil && q.chance(20):
			texts[language] = nil
		case text != nil && q.chance(20):
			text[pick(q.random, []string{"title", "subtitle", "description", "images"})] = nil
		}
	}
	return fields["text_language"], texts
}

func (q *Requests) newSeries(who *model.Person) (model.Request, bool) {
	body := q.seriesFields(nil, nil)
	body["org_uuid"] = q.home(who)
	return model.Request{Do: "PUT /series", Body: body}, true
}

func (q *Requests) changedSeries(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Series, "PUT /series/:seriesId")
	if e == nil {
		return r, false
	}
	r.Body = q.groups(q.seriesFields(model.Parts(e.Fields, "parts"), e.Fields["image"]), []string{"slug"}, []string{"title", "subtitle"},
		[]string{"description", "web_link"}, []string{"start_date", "end_date"}, []string{"public"}, []string{"parts"}, []string{"parts"},
		[]string{"texts"}, []string{"text_language", "texts"})
	if public, given := r.Body["public"]; given && public == nil {
		r.Body["public"] = false
	}
	if q.chance(15) {
		r.Body["org_uuid"] = q.home(who)
	}
	return r, true
}

func (q *Requests) deletedSeries(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Series, "DELETE /series/:seriesId")
	return q.confirmed(r, who), e != nil
}

// decidedSeries accepts or refuses an event that names a series, mostly one of the person's own;
// now and then it is any event.
func (q *Requests) decidedSeries(who *model.Person) (r model.Request, drawn bool) {
	r.Do = "PUT /series/:seriesId/event/:eventOfSeries"
	r.Body = model.Object{"accepted": q.chance(70)}
	for range 40 {
		e := q.target(who, model.Event)
		if all := q.world.Of(model.Event, ""); len(all) > 0 && q.chance(60) { // of other organizations, too
			e = pick(q.random, all)
		}
		if e == nil || len(model.Parts(e.Fields, "series")) == 0 {
			continue
		}
		r.ID, _ = pick(q.random, model.Parts(e.Fields, "series"))["series_uuid"].(string)
		r.Part = e.UUID()
		series := q.world.Find(model.Series, r.ID)
		if series != nil && who.Sees(series.Fields["org_uuid"].(string)) || q.chance(5) {
			if q.chance(5) {
				r.Part = pick(q.random, q.world.Of(model.Event, "")).UUID()
			}
			return r, true
		}
	}
	return r, false
}

// askedSeries returns the series of an event after an edit: most of those that it has, and others.
// Now and then one is unknown, or given twice.
func (q *Requests) askedSeries(event model.Object) []any {
	asked := []any{}
	for _, of := range model.Parts(event, "series") {
		if q.chance(70) {
			asked = append(asked, model.Plain(of))
		}
	}
	for _, s := range sample(q.random, q.world.Of(model.Series, ""), q.IntN(3)) {
		of := model.Object{"series_uuid": s.UUID()}
		if q.chance(50) { // which is not the event's to say
			of["state"] = pick(q.random, []string{"asked", "accepted", "refused"})
		}
		asked = append(asked, of)
	}
	if q.chance(2) {
		asked = append(asked, model.Object{"series_uuid": q.uuid()})
	}
	return asked
}

// joinSeries adds other series to an edit of an event, mostly with dates in their parts.
func (q *Requests) joinSeries(body model.Object, e *model.Entity) {
	body["series"] = q.askedSeries(e.Fields)
	if !q.chance(80) {
		return
	}
	dates := []any{}
	for _, d := range model.Parts(e.Fields, "dates") {
		d = model.Plain(d).(model.Object)
		d["series_part_uuid"] = q.partOfSeries(body)
		dates = append(dates, d)
	}
	body["dates"] = dates
}

// partOfSeries returns a part of the series of an event, or none; now and then one of any series.
func (q *Requests) partOfSeries(event model.Object) any {
	var parts []any
	for _, s := range q.world.Of(model.Series, "") {
		belongs := q.chance(2)
		for _, of := range model.Parts(event, "series") {
			belongs = belongs || of["series_uuid"] == s.UUID()
		}
		for _, part := range model.Parts(s.Fields, "parts") {
			if belongs {
				parts = append(parts, part["uuid"])
			}
		}
	}
	if len(parts) == 0 || q.chance(30) {
		return nil
	}
	return pick(q.random, parts)
}
