import assert from "node:assert/strict";
import { test } from "node:test";
import { LitfassError } from "litfass";
import { type Reply, fake, ok, refused } from "./helpers.js";

/** The error of a request that must fail. */
async function failure(request: Promise<unknown>): Promise<LitfassError> {
  const error = await request.then(
    () => assert.fail("it succeeded"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof LitfassError, String(error));
  return error;
}

test("an answer has its position, and a request the one that it is given", async () => {
  const { client, requests } = fake([ok({ total: 3, facets: {} }, "4711")]);
  const facets = await client.facets({ by: ["city", "tags"], not_over: true, lat: 54.8 }, { position: "4700" });
  assert.equal(facets.position, "4711");
  assert.equal(facets.total, 3);
  assert.equal(requests[0]?.url, "http://service.test/api/events/facets?by=city%2Ctags&not_over=true&lat=54.8");
  assert.equal(requests[0]?.headers.get("Litfass-Position"), "4700");
});

test("a query that is too long for an address is a body", async () => {
  const { client, requests } = fake([ok({ events: [] })]);
  const event_uuids = Array.from({ length: 200 }, () => "0192f0a0-0000-7000-8000-000000000001");
  await client.search({ event_uuids });
  assert.equal(requests[0]?.method, "POST");
  assert.deepEqual(await requests[0]?.json(), { event_uuids });
});

test("an error has what the answer says", async () => {
  const details = [{ field: "limit", reason: "must be a whole number from 1 to 200", code: "x", params: {} }];
  const { client } = fake([refused(400, { code: "invalid_parameters", details })]);
  const error = await failure(client.search({ limit: 1000 }));
  assert.deepEqual(
    [error.kind, error.status, error.code, error.requestId],
    ["invalid", 400, "invalid_parameters", "r"],
  );
  assert.deepEqual(error.details, details);
  assert.match(error.message, /limit must be a whole number/);
});

const kinds: [number, string][] = [
  [404, "not_found"],
  [409, "not_yet_applied"],
  [410, "begin_again"],
  [429, "too_many_requests"],
  [500, "unexpected"],
  [502, "unavailable"],
  [503, "unavailable"],
];
for (const [status, kind] of kinds) {
  test(`${status} is ${kind}`, async () => {
    const { client } = fake([new Response("<html>of a proxy", { status })], { retries: 0 });
    assert.equal((await failure(client.search())).kind, kind);
  });
}

test("what may pass is asked for again", async () => {
  const breaks: Reply = () => Promise.reject(new TypeError("fetch failed"));
  const { client, requests } = fake([breaks, refused(503), ok({ events: [] })]);
  await client.search();
  assert.equal(requests.length, 3);
});

test("what cannot pass is not asked for again", async () => {
  const { client, requests } = fake([refused(404), ok({})]);
  assert.equal((await failure(client.event("x"))).kind, "not_found");
  assert.equal(requests.length, 1);
});

test("after the last retry the error is thrown", async () => {
  const { client, requests } = fake([refused(503), refused(503), ok({})], { retries: 1 });
  assert.equal((await failure(client.search())).kind, "unavailable");
  assert.equal(requests.length, 2);
});

test("Retry-After is waited for", async () => {
  const { client } = fake([refused(429, {}, { "Retry-After": "1" }), ok({ events: [] })]);
  const began = performance.now();
  await client.search();
  assert.ok(performance.now() - began >= 1000, "the second request came too early");
});

test("a wait that is too long is an error at once", async () => {
  const at = new Date(Date.now() + 3_600_000).toUTCString();
  const { client } = fake([refused(429, {}, { "Retry-After": at }), ok({})]);
  const error = await failure(client.search());
  assert.equal(error.kind, "too_many_requests");
  assert.ok((error.retryAfter ?? 0) > 3500);
});

const hangs: Reply = (request) =>
  new Promise((_, reject) => {
    request.signal.addEventListener("abort", () => reject(request.signal.reason));
  });

test("an answer that takes too long is a timeout", async () => {
  const { client } = fake([hangs], { timeout: 20, retries: 0 });
  assert.equal((await failure(client.search())).kind, "timeout");
});

test("a signal ends a request, and a wait", async () => {
  const reason = new Error("enough");
  for (const reply of [hangs, refused(429, {}, { "Retry-After": "60" })]) {
    const controller = new AbortController();
    const { client } = fake([reply]);
    const search = client.search({}, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 20);
    await assert.rejects(search, reason);
  }
  const { client, requests } = fake([]);
  await assert.rejects(client.search({}, { signal: AbortSignal.abort(reason) }), reason);
  assert.equal(requests.length, 1);
});

test("an answer that is not of this service is unexpected", async () => {
  for (const text of ["<html>", "{}", "null"]) {
    const { client } = fake([new Response(text)]);
    assert.equal((await failure(client.search())).kind, "unexpected");
  }
});

test("dates are read page by page", async () => {
  const page = (uuids: string[], last: string) =>
    ok({
      events: uuids.map((date_uuid) => ({ date_uuid })),
      last_event_start_at: `${last}T20:00`,
      last_event_date_uuid: uuids.at(-1),
    });
  const { client, requests } = fake([page(["a", "b"], "2027-01-01"), page(["c"], "2027-01-02")]);
  const uuids: string[] = [];
  for await (const date of client.dates({ city: "Kiel", limit: 2, offset: 5 })) {
    uuids.push(date.date_uuid);
  }
  assert.deepEqual(uuids, ["a", "b", "c"]);
  assert.equal(new URL(requests[0]!.url).search, "?city=Kiel&limit=2&offset=5");
  assert.equal(
    new URL(requests[1]!.url).search,
    "?city=Kiel&limit=2&last_event_start_at=2027-01-01T20%3A00&last_event_date_uuid=b",
  );
});
