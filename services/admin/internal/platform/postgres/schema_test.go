package postgres_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"litfass/services/admin/internal/catalogue/store/storetest"
)

// The rows that the statements of the test below start from: o an organization, v and w venues, s a
// space of v, e an event in s with the date d.
const schemaRows = `
INSERT INTO organization (uuid, name) VALUES ('01900000-0000-7000-8000-00000000000a', 'O');
INSERT INTO venue (uuid, org_uuid, name) VALUES
    ('01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-00000000000a', 'V'),
    ('01900000-0000-7000-8000-000000000002', '01900000-0000-7000-8000-00000000000a', 'W');
INSERT INTO space (uuid, venue_uuid, name)
    VALUES ('01900000-0000-7000-8000-000000000003', '01900000-0000-7000-8000-000000000001', 'S');
INSERT INTO event (
    uuid, org_uuid, venue_uuid, space_uuid, title, categories, languages, tags, price_type, ticket_flags, occasion, release_status
) VALUES (
    '01900000-0000-7000-8000-00000000000e', '01900000-0000-7000-8000-00000000000a',
    '01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000003', 'E', '{}', '{}', '{}', 'free', '{}', 0, 'released'
);
INSERT INTO event_date (uuid, event_uuid, slug, start_date, start_time, all_day, release_status) VALUES
    ('01900000-0000-7000-8000-00000000000d', '01900000-0000-7000-8000-00000000000e', '2026-11-20-1930', '2026-11-20', '19:30', false, 'inherited'),
    ('01900000-0000-7000-8000-00000000001d', '01900000-0000-7000-8000-00000000000e', '2026-11-21', '2026-11-21', NULL, true, 'inherited');
INSERT INTO event_image (uuid, event_uuid, identifier, mime_type, width, height)
    VALUES ('01900000-0000-7000-8000-00000000000f', '01900000-0000-7000-8000-00000000000e', 'main', 'image/png', 1, 1);
INSERT INTO region (country_slug, state_slug, region_slug, name, geometry)
    VALUES ('deu', 'sh', 'angeln', 'Angeln', '{"type": "Polygon", "coordinates": [[[9, 54], [10, 54], [10, 55], [9, 54]]]}');
`

// TestSchemaRefusesBadStates writes rows that no command would write.
func TestSchemaRefusesBadStates(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	if _, err := db.Pool().Exec(t.Context(), schemaRows); err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{ // statement: the constraint that refuses it
		"UPDATE organization SET uuid = '7b0c8b2e-3c4d-4f5a-9b6c-7d8e9f0a1b2c'":                           "uuid_v7_check",
		"UPDATE organization SET name = ''":                                                               "text_500_check",
		"UPDATE organization SET name = repeat('x', 501)":                                                 "text_500_check",
		"UPDATE organization SET description = ''":                                                        "text_100000_check",
		"UPDATE organization SET holding_org_uuid = uuid":                                                 "organization_not_its_own_holding",
		"UPDATE organization SET holding_org_uuid = '01900000-0000-7000-8000-000000000099'":               "organization_holding_org_uuid_fkey",
		"UPDATE organization SET web_link = 'javascript:alert(1)'":                                        "web_url_check",
		"UPDATE organization SET contact_email = 'unknown'":                                               "email_address_check",
		"UPDATE organization SET country = 'de'":                                                          "country_code_check",
		"UPDATE organization SET state = 'SH'":                                                            "organization_state_needs_country",
		"UPDATE organization SET lat = 54":                                                                "organization_lat_with_lon",
		"UPDATE organization SET lat = 91, lon = 0":                                                       "latitude_check",
		"UPDATE organization SET lat = 'NaN', lon = 0":                                                    "latitude_check",
		"DELETE FROM organization":                                                                        "venue_org_uuid_fkey",
		"UPDATE venue SET org_uuid = '01900000-0000-7000-8000-000000000099'":                              "venue_org_uuid_fkey",
		"UPDATE venue SET opened_at = '2020-01-02', closed_at = '2020-01-01'":                             "venue_closed_after_opened",
		"UPDATE venue SET opened_at = '1899-12-31'":                                                       "day_check",
		"DELETE FROM venue WHERE name = 'V'":                                                              "event_venue_uuid_fkey",
		"UPDATE space SET total_capacity = -1":                                                            "space_total_capacity_check",
		"UPDATE space SET space_type = 'Grand Hall'":                                                      "item_key_check",
		"UPDATE space SET venue_uuid = '01900000-0000-7000-8000-000000000002'":                            "event_space_of_venue",
		"DELETE FROM space":                                                                               "event_space_of_venue",
		"UPDATE event SET venue_uuid = '01900000-0000-7000-8000-000000000002'":                            "event_space_of_venue",
		"UPDATE event SET venue_uuid = NULL":                                                              "event_space_needs_venue",
		"UPDATE event SET org_uuid = NULL":                                                                "",
		"UPDATE event SET title = ''":                                                                     "event_title_once_public",
		"UPDATE event SET title = repeat('x', 2001)":                                                      "event_title_check",
		"UPDATE event SET categories = '{7}'":                                                             "event_categories_check",
		"UPDATE event SET tags = '{\"\"}'":                                                                "event_tags_check",
		"UPDATE event SET tags = '{NULL}'":                                                                "event_tags_check",
		"UPDATE event SET tags = array_fill('x'::text, '{101}')":                                          "event_tags_check",
		"UPDATE event SET languages = '{NULL}'":                                                           "event_languages_check",
		"UPDATE event SET min_age = 12, max_age = 6":                                                      "event_ages_in_order",
		"UPDATE event SET max_age = 151":                                                                  "event_max_age_check",
		"UPDATE event SET price_type = 'gratis'":                                                          "event_price_type_check",
		"UPDATE event SET price_type = 'donation', min_price = 1":                                         "event_price_has_currency",
		"UPDATE event SET price_type = 'donation', min_price = 2, max_price = 1, currency = 'EUR'":        "event_prices_in_order",
		"UPDATE event SET min_price = 1, currency = 'EUR'":                                                "event_free_costs_nothing",
		"UPDATE event SET min_price = -1, currency = 'EUR'":                                               "price_check",
		"UPDATE event SET currency = 'euro'":                                                              "currency_code_check",
		"UPDATE event SET ticket_flags = '{free_beer}'":                                                   "event_ticket_flags_check",
		"UPDATE event SET release_status = 'inherited'":                                                   "event_release_status_check",
		"UPDATE event SET release_scheduled = true":                                                       "event_scheduled_has_date",
		"UPDATE event SET release_scheduled = true, release_date = now(), release_status = 'draft'":       "event_scheduled_has_date",
		"UPDATE event_date SET slug = '2026-11-20'":                                                       "event_date_slug",
		"UPDATE event_date SET slug = 'tonight'":                                                          "event_date_slug_check",
		"UPDATE event_date SET all_day = true":                                                            "event_date_all_day_has_no_times",
		"UPDATE event_date SET start_time = NULL":                                                         "event_date_all_day_has_no_times",
		"UPDATE event_date SET end_time = '20:00' WHERE all_day":                                          "event_date_all_day_has_no_times",
		"UPDATE event_date SET start_time = '19:30:01' WHERE NOT all_day":                                 "minute_of_day_check",
		"UPDATE event_date SET start_time = '24:00' WHERE NOT all_day":                                    "minute_of_day_check",
		"UPDATE event_date SET start_date = '3000-01-01'":                                                 "day_check",
		"UPDATE event_date SET end_date = '2026-11-19'":                                                   "event_date_ends_after_start",
		"UPDATE event_date SET end_time = '19:29' WHERE NOT all_day":                                      "event_date_ends_after_start_time",
		"UPDATE event_date SET end_date = '2026-11-20', end_time = '19:29' WHERE NOT all_day":             "event_date_ends_after_start_time",
		"UPDATE event_date SET entry_time = '19:31' WHERE NOT all_day":                                    "event_date_entry_before_start",
		"UPDATE event_date SET space_uuid = '01900000-0000-7000-8000-000000000003'":                       "event_date_space_needs_venue",
		"UPDATE event_date SET release_status = 'released'":                                               "event_date_release_status_check",
		"INSERT INTO event_type VALUES ('01900000-0000-7000-8000-00000000000e', 0, 2, 1003)":              "event_type_genre_of_type",
		"INSERT INTO event_type VALUES ('01900000-0000-7000-8000-00000000000e', 0, 64, 0)":                "event_type_genre_of_type",
		"INSERT INTO event_link VALUES ('01900000-0000-7000-8000-00000000000e', 0, 'pdf', NULL, 'a.pdf')": "web_url_check",
		"UPDATE event_image SET identifier = 'gallery_8'":                                                 "event_image_identifier_check",
		"UPDATE event_image SET mime_type = 'text/html'":                                                  "event_image_mime_type_check",
		"UPDATE event_image SET focus_x = 0.5":                                                            "event_image_focus_is_a_point",
		"UPDATE event_image SET focus_x = 1.5, focus_y = 0":                                               "event_image_focus_x_check",
		"UPDATE region SET geometry = '{\"type\": \"Point\", \"coordinates\": [9, 54]}'":                  "region_geometry_is_an_area",
		"UPDATE region SET geometry = '{\"type\": \"Polygon\", \"coordinates\": []}'":                     "region_geometry_is_an_area",
		"UPDATE region SET state_slug = 'Schleswig Holstein'":                                             "slug_check",
		"INSERT INTO outbox (kind, entity_id) VALUES ('secret', 'x')":                                     "outbox_kind_check",
		"UPDATE lookup_item SET names = '{\"de\": \"Nur Deutsch\"}'":                                      "lookup_item_names_check",
		"UPDATE event SET title = E'a\\x00b'":                                                             "",
	}
	twoVenues := "UPDATE event_date SET venue_uuid = '01900000-0000-7000-8000-000000000002', " +
		"space_uuid = '01900000-0000-7000-8000-000000000003'"
	tests[twoVenues] = "event_date_space_of_venue"
	secondImage := "INSERT INTO event_image (uuid, event_uuid, identifier, mime_type, width, height) VALUES " +
		"('01900000-0000-7000-8000-0000000000ff', '01900000-0000-7000-8000-00000000000e', 'main', 'image/png', 1, 1)"
	tests[secondImage] = "event_image_one_per_place"

	for statement, want := range tests {
		err := pgx.BeginFunc(t.Context(), db.Pool(), func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), statement)
			return err
		})
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || !strings.HasPrefix(refused.Code, "23") && want != "" || refused.ConstraintName != want {
			t.Errorf("%s\ngave %v, want a refusal by %q", statement, err, want)
		}
	}
}

func TestMaskToText(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	for bits, want := range map[int64]string{0: "0", 5: "5", -1: "18446744073709551615", -1 << 63: "9223372036854775808"} {
		var got string
		if err := db.Pool().QueryRow(t.Context(), "SELECT mask_to_text($1)", bits).Scan(&got); err != nil || got != want {
			t.Errorf("%d is %q, want %q: %v", bits, got, want, err)
		}
	}
}

func TestOutboxWakesListeners(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	conn, err := db.Pool().Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), "LISTEN catalog_outbox"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pool().Exec(t.Context(), "INSERT INTO outbox (kind, entity_id) VALUES ('event', 'x'), ('event', 'y')"); err != nil {
		t.Fatal(err)
	}
	notification, err := conn.Conn().WaitForNotification(t.Context())
	if err != nil || notification.Channel != "catalog_outbox" {
		t.Errorf("%v, %v", notification, err)
	}
}
