import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { WebhookError, verifyWebhook } from "litfass";

const secret = `whsec_${Buffer.from("an old secret of 24 bytes").toString("base64")}`;
const next = `whsec_${Buffer.from("the next one of 24 bytes").toString("base64")}`;
const body = '{"type": "event.updated", "timestamp": "2026-11-20T18:30:00Z", "data": {"uuid": "e", "title": "Käse"}}';
const now = 1_795_000_000_000;

function sign(by: string, id = "n-1", at = now / 1000, text = body): string {
  const key = Buffer.from(by.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${at}.${text}`).digest("base64")}`;
}

function signed(signature: string, at: number | string = now / 1000) {
  return { "webhook-id": "n-1", "webhook-timestamp": String(at), "webhook-signature": signature };
}

test("a signed notification is returned", async () => {
  for (const headers of [
    signed(sign(secret)),
    new Headers(signed(sign(secret))),
    { ...signed(sign(secret)), "Webhook-Id": "n-1" },
  ]) {
    for (const sent of [body, new TextEncoder().encode(body)]) {
      const notification = await verifyWebhook(secret, headers, sent, { now });
      assert.equal(notification.id, "n-1");
      assert.equal(notification.type, "event.updated");
      assert.equal(notification.data["title"], "Käse");
    }
  }
});

test("while secrets are exchanged, either fits", async () => {
  const both = signed(`v1a,other ${sign(next)} ${sign(secret)}`);
  await verifyWebhook(secret, both, body, { now });
  await verifyWebhook(next, both, body, { now });
  await verifyWebhook([secret, next], signed(sign(next)), body, { now });
});

const late = now / 1000 - 301;
const wrong: [string, Record<string, string>, string][] = [
  ["headers", {}, body],
  ["headers", { ...signed(sign(secret)), "webhook-timestamp": "soon" }, body],
  ["headers", { ...signed(sign(secret)), "webhook-id": "" }, body],
  ["timestamp", signed(sign(secret, "n-1", late), late), body],
  ["timestamp", signed(sign(secret, "n-1", late + 602), late + 602), body],
  ["signature", signed(sign(next)), body],
  ["signature", signed(sign(secret, "n-2")), body],
  ["signature", signed(sign(secret)), body.replace("Käse", "Kase")],
  ["signature", signed("v1,"), body],
  ["signature", signed(sign(secret).slice(0, -4)), body],
  ["signature", signed(sign(secret).replace("v1,", "v2,")), body],
  ["body", signed(sign(secret, "n-1", now / 1000, "no JSON")), "no JSON"],
];
for (const [index, [problem, headers, sent]] of wrong.entries()) {
  test(`a wrong notification is refused by its ${problem}, ${index}`, async () => {
    await assert.rejects(verifyWebhook(secret, headers, sent, { now }), { problem });
  });
}

test("a secret that is none is an error", async () => {
  for (const none of ["", "whsec_", "whsec_?"]) {
    await assert.rejects(verifyWebhook(none, signed(sign(secret)), body, { now }), WebhookError);
  }
});
