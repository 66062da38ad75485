package editing

// shownAs names for each field of the catalog file where the public answers show its value; N
// stands for the place in a list, which is the same on both sides. A field that is not shown has
// its reason after a dash. The answers are: the entries of the event search (entries), the event
// (event), the venues and the organizations.
const shownAs = `
organization.N.uuid                 organizations.N.uuid venues.N.org_uuid
organization.N.name                 organizations.N.name venues.N.org_name
organization.N.description          organizations.N.description
organization.N.legal_form           organizations.N.legal_form
organization.N.nonprofit            organizations.N.nonprofit
organization.N.holding_org_uuid     organizations.N.holding_org_uuid
organization.N.contact_email        organizations.N.contact_email
organization.N.contact_phone        organizations.N.contact_phone
organization.N.web_link             organizations.N.web_link
organization.N.street               organizations.N.street
organization.N.house_number         organizations.N.house_number
organization.N.address_addition     organizations.N.address_addition
organization.N.postal_code          organizations.N.postal_code
organization.N.city                 organizations.N.city
organization.N.state                organizations.N.state
organization.N.country              organizations.N.country
organization.N.lat                  organizations.N.lat
organization.N.lon                  organizations.N.lon
organization.1.name                 series.0.org_name
organization.1.web_link             series.0.org_web_link
organization.1.uuid                 event.org_uuid entries.0.org_uuid entries.1.org_uuid
organization.1.name                 event.org_name entries.0.org_name entries.1.org_name
organization.1.web_link             event.org_web_link
organization.1.contact_email        event.org_contact_email
organization.1.contact_phone        event.org_contact_phone

venue.N.uuid                        venues.N.uuid event.dates.N.venue_uuid entries.N.venue_uuid
venue.N.org_uuid                    venues.N.org_uuid
venue.N.name                        venues.N.name event.dates.N.venue_name entries.N.venue_name
venue.N.summary                     venues.N.summary
venue.N.description                 venues.N.description
venue.N.contact_email               venues.N.contact_email
venue.N.contact_phone               venues.N.contact_phone
venue.N.web_link                    venues.N.web_link event.dates.N.venue_web_link
venue.N.street                      venues.N.street event.dates.N.venue_street entries.N.venue_street
venue.N.house_number                venues.N.house_number event.dates.N.venue_house_number entries.N.venue_house_number
venue.N.postal_code                 venues.N.postal_code event.dates.N.venue_postal_code entries.N.venue_postal_code
venue.N.city                        venues.N.city event.dates.N.venue_city entries.N.venue_city
venue.N.state                       venues.N.state event.dates.N.venue_state entries.N.venue_state
venue.N.country                     venues.N.country event.dates.N.venue_country entries.N.venue_country
venue.N.lat                         venues.N.lat event.dates.N.venue_lat entries.N.venue_lat
venue.N.lon                         venues.N.lon event.dates.N.venue_lon entries.N.venue_lon
venue.N.timezone                    venues.N.timezone event.dates.N.venue_timezone entries.N.venue_timezone
venue.N.opened_at                   venues.N.opened_at
venue.N.closed_at                   venues.N.closed_at
venue.N.opening_hours               venues.N.opening_hours
venue.0.hours.weekly.N.day           venues.0.hours.weekly.N.day
venue.0.hours.weekly.N.from          venues.0.hours.weekly.N.from
venue.0.hours.weekly.N.to            venues.0.hours.weekly.N.to
venue.0.hours.closed.N.from          venues.0.hours.closed.N.from
venue.0.hours.closed.N.to            venues.0.hours.closed.N.to
venue.0.hours.closed.N.note          venues.0.hours.closed.N.note
venue.0.hours.special.N.date         venues.0.hours.special.N.date
venue.0.hours.special.N.from         venues.0.hours.special.N.from
venue.0.hours.special.N.to           venues.0.hours.special.N.to
venue.0.hours.special.N.note         venues.0.hours.special.N.note
venue.1.hours.weekly.N.day           venues.1.hours.weekly.N.day
venue.1.hours.weekly.N.from          venues.1.hours.weekly.N.from
venue.1.hours.weekly.N.to            venues.1.hours.weekly.N.to
venue.1.hours.closed.N.from          venues.1.hours.closed.N.from
venue.1.hours.closed.N.to            venues.1.hours.closed.N.to
venue.1.hours.closed.N.note          venues.1.hours.closed.N.note
venue.1.hours.special.N.date         venues.1.hours.special.N.date
venue.1.hours.special.N.from         venues.1.hours.special.N.from
venue.1.hours.special.N.to           venues.1.hours.special.N.to
venue.1.hours.special.N.note         venues.1.hours.special.N.note
venue.N.ticket_info                 venues.N.ticket_info
venue.N.use                         - is for those who place events
venue.N.ticket_link                 venues.N.ticket_link
venue.N.accessibility_flags         venues.N.accessibility_flags event.dates.N.venue_accessibility_flags entries.N.venue_accessibility_flags
venue.N.accessibility_summary       venues.N.accessibility_summary
venue.1.uuid                        event.venue_uuid
venue.1.name                        event.venue_name
venue.1.web_link                    event.venue_web_link
venue.1.street                      event.venue_street
venue.1.house_number                event.venue_house_number
venue.1.postal_code                 event.venue_postal_code
venue.1.city                        event.venue_city
venue.1.state                       event.venue_state
venue.1.country                     event.venue_country
venue.1.lat                         event.venue_lat
venue.1.lon                         event.venue_lon
venue.1.timezone                    event.venue_timezone
venue.1.accessibility_flags         event.venue_accessibility_flags
venue.N.wikidata_id                 venues.N.wikidata_id event.dates.N.venue_wikidata_id
venue.N.osm_id                      venues.N.osm_id event.dates.N.venue_osm_id
venue.1.wikidata_id                 event.venue_wikidata_id
venue.1.osm_id                      event.venue_osm_id

space.N.uuid                        venues.N.spaces.0.uuid event.dates.N.space_uuid entries.N.space_uuid
space.N.venue_uuid                  venues.N.uuid
space.N.name                        venues.N.spaces.0.name event.dates.N.space_name entries.N.space_name
space.N.description                 venues.N.spaces.0.description
space.N.space_type                  venues.N.spaces.0.space_type event.dates.N.space_type
space.N.building_level              venues.N.spaces.0.building_level event.dates.N.space_building_level
space.N.total_capacity              venues.N.spaces.0.total_capacity event.dates.N.space_total_capacity
space.N.seating_capacity            venues.N.spaces.0.seating_capacity event.dates.N.space_seating_capacity
space.N.web_link                    venues.N.spaces.0.web_link event.dates.N.space_web_link
space.N.accessibility_flags         venues.N.spaces.0.accessibility_flags event.dates.N.space_accessibility_flags entries.N.space_accessibility_flags
space.N.accessibility_summary       venues.N.spaces.0.accessibility_summary event.dates.N.space_accessibility_summary
space.1.uuid                        event.space_uuid
space.1.name                        event.space_name
space.1.space_type                  event.space_type
space.1.building_level              event.space_building_level
space.1.total_capacity              event.space_total_capacity
space.1.seating_capacity            event.space_seating_capacity
space.1.web_link                    event.space_web_link
space.1.accessibility_flags         event.space_accessibility_flags
space.1.accessibility_summary       event.space_accessibility_summary

label.N.key                         - is that of the labels of events
label.N.names.en                    - is in the value set of labels
label.N.names.de                    - is in the value set of labels
label.N.names.da                    - is in the value set of labels

series.0.uuid                       series.0.uuid event.series.0.uuid
series.0.org_uuid                   series.0.org_uuid
series.0.slug                       series.0.slug event.series.0.slug
series.0.title                      series.0.title event.series.0.title
series.0.subtitle                   series.0.subtitle
series.0.description                series.0.description
series.0.web_link                   series.0.web_link
series.0.start_date                 series.0.start_date event.series.0.start_date
series.0.end_date                   series.0.end_date event.series.0.end_date
series.0.public                     - decides whether the public sees it
series.0.parts.N.uuid               series.0.parts.N.uuid event.series.0.parts.N.uuid
series.0.parts.N.kind               series.0.parts.N.kind event.series.0.parts.N.kind
series.0.parts.N.title              series.0.parts.N.title event.series.0.parts.N.title
series.0.parts.N.description        series.0.parts.N.description
series.0.image.uuid                 series.0.image.uuid
series.0.image.identifier           series.0.image.identifier
series.0.image.mime_type            series.0.image.mime_type
series.0.image.width                series.0.image.width
series.0.image.height               series.0.image.height
series.0.image.alt_text             series.0.image.alt_text
series.0.image.description          series.0.image.description
series.0.image.license              series.0.image.license
series.0.image.creator_name         series.0.image.creator_name
series.0.image.copyright            series.0.image.copyright
series.0.image.focus_x              series.0.image.focus_x
series.0.image.focus_y              series.0.image.focus_y
series.0.image.ai_generated         series.0.image.ai_generated
series.0.text_language              series.0.text_language event.series.0.text_language
series.0.texts.da.title             series.0.texts.da.title event.series.0.texts.da.title
series.0.texts.da.subtitle          series.0.texts.da.subtitle
series.0.texts.da.description       series.0.texts.da.description
series.0.texts.da.images.0192f0a0-0000-7000-8000-0000000000a2.alt_text     series.0.image.texts.da.alt_text
series.0.texts.da.images.0192f0a0-0000-7000-8000-0000000000a2.description  series.0.image.texts.da.description

contributor.N.uuid                  contributors.N.uuid event.contributors.N.uuid
contributor.N.org_uuid              - is for those who edit it
contributor.N.type                  contributors.N.type event.contributors.N.type
contributor.N.name                  contributors.N.name event.contributors.N.name
contributor.N.note                  contributors.N.note event.contributors.N.note
contributor.N.description           contributors.N.description
contributor.N.web_link              contributors.N.web_link event.contributors.N.web_link
contributor.N.wikidata              contributors.N.wikidata event.contributors.N.wikidata
contributor.N.former_uuids          - find it as its own uuid does
event.0.contributors.N.uuid         event.contributors.N.uuid
event.0.contributors.N.role         event.contributors.N.role

event.0.uuid                        event.uuid entries.0.uuid entries.1.uuid
event.0.org_uuid                    event.org_uuid
event.0.venue_uuid                  event.venue_uuid
event.0.space_uuid                  event.space_uuid
event.0.title                       event.title entries.0.title entries.1.title
event.0.subtitle                    event.subtitle entries.0.subtitle entries.1.subtitle
event.0.summary                     event.summary entries.0.summary entries.1.summary
event.0.description                 event.description
event.0.categories                  event.categories entries.0.categories entries.1.categories
event.0.event_types.N.type_id       event.event_types.N.type_id entries.0.event_types.N.type_id entries.1.event_types.N.type_id
event.0.event_types.N.genre_id      event.event_types.N.genre_id entries.0.event_types.N.genre_id entries.1.event_types.N.genre_id
event.0.languages                   event.languages entries.0.languages entries.1.languages
event.0.tags                        event.tags entries.0.tags entries.1.tags
event.0.labels                      event.labels entries.0.labels entries.1.labels
event.0.min_age                     event.min_age entries.0.min_age entries.1.min_age
event.0.max_age                     event.max_age entries.0.max_age entries.1.max_age
event.0.price_type                  event.price_type entries.1.price_type
event.0.min_price                   event.min_price entries.1.min_price
event.0.max_price                   event.max_price entries.1.max_price
event.0.currency                    event.currency entries.1.currency
event.0.ticket_flags                event.ticket_flags
event.0.visitor_info_flags          event.visitor_info_flags entries.0.visitor_info_flags entries.1.visitor_info_flags
event.0.participation_info          event.participation_info
event.0.meeting_point               event.meeting_point
event.0.max_attendees               event.max_attendees
event.0.occasion                    event.occasion
event.0.online_link                 event.online_link entries.0.online_link entries.1.online_link
event.0.source_link                 event.source_link
event.0.video_link                  event.video_link
event.0.release_status              event.release_status event.dates.1.release_status entries.1.release_status
event.0.status_note                 event.status_note event.dates.1.status_note entries.1.status_note
event.0.status_changed_at           event.status_changed_at
event.0.tariffs.N.name              event.tariffs.N.name
event.0.tariffs.N.min_price         event.tariffs.N.min_price
event.0.tariffs.N.max_price         event.tariffs.N.max_price
event.0.tariffs.N.currency          event.tariffs.N.currency
event.0.tariffs.N.condition         event.tariffs.N.condition
event.0.release_date                - says when the event became public, which visitors see anyway
event.0.event_links.N.uuid          - names the link to those who edit it
event.0.event_links.N.type          event.event_links.N.type
event.0.event_links.N.label         event.event_links.N.label
event.0.event_links.N.url           event.event_links.N.url
event.0.text_language               event.text_language entries.0.text_language entries.1.text_language
event.0.texts.da.title              event.texts.da.title entries.0.texts.da.title entries.1.texts.da.title
event.0.texts.da.subtitle           event.texts.da.subtitle entries.0.texts.da.subtitle entries.1.texts.da.subtitle
event.0.texts.da.summary            event.texts.da.summary entries.0.texts.da.summary entries.1.texts.da.summary
event.0.texts.da.description        event.texts.da.description
event.0.texts.da.participation_info event.texts.da.participation_info
event.0.texts.da.meeting_point      event.texts.da.meeting_point
event.0.texts.da.status_note        event.texts.da.status_note event.dates.1.texts.da.status_note entries.1.texts.da.status_note
event.0.texts.da.images.0192f0a0-0000-7000-8000-000000000060.alt_text     event.images.0.texts.da.alt_text entries.0.texts.da.image_alt_text entries.1.texts.da.image_alt_text
event.0.texts.da.images.0192f0a0-0000-7000-8000-000000000060.description  event.images.0.texts.da.description
event.0.texts.da.images.0192f0a0-0000-7000-8000-000000000061.alt_text     event.images.1.texts.da.alt_text
event.0.texts.da.images.0192f0a0-0000-7000-8000-000000000061.description  event.images.1.texts.da.description
event.0.texts.da.dates.0192f0a0-0000-7000-8000-000000000050.accessibility_info  event.dates.0.texts.da.accessibility_info
event.0.texts.da.dates.0192f0a0-0000-7000-8000-000000000050.status_note         event.dates.0.texts.da.status_note entries.0.texts.da.status_note
event.0.texts.da.dates.0192f0a0-0000-7000-8000-000000000051.accessibility_info  event.dates.1.texts.da.accessibility_info
event.0.images.N.uuid               event.images.N.uuid
event.0.images.N.identifier         event.images.N.identifier
event.0.images.N.mime_type          event.images.N.mime_type
event.0.images.N.width              event.images.N.width
event.0.images.N.height             event.images.N.height
event.0.images.N.alt_text           event.images.N.alt_text
event.0.images.N.description        event.images.N.description
event.0.images.N.license            event.images.N.license
event.0.images.N.creator_name       event.images.N.creator_name
event.0.images.N.copyright          event.images.N.copyright
event.0.images.N.focus_x            event.images.N.focus_x
event.0.images.N.focus_y            event.images.N.focus_y
event.0.images.N.ai_generated       event.images.N.ai_generated
event.0.images.0.ai_generated       entries.0.image_ai_generated entries.1.image_ai_generated
event.0.images.0.uuid               event.image_uuid entries.0.image_uuid entries.1.image_uuid
event.0.images.0.alt_text           entries.0.image_alt_text entries.1.image_alt_text
event.0.images.0.license            entries.0.image_license entries.1.image_license
event.0.images.0.creator_name       entries.0.image_creator entries.1.image_creator
event.0.dates.N.uuid                event.dates.N.uuid entries.N.date_uuid
event.0.dates.N.start_date          event.dates.N.start_date entries.N.start_date
event.0.dates.N.start_time          event.dates.N.start_time entries.N.start_time
event.0.dates.N.end_date            event.dates.N.end_date entries.N.end_date
event.0.dates.N.end_time            event.dates.N.end_time entries.N.end_time
event.0.dates.N.entry_time          event.dates.N.entry_time
event.0.dates.N.all_day             event.dates.N.all_day entries.N.all_day
event.0.dates.N.venue_uuid          event.dates.N.venue_uuid
event.0.dates.N.space_uuid          event.dates.N.space_uuid
event.0.dates.0.release_status      event.dates.0.release_status entries.0.release_status
event.0.dates.1.release_status      - is inherited
event.0.dates.0.status_note         event.dates.0.status_note entries.0.status_note
event.0.dates.1.status_note         - is inherited
event.0.dates.N.ticket_link         event.dates.N.ticket_link
event.0.dates.N.accessibility_info  event.dates.N.accessibility_info
event.0.dates.N.series_part_uuid    event.dates.N.series_part_uuid entries.N.series_part_uuid
event.0.series.0.series_uuid        event.series.0.uuid
event.0.series.0.state              - decides whether it is shown
event.0.dates.1.hours.weekly.N.day   event.dates.1.hours.weekly.N.day entries.1.hours.weekly.N.day
event.0.dates.1.hours.weekly.N.from  event.dates.1.hours.weekly.N.from entries.1.hours.weekly.N.from
event.0.dates.1.hours.weekly.N.to    event.dates.1.hours.weekly.N.to entries.1.hours.weekly.N.to
event.0.dates.1.hours.closed.N.from  event.dates.1.hours.closed.N.from entries.1.hours.closed.N.from
event.0.dates.1.hours.closed.N.to    event.dates.1.hours.closed.N.to entries.1.hours.closed.N.to
event.0.dates.1.hours.closed.N.note  event.dates.1.hours.closed.N.note entries.1.hours.closed.N.note
event.0.dates.1.hours.special.N.date event.dates.1.hours.special.N.date entries.1.hours.special.N.date
event.0.dates.1.hours.special.N.from event.dates.1.hours.special.N.from entries.1.hours.special.N.from
event.0.dates.1.hours.special.N.to   event.dates.1.hours.special.N.to entries.1.hours.special.N.to
event.0.dates.1.hours.special.N.note event.dates.1.hours.special.N.note entries.1.hours.special.N.note
event.0.dates.0.hours               event.dates.0.hours entries.0.hours
event.0.dates.N.availability        event.dates.N.availability entries.N.availability
event.0.dates.N.remaining_places    event.dates.N.remaining_places entries.N.remaining_places
event.0.dates.N.availability_version - is for those who edit it
event.0.dates.N.on_sale_from        event.dates.N.on_sale_from entries.N.on_sale_from
event.0.dates.N.on_sale_until       event.dates.N.on_sale_until entries.N.on_sale_until
event.0.dates.N.previous_start      event.dates.N.previous_start entries.N.previous_start
event.0.dates.N.status_changed_at   event.dates.N.status_changed_at entries.N.status_changed_at
event.0.dates.0.tariffs.N.name      event.dates.0.tariffs.N.name
event.0.dates.0.tariffs.N.min_price event.dates.0.tariffs.N.min_price
event.0.dates.0.tariffs.N.max_price event.dates.0.tariffs.N.max_price
event.0.dates.0.tariffs.N.currency  event.dates.0.tariffs.N.currency
event.0.dates.0.tariffs.N.condition event.dates.0.tariffs.N.condition
event.0.dates.1.tariffs             - is empty: those of the event apply
event.0.dates.N.rule_uuid           - is for those who edit the dates that it made
event.0.dates.N.recurrence_id       - is for those who edit the dates that it made
event.0.date_rules.N.uuid           - is for those who edit the dates that it made
event.0.date_rules.N.start_date     - is for those who edit the dates that it made
event.0.date_rules.N.start_time     - is for those who edit the dates that it made
event.0.date_rules.N.end_date       - is for those who edit the dates that it made
event.0.date_rules.N.end_time       - is for those who edit the dates that it made
event.0.date_rules.N.all_day        - is for those who edit the dates that it made
event.0.date_rules.N.rrule          - is for those who edit the dates that it made
event.0.date_rules.N.rdate          - is for those who edit the dates that it made
event.0.date_rules.N.exdate         - is for those who edit the dates that it made
`

// derived are the values of the answers that no field of the catalog file holds as it is.
const derived = `
entries.0.search_rank             1
entries.1.search_rank             2
entries.0.date_slug               2037-05-01-1930
entries.1.date_slug               2037-06-01
event.dates.0.slug                2037-05-01-1930
event.dates.1.slug                2037-06-01
event.source_name                 <nil>
event.origin                      <nil>
entries.0.series_uuids            ["0192f0a0-0000-7000-8000-000000000090"]
entries.1.series_uuids            ["0192f0a0-0000-7000-8000-000000000090"]
series.0.date_count               2
series.0.image.path               BASE/api/image/0192f0a0-0000-7000-8000-0000000000a2/580ab1b2abb9
event.dates.0.price_type          tiered_prices
event.dates.0.min_price           31
event.dates.0.max_price           55.5
event.dates.0.currency            DKK
entries.0.price_type              tiered_prices
entries.0.min_price               31
entries.0.max_price               55.5
entries.0.currency                DKK
entries.1.start_time              00:00
event.dates.1.start_time          00:00
entries.0.page_url                BASE/event/0192f0a0-0000-7000-8000-000000000040?date=0192f0a0-0000-7000-8000-000000000050
entries.1.page_url                BASE/event/0192f0a0-0000-7000-8000-000000000040?date=0192f0a0-0000-7000-8000-000000000051
entries.0.image_path              BASE/api/image/0192f0a0-0000-7000-8000-000000000060/1e43b8ae117f
entries.1.image_path              BASE/api/image/0192f0a0-0000-7000-8000-000000000060/1e43b8ae117f
event.image_path                  BASE/api/image/0192f0a0-0000-7000-8000-000000000060/1e43b8ae117f
event.images.0.path               BASE/api/image/0192f0a0-0000-7000-8000-000000000060/1e43b8ae117f
event.images.1.path               BASE/api/image/0192f0a0-0000-7000-8000-000000000061/d52ce25f2711
event.text_languages              ["en","da"]
series.0.text_languages           ["en","da"]
entries.0.text_languages          ["en","da"]
entries.1.text_languages          ["en","da"]
event.event_types.0.type_name     Concert
event.event_types.0.genre_name    Jazz
event.event_types.1.type_name     Theater & Stage
event.event_types.1.genre_name    Classical opera
`
