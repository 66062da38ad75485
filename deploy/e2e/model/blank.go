package model

import "strings"

// blanks are the unset fields of entities.
var blanks = map[string]Object{
	Organization: blank(`uuid name=" description legal_form nonprofit holding_org_uuid contact_email contact_phone web_link
		street house_number address_addition postal_code city state country lat lon`),
	Venue: blank(`uuid org_uuid name=" summary description contact_email contact_phone web_link street house_number
		postal_code city state country lat lon timezone opened_at closed_at opening_hours ticket_info ticket_link
		accessibility_flags accessibility_summary use="open hours wikidata_id osm_id`),
	Space: blank(`uuid venue_uuid name=" description space_type building_level total_capacity seating_capacity web_link
		accessibility_flags accessibility_summary`),
	Event: blank(`uuid org_uuid venue_uuid space_uuid title=" subtitle summary description categories=[ event_types=[
		languages=[ tags=[ labels=[ min_age max_age price_type="not_specified min_price max_price currency ticket_flags=[
		visitor_info_flags participation_info meeting_point max_attendees occasion=0 online_link source_link
		release_status="draft release_date status_note status_changed_at tariffs=[ event_links=[ images=[ dates=[ date_rules=[ series=[
		text_language texts={ contributors=[ video_link`),
	Series: blank(`uuid org_uuid slug=" title=" subtitle description web_link start_date end_date public=false parts=[ image
		text_language texts={`),
}

// The unset fields of parts of an event, and of a series.
var (
	blankDate = blank(`uuid start_date=" start_time end_date end_time entry_time all_day=false venue_uuid space_uuid
		release_status="inherited status_note ticket_link accessibility_info hours series_part_uuid rule_uuid recurrence_id
		availability remaining_places availability_version=1 on_sale_from on_sale_until previous_start status_changed_at tariffs=[`)
	blankLink  = blank(`uuid type=" label url="`)
	blankPart  = blank(`uuid kind="stage title=" description`)
	blankImage = blank(`uuid identifier mime_type width height alt_text description license creator_name copyright
		focus_x focus_y ai_generated=false`)
)

// blank reads a list of fields. Most are null; after "=" stands a text, an empty list or object,
// 0, 1 or false.
func blank(fields string) Object {
	o := Object{}
	for field := range strings.FieldsSeq(fields) {
		name, value, _ := strings.Cut(field, "=")
		switch {
		case value == "[":
			o[name] = []any{}
		case value == "{":
			o[name] = Object{}
		case value == "0":
			o[name] = 0.0
		case value == "1":
			o[name] = 1.0
		case value == "false":
			o[name] = false
		case strings.HasPrefix(value, `"`):
			o[name] = value[1:]
		default:
			o[name] = nil
		}
	}
	return o
}
