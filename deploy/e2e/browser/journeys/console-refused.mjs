// What is refused for a while or for good says why and what to do: a save that meets another one, a
// photo of a telephone, too many invitations. Takes founder, who is new, event, the uuid of their
// draft, team, the path of the members of their organization, and control, which locks events.
import assert from "node:assert/strict";
import { Hand } from "../lib/console.mjs";

export default async (kit) => {
  kit.allow(/status of (422|429|503)/); // what is tried
  const hand = new Hand(kit);
  const { founder, event, team, control } = kit.args;
  const path = `/console/event/${event}`;
  await hand.enter(founder, path);
  await busy(hand, path, (what) => ask(`${control}/${what}/${event}`));
  await photo(hand, path);
  await invitations(hand, team);
};

async function ask(address) {
  const answer = await fetch(address, { method: "POST" });
  assert.equal(answer.status, 200, await answer.text());
}

// A save that another one keeps waiting says so, and goes through when that has ended.
async function busy(hand, path, lock) {
  await lock("lock");
  await hand.fill(hand.at("#subtitle"), "Während jemand anders speichert");
  await hand.page.keyboard.press("Tab");
  const failed = hand.at("form:has(#subtitle) [data-failed]");
  await failed.waitFor();
  assert.match(await failed.innerText(), /someone else is saving/i);
  await hand.kit.axe(hand.page, "(while someone else is saving)");
  await lock("unlock");
  await hand.at("form:has(#subtitle) [data-saved]").waitFor();
  await hand.visit(path);
  assert.equal(await hand.at("#subtitle").inputValue(), "Während jemand anders speichert");
}

// This browser cannot read HEIC, as some can.
async function photo(hand, path) {
  await hand.visit(path);
  const file = Buffer.from("\x00\x00\x00\x1cftypheic\x00\x00\x00\x00mif1heic", "latin1");
  await hand.at("#pictures-file").setInputFiles({ name: "IMG_1234.HEIC", mimeType: "image/heic", buffer: file });
  const row = hand.at("#uploads li:has(button)");
  await row.waitFor();
  assert.match(await row.innerText(), /Most Compatible/);
  await hand.kit.axe(hand.page, "(with a HEIC image)");
}

async function invitations(hand, team) {
  await hand.visit(team);
  for (let sent = 0; (await hand.page.locator("#problems").count()) === 0; sent++) {
    assert.ok(sent < 10, "there is no limit");
    await hand.fill(hand.at('#invite [name="email"]'), `guest${sent}@example.org`);
    await hand.tick(hand.at('#invite [name="role"][value="viewer"]'));
    await hand.leads(hand.at('#invite button[type="submit"]'));
  }
  assert.match(await hand.at("#problems").innerText(), /five invitations a day.+Try again in \d+ hours\./);
  await hand.kit.axe(hand.page, "(with too many invitations)");
}
