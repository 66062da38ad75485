// Reads a running service in every way that the client has. The environment names its address, an event that was just
// released with its venue and organization, and the position of that write.
import assert from "node:assert/strict";
import { Litfass, LitfassError } from "litfass";

function setting(name: string): string {
  const value = process.env[name];
  assert.ok(value, `${name} is not set`);
  return value;
}

const uuid = setting("EVENT");
const position = setting("POSITION");
const client = new Litfass(setting("BASE"));

const found = await client.search(
  { event_uuids: [uuid], search: "konzert", facets: ["city"], total: true },
  { position },
);
assert.ok(found.position !== null && BigInt(found.position) >= BigInt(position));
assert.equal(found.total_event_count, 3);
assert.equal(found.facets?.facets["city"]?.[0]?.value, "Kiel");

const slugs: string[] = [];
for await (const date of client.dates({ event_uuids: [uuid], limit: 2 })) {
  assert.equal(date.title, "Konzert");
  slugs.push(date.date_slug);
}
assert.deepEqual(slugs, ["2036-03-05-2000", "2036-03-06-2000", "2036-03-07-2000"]);

const event = await client.event(uuid, { lang: "de" });
assert.equal(event.dates.length, 3);
assert.equal(event.event_types[0]?.type_name, "Konzert");
const venue = await client.venue(setting("VENUE"));
assert.equal(venue.city, "Kiel");
assert.ok((await client.venues({ city: "Kiel" })).venues.some((other) => other.uuid === venue.uuid));
const organization = await client.organization(event.org_uuid);
assert.equal((await client.organizations({ search: organization.name })).total, 1);
assert.equal((await client.suggestions({ q: "konz" })).suggestions[0]?.uuid, uuid);
assert.equal((await client.facets({ by: ["city"], event_uuids: Array(150).fill(uuid) })).total, 3); // by POST

const refused = await client.search({ limit: 1000 }).catch((error: unknown) => error);
assert.ok(refused instanceof LitfassError);
assert.deepEqual([refused.kind, refused.status, refused.details[0]?.field], ["invalid", 400, "limit"]);
const late = await new Litfass({ baseUrl: setting("BASE"), retries: 0 })
  .search({}, { position: String(BigInt(position) + 1_000_000n) })
  .catch((error: unknown) => error);
assert.ok(late instanceof LitfassError && late.kind === "not_yet_applied");
console.log("read", uuid);
