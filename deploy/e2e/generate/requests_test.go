package generate

import (
	"fmt"
	"strings"
	"testing"

	"litfass/deploy/e2e/model"
)

// drawn returns so many requests of a seed in a world whose entities are named in order.
func drawn(t *testing.T, seed uint64, count int) string {
	t.Helper()
	ada := &model.Person{Name: "ada", Password: "x", Roles: map[string]string{}}
	w := &model.World{}
	made := 0
	send := func(r model.Request) {
		if verdict := w.Judge(r); verdict.Accepted() {
			made++
			w.Accept(verdict, r, fmt.Sprintf("uuid%d", made))
			for i, e := range w.Entities {
				name(e, fmt.Sprintf("%d of %d", made, i))
			}
		}
	}
	send(model.Request{Who: ada, Do: "PUT /organization", Body: model.Object{"name": "One"}})
	send(model.Request{Who: ada, Do: "PUT /venue", Body: model.Object{"name": "Haus", "org_uuid": "uuid1"}})
	requests := NewRequests(seed, w, []*model.Person{ada}, today)
	var all strings.Builder
	for range count {
		r := requests.Next()
		fmt.Fprintln(&all, r)
		send(r)
	}
	return all.String()
}

// name gives the new parts of an entity uuids, and the entity a version.
func name(e *model.Entity, suffix string) {
	if e.Tag == "" {
		e.Tag = `"1"`
	}
	for _, list := range []string{"dates", "event_links", "images", "parts"} {
		for i, part := range model.Parts(e.Fields, list) {
			if part["uuid"] == "" || part["uuid"] == nil {
				part["uuid"] = fmt.Sprintf("%s %d %s", list, i, suffix)
			}
		}
	}
}

func TestSameSeedSameRequests(t *testing.T) {
	const count = 300
	one := drawn(t, 5, count)
	if one != drawn(t, 5, count) {
		t.Error("one seed draws two sequences")
	}
	if one == drawn(t, 6, count) {
		t.Error("two seeds draw one sequence")
	}
	for _, do := range []string{"DELETE /event/", "scope=following", "/events/bulk", "/duplicate", "rrule", "/image/", "DELETE /series/", "/event/uuid", "series_part_uuid:parts"} {
		if !strings.Contains(one, do) {
			t.Errorf("no request has %s", do)
		}
	}
}
