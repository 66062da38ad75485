package site

import (
	"strings"

	"litfass/deploy/e2e/harness"
)

// hostileLines are entities whose texts would harm pages that trust them.
func hostileLines() []harness.Line {
	link := "https://example.org/?a=%22onclick=%22planted=1&b=<script>planted=1</script>'" + strings.Repeat("x", 1500)
	return []harness.Line{
		{
			"kind": "organization", "uuid": hostileOrg, "name": "Verein " + harness.Payloads, "description": harness.Markdown + harness.Payloads + "\n\n" + harness.Long,
			"web_link": link, "city": harness.Payloads, "contact_phone": harness.Payloads,
		},
		{
			"kind": "venue", "uuid": hostileVenue, "org_uuid": hostileOrg, "name": harness.LongName + harness.Payloads[:150], "summary": harness.Payloads, "description": harness.Markdown + harness.Long,
			"street": harness.Payloads, "city": "Kiel" + harness.Payloads[:90], "lat": 54.3233, "lon": 10.1394, "opening_hours": harness.Payloads + harness.Long, "ticket_info": harness.Markdown,
			"web_link": link, "ticket_link": link, "accessibility_flags": "19", "accessibility_summary": harness.Payloads + harness.Long,
		},
		{"kind": "space", "uuid": siteID(22), "venue_uuid": hostileVenue, "name": harness.Payloads, "description": harness.Markdown + harness.Long, "accessibility_summary": harness.Payloads, "web_link": link},
		event(hostileEvent, harness.Payloads+" "+harness.Long[:1000], harness.Line{
			"org_uuid": hostileOrg, "venue_uuid": hostileVenue, "space_uuid": siteID(22), "subtitle": harness.Long, "summary": harness.Markdown + harness.Long,
			"description": harness.Markdown + harness.Payloads + "\n\n" + harness.Long, "tags": []string{harness.Payloads[:90], "\"><img src=x onerror=planted=1>", harness.LongName[:100]},
			"participation_info": harness.Payloads, "meeting_point": harness.Payloads + harness.LongName, "online_link": link, "source_link": link,
			"event_links":  []harness.Line{{"type": "website", "label": harness.Payloads, "url": link}, {"type": "website", "label": harness.LongName, "url": link}},
			"series":       []harness.Line{{"series_uuid": siteID(43), "state": "accepted"}},
			"contributors": []harness.Line{{"uuid": hostileTrio, "role": "conductor"}, {"uuid": hostileTrio, "role": "soloist"}},
			"dates":        []harness.Line{{"uuid": siteID(1500), "series_part_uuid": siteID(44), "start_date": harness.Day(3), "start_time": "19:00", "release_status": "inherited", "ticket_link": link, "accessibility_info": harness.Payloads}},
		}),
		event(rightToLeft, harness.Turned, harness.Line{
			"org_uuid": hostileOrg, "venue_uuid": hostileVenue, "subtitle": harness.Turned, "summary": harness.Turned, "description": harness.Turned, "tags": []string{"مهرجان"},
			"dates": []harness.Line{
				{"uuid": siteID(1501), "start_date": harness.Day(3), "end_date": harness.Day(4), "all_day": true, "release_status": "inherited"},
				{"uuid": siteID(1502), "start_date": harness.Day(10), "all_day": true, "release_status": "cancelled"},
			},
		}),
	}
}
