package editing

import (
	"fmt"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

const (
	benchEvents = 10_000
	benchDates  = 10 // an event
	benchBatch  = 500
)

// BenchmarkSave imports 100,000 dates of 10,000 events: new ones, and the same again unchanged.
func BenchmarkSave(b *testing.B) {
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s := newStage(b)
			events := manyEvents(s)
			b.StartTimer()
			saveAll(s, events)
		}
		b.ReportMetric(float64(b.N*benchEvents*benchDates)/b.Elapsed().Seconds(), "dates/s")
	})
	b.Run("unchanged", func(b *testing.B) {
		s := newStage(b)
		events := manyEvents(s)
		saveAll(s, events)
		for b.Loop() {
			saveAll(s, events)
		}
		b.ReportMetric(float64(b.N*benchEvents*benchDates)/b.Elapsed().Seconds(), "dates/s")
	})
}

func saveAll(s *stage, events []rules.Entity) {
	for len(events) > 0 {
		size := min(benchBatch, len(events))
		s.mustSave(events[:size]...)
		events = events[size:]
	}
}

func manyEvents(s *stage) []rules.Entity {
	events := make([]rules.Entity, benchEvents)
	for i := range events {
		event := s.event()
		event.Title = fmt.Sprintf("Abend %d mit Jazz und Lesung", i)
		event.Summary = "Ein Abend in der Alten Post, mit Musik vom Ostseestrand."
		event.Description = value.Text(fmt.Sprintf("%0500d", i))
		event.SpaceUUID = value.Text(s.space.UUID)
		event.Categories, event.Languages, event.Tags = []int{1, 4}, []string{"de"}, []string{"Jazz", "Lesung"}
		event.EventTypes = []adminapi.EventType{{TypeID: 1, GenreID: 1003}, {TypeID: 6}}
		event.EventLinks = []rules.EventLink{{Type: "website", URL: "https://example.org/"}}
		event.Dates = nil
		for n := range benchDates {
			event.Dates = append(event.Dates, rules.Date{
				UUID: newID(), StartDate: fmt.Sprintf("2026-%02d-%02d", n+1, i%28+1), StartTime: "19:30",
				EndTime: "22:00",
			})
		}
		events[i] = event
	}
	return events
}
