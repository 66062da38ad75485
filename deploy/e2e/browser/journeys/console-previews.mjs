// Shares an event before it is public: makes links, lists them, revokes one and all, and sees a
// link end with its maker's right. Takes path, of a draft, maker, a contributor who makes a link,
// the state of the owner's browser as one, and demote, the address of their rights with the token of
// the owner.
import assert from "node:assert/strict";
import { Hand } from "../lib/console.mjs";

const links = ".preview-links > li";

export default async (kit) => {
  kit.allow(/status of 404/); // of links that have ended
  const { args } = kit;
  const [owner, maker] = [new Hand(kit, await kit.open({ storageState: args.one })), new Hand(kit)];
  const visitor = await kit.open();
  const shows = async (link, wanted) => assert.equal((await visitor.page.goto(link)).status(), wanted ? 200 : 404, link);

  await maker.enter(args.maker, `${args.path}/preview`);
  const theirs = await make(maker);
  await owner.visit(`${args.path}/preview`);
  const own = await make(owner);
  const kept = await make(owner);
  assert.equal(await owner.page.locator(links).count(), 3);
  assert.equal(await owner.page.locator(`${links} .tag`).count(), 1, "the latest link is not marked");
  await kit.axe(owner.page, "(with links)");
  for (const link of [theirs, own, kept]) {
    await shows(link, true);
  }

  await owner.leads(owner.at(`${links} >> nth=1`).locator("button")); // the oldest is first
  assert.equal(await owner.page.locator(links).count(), 2);
  await shows(own, false);
  await shows(kept, true);

  await demote(args.demote);
  await shows(theirs, false);
  await owner.visit(`${args.path}/preview`);
  assert.equal(await owner.page.locator(links).count(), 1);

  const last = await make(owner);
  await owner.leads(owner.at('form[action$="/preview/revoke"] button'));
  assert.equal(await owner.page.locator(links).count(), 0);
  await owner.at("main .notice").waitFor();
  await shows(kept, false);
  await shows(last, false);
};

// Makes a link on the page of the links and returns it. The page shows it once, so a second one is
// made on the page as it is opened again.
async function make(hand) {
  await hand.visit(new URL(hand.page.url()).pathname);
  await hand.leads(hand.at('form[action$="/preview"] button'));
  return hand.at("#preview-link").inputValue();
}

async function demote({ address, token }) {
  const answer = await fetch(address, {
    method: "PUT",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify({ role: "viewer" }),
  });
  assert.equal(answer.status, 200, await answer.text());
}
