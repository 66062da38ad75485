// A client of both services by the types that openapi-typescript generates of their descriptions.
// The environment names the address of the services and an account that can log in.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { paths as AdminPaths } from "./admin.js";
import type { paths as QueryPaths } from "./query.js";

function setting(name: string): string {
  const value = process.env[name];
  assert.ok(value, `${name} is not set`);
  return value;
}

const baseUrl = setting("BASE");
const admin = createClient<AdminPaths>({ baseUrl });
const query = createClient<QueryPaths>({ baseUrl });

/** The payload of an answer, which must be a success. */
function payload<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  assert.ok(answer.data !== undefined, `${answer.response.status} ${JSON.stringify(answer.error)}`);
  return answer.data;
}

/** Logs in, founds an organization and releases an event. */
async function publish(): Promise<{ event: string; position: string }> {
  const login = payload(
    await admin.POST("/api/login", { body: { email: setting("EMAIL"), password: setting("PASSWORD") } }),
  );
  const headers = { Authorization: `Bearer ${login.access_token}` };
  const organization = payload(
    await admin.PUT("/api/admin/organization", { headers, body: { name: "Generated, TypeScript" } }),
  );
  const written = await admin.POST("/api/admin/event/create", {
    headers,
    body: {
      org_uuid: organization.uuid,
      title: "Konzert in TypeScript",
      online_link: "https://example.org/live",
      release_status: "released",
      categories: [1],
      event_types: [{ type_id: 1, genre_id: 1003 }],
      min_age: 12,
      dates: [{ start_date: "2027-03-05", start_time: "20:00" }],
    },
  });
  const event = payload(written);
  assert.equal(event.release_status, "released");
  const position = written.response.headers.get("Litfass-Position");
  assert.ok(position);
  return { event: event.uuid, position };
}

/** Searches for the event: a read node that has not applied its position yet answers 409. */
async function search(event: string, position: string) {
  for (let attempt = 1; ; attempt++) {
    const found = await query.GET("/api/events", {
      params: {
        query: { event_uuids: [event], search: "konzert", limit: 5 },
        header: { "Litfass-Position": position },
      },
    });
    if (found.response.status !== 409 || attempt === 30) return found;
    await new Promise((again) => setTimeout(again, 1000));
  }
}

/** Finds the event in every kind of answer. */
async function find(event: string, position: string): Promise<void> {
  const found = await search(event, position);
  const page = payload(found).data;
  assert.ok(BigInt(found.response.headers.get("Litfass-Position") ?? "0") >= BigInt(position));
  assert.equal(page.events.length, 1);
  for (const entry of page.events) {
    const venue: string | null = entry.venue_uuid;
    assert.equal(venue, null);
    assert.equal(entry.title, "Konzert in TypeScript");
    assert.equal(entry.min_age, 12);
    assert.equal(page.last_event_date_uuid, entry.date_uuid);
  }
  const counted = payload(
    await query.POST("/api/events/facets", { body: { by: ["categories"], event_uuids: [event], start: "2027-01-01" } }),
  ).data;
  assert.equal(counted.total, 1);
  assert.equal(counted.facets["categories"]?.[0]?.value, "1");
  const whole = payload(await query.GET("/api/event/{uuid}", { params: { path: { uuid: event } } })).data;
  assert.equal(whole.dates[0]?.start_time, "20:00");
  const calendar = await query.GET("/api/events.ics", { params: { query: { event_uuids: [event] } }, parseAs: "text" });
  assert.match(payload(calendar), /^BEGIN:VCALENDAR/);
}

/** Reads value sets, and an error. */
async function read(): Promise<void> {
  const names = payload(await query.GET("/api/event/type-genre-lookup", { params: { query: { lang: ["de"] } } })).data;
  assert.equal(names["de"]?.types["1"]?.name, "Konzert");
  const languages = payload(await query.GET("/api/choosable-languages", { params: { query: { lang: "da" } } }));
  assert.ok(languages.some((language) => language.id === "de" && language.name === "Tysk"));
  const refused = await query.GET("/api/events", { params: { query: { limit: 1000 } } });
  assert.equal(refused.response.status, 400);
  assert.equal(refused.error?.details[0]?.field, "limit");
}

const { event, position } = await publish();
await find(event, position);
await read();
console.log("found", event);
