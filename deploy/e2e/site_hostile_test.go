package e2e

import (
	"strings"
)

// payloads try to run a script that sets the global "planted", by every way from a text into a
// page.
const payloads = `<script>planted=1</script><img src=x onerror=planted=1><svg/onload=planted=1></title></textarea></style>` +
	`</script><script>planted=1</script>"'><b autofocus onfocus=planted=1 tabindex=0>{{planted=1}}${planted=1}&lt;script&gt;`

// markdown tries the same by its own ways.
const markdown = "[link](javascript:planted=1) [upper](JaVaScRiPt:planted=1) [data](data:text/html,<script>planted=1</script>) " +
	"![picture](x\"onerror=\"planted=1) <javascript:planted=1> [tab](java&#9;script:planted=1)\n\n" +
	"<iframe srcdoc=\"<script>parent.planted=1</script>\"></iframe>\n\n```\n</code></pre>" + payloads + "\n```\n\n# " + payloads + "\n\n"

// long are words without a place to break; names are shorter than texts.
var long, longName = strings.Repeat("Ω", 2000), strings.Repeat("W", 300)

// turned is text from right to left with marks that turn what follows it.
const turned = "مهرجان \u202eالموسيقى\u202c \u2067שלום עולם\u2069 👩‍👩‍👧‍👦🏳️‍🌈 Z̸̲̊a̷l̸g̷o"

// hostileLines are entities whose texts would harm pages that trust them.
func hostileLines() []line {
	link := "https://example.org/?a=%22onclick=%22planted=1&b=<script>planted=1</script>'" + strings.Repeat("x", 1500)
	return []line{
		{
			"kind": "organization", "uuid": hostileOrg, "name": "Verein " + payloads, "description": markdown + payloads + "\n\n" + long,
			"web_link": link, "city": payloads, "contact_phone": payloads,
		},
		{
			"kind": "venue", "uuid": hostileVenue, "org_uuid": hostileOrg, "name": longName + payloads[:150], "summary": payloads, "description": markdown + long,
			"street": payloads, "city": "Kiel" + payloads[:90], "lat": 54.3233, "lon": 10.1394, "opening_hours": payloads + long, "ticket_info": markdown,
			"web_link": link, "ticket_link": link, "accessibility_flags": "19", "accessibility_summary": payloads + long,
		},
		{"kind": "space", "uuid": siteID(22), "venue_uuid": hostileVenue, "name": payloads, "description": markdown + long, "accessibility_summary": payloads, "web_link": link},
		event(hostileEvent, payloads+" "+long[:1000], line{
			"org_uuid": hostileOrg, "venue_uuid": hostileVenue, "space_uuid": siteID(22), "subtitle": long, "summary": markdown + long,
			"description": markdown + payloads + "\n\n" + long, "tags": []string{payloads[:90], "\"><img src=x onerror=planted=1>", longName[:100]},
			"participation_info": payloads, "meeting_point": payloads + longName, "online_link": link, "source_link": link,
			"event_links": []line{{"type": "website", "label": payloads, "url": link}, {"type": "website", "label": longName, "url": link}},
			"dates":       []line{{"uuid": siteID(1500), "start_date": day(3), "start_time": "19:00", "release_status": "inherited", "ticket_link": link, "accessibility_info": payloads}},
		}),
		event(rightToLeft, turned, line{
			"org_uuid": hostileOrg, "venue_uuid": hostileVenue, "subtitle": turned, "summary": turned, "description": turned, "tags": []string{"مهرجان"},
			"dates": []line{
				{"uuid": siteID(1501), "start_date": day(3), "end_date": day(4), "all_day": true, "release_status": "inherited"},
				{"uuid": siteID(1502), "start_date": day(10), "all_day": true, "release_status": "cancelled"},
			},
		}),
	}
}
