// Logs in with addresses that would lead to another site. Takes person, and nexts, the addresses.
import assert from "node:assert/strict";
import { Hand } from "../lib/console.mjs";

export default async (kit) => {
  const hand = new Hand(kit);
  for (const next of kit.args.nexts) {
    await kit.context.clearCookies();
    await hand.visit(`/console/login?next=${encodeURIComponent(next)}`);
    await hand.logIn(kit.args.person);
    const { origin, pathname } = new URL(kit.page.url());
    assert.equal(origin, kit.base, next);
    assert.ok(pathname.startsWith("/console"), `${next} leads to ${kit.page.url()}`);
  }
};
