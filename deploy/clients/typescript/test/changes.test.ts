import assert from "node:assert/strict";
import { test } from "node:test";
import { BeginAgainError, MemoryStore } from "litfass";
import { fake, first, ok, refused, stream } from "./helpers.js";

const idle = (position: string) => `: idle\nid: ${position}\n\n`;
const changes = (position: string, ...uuids: string[]) =>
  `id: ${position}\nevent: changes\ndata: ${JSON.stringify({
    changes: uuids.map((uuid) => ({ change: "left", uuid, entry: null })),
    position,
  })}\n\n`;

test("a stream in parts of any length is read", async () => {
  const bytes = new TextEncoder().encode(
    `retry: 3000\n\n${changes("a-1", "Küche")}${idle("a-2")}`.replaceAll("\n", "\r\n"),
  );
  for (const length of [1, 7, 1000]) {
    const parts = [];
    for (let at = 0; at < bytes.length; at += length) {
      parts.push(bytes.slice(at, at + length));
    }
    const { client, requests } = fake([stream(parts, "open")]);
    const pages = await first(2, client.changes({ city: "Kiel", after: "a-0" }));
    assert.deepEqual(pages, [
      { changes: [{ change: "left", uuid: "Küche", entry: null }], position: "a-1" },
      { changes: [], position: "a-2" },
    ]);
    assert.equal(requests[0]?.url, "http://service.test/api/changes?city=Kiel");
    assert.equal(requests[0]?.headers.get("Last-Event-ID"), "a-0");
  }
});

test("after a lost stream the next one goes on, and half an event does not count", async () => {
  const half = changes("a-2", "lost").slice(0, -1);
  const { client, requests } = fake([
    stream([changes("a-1", "one"), half], "broken"),
    refused(503),
    stream([changes("a-2", "two")]),
    stream([idle("a-2"), changes("a-3", "three")], "open"),
  ]);
  const pages = await first(3, client.changes({ after: "a-0" }));
  assert.deepEqual(
    pages.flatMap((page) => page.changes.map(({ uuid }) => uuid)),
    ["one", "two", "three"],
  );
  assert.deepEqual(
    requests.map((request) => request.headers.get("Last-Event-ID")),
    ["a-0", "a-1", "a-1", "a-2"],
  );
});

test("without a position the changes begin now", async () => {
  const { client } = fake([ok({ changes: [], position: "a-7", more: false }), stream([changes("a-8", "one")], "open")]);
  const pages = await first(2, client.changes());
  assert.deepEqual(
    pages.map(({ position }) => position),
    ["a-7", "a-8"],
  );
});

test("a position that is not known any more is an error of its own", async () => {
  for (const reply of [refused(410, { code: "begin_again" }), stream(["event: begin_again\ndata: {}\n\n"], "open")]) {
    const { client } = fake([reply]);
    await assert.rejects(first(1, client.changes({ after: "a-0" })), BeginAgainError);
  }
});

test("an answer that is no stream is an error", async () => {
  const { client } = fake([ok({ changes: [], position: "a-1", more: false })]);
  await assert.rejects(first(1, client.changes({ after: "a-0" })), { kind: "unexpected" });
});

test("polling asks again and again", async () => {
  const page = (position: string) => ok({ changes: [], position, more: false });
  const { client, requests } = fake([page("a-0"), page("a-1"), refused(502), page("a-2")]);
  const pages = await first(2, client.changes({ kind: "venues", after: "a-0" }, { poll: true }));
  assert.deepEqual(
    pages.map(({ position }) => position),
    ["a-1", "a-2"],
  );
  assert.equal(requests[3]?.url, "http://service.test/api/changes?kind=venues&after=a-1&limit=1000&wait=30");
});

test("a signal ends a stream", async () => {
  const controller = new AbortController();
  const { client } = fake([stream([idle("a-1")], "open")]);
  const reason = new Error("enough");
  setTimeout(() => controller.abort(reason), 20);
  await assert.rejects(first(2, client.changes({ after: "a-0" }, { signal: controller.signal })), reason);
});

const venue = (name: string) => ({ uuid: name, name });
const venues = (from: number, to: number) =>
  ok({ venues: Array.from({ length: to - from }, (_, i) => venue(String(from + i).padStart(3, "0"))), total: 500 });

test("venues are read again when they shift between two pages", async () => {
  const begin = ok({ changes: [], position: "a-1", more: false }, "5");
  const after = ok({ changes: [], position: "a-1", more: false });
  const { client, requests } = fake([begin, venues(0, 200), venues(200, 390), venues(1, 201), venues(200, 390), after]);
  const store = new MemoryStore<"venues">();
  await client.refresh(store, { kind: "venues", city: "Kiel" });
  assert.equal(store.entries.size, 389);
  assert.ok(store.entries.has("200"), "the venue that moved to the page before is missing");
  assert.equal(requests[2]?.url, "http://service.test/api/venues?city=Kiel&limit=200&offset=199");
  assert.equal(requests[2]?.headers.get("Litfass-Position"), "5");
});

test("a copy begins again, and goes on from its position", async () => {
  const entry = { uuid: "e", date_uuid: "d", title: "Jazz" };
  const begin = (position: string) => ok({ changes: [], position, more: false });
  const found = ok({ events: [{ search_rank: 1, ...entry }] });
  const { client } = fake([
    begin("a-1"),
    ok({ events: [] }),
    refused(410),
    begin("b-1"),
    found,
    begin("b-2"),
    begin("b-3"),
  ]);
  const store = new MemoryStore();
  await client.refresh(store);
  assert.equal(store.position(), "b-2");
  assert.deepEqual([...store.entries.values()], [{ change: "entered", uuid: "d", event_uuid: "e", entry }]);
  await client.refresh(store);
  assert.equal(store.position(), "b-3");
});

test("an error of the store ends a mirror, and one of the read leaves the store empty", async () => {
  const begin = ok({ changes: [], position: "a-1", more: false });
  const full = new Error("the disk is full");
  const store = { position: () => "a-0", replace: () => undefined, apply: () => Promise.reject(full) };
  await assert.rejects(fake([stream([changes("a-1", "x")], "open")]).client.mirror(store), full);
  const empty = new MemoryStore();
  await assert.rejects(fake([begin, refused(400)]).client.mirror(empty), { kind: "invalid" });
  assert.equal(empty.position(), undefined);
});
