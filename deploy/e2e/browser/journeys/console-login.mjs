// Logs in and out, with a wrong password first, and comes back to where the person was going. Takes
// person, and scripts, whether there are any.
import assert from "node:assert/strict";
import { Hand, targets } from "../lib/console.mjs";

export default async (kit) => {
  const { page, args } = kit;
  const hand = new Hand(kit, { keyboard: args.scripts, scripts: args.scripts });
  kit.allow(/status of (401|422)/); // that is what is tried

  await hand.visit("/console/?lang=de");
  await hand.arrives(/\/login$/);
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  assert.equal(new URL(page.url()).searchParams.get("next"), "/console?lang=de");
  await targets(page);

  await hand.fill(page.locator("#email"), args.person.email);
  await hand.fill(page.locator("#password"), "not the password");
  await hand.send(page.locator('form[action="/console/login"]'));
  await page.locator('main [role="alert"]').waitFor();
  assert.equal(await page.locator("#email").inputValue(), args.person.email);
  assert.equal(await page.locator("#password").inputValue(), "", "the password is in the page");
  await hand.logIn(args.person);
  await hand.arrives(/^\/console\/?$/);

  await readsNoSession(kit, args.scripts);
  await loggedOut(hand, args.person);
};

// The session is out of the reach of scripts, and of other paths and sites.
async function readsNoSession({ page, base }, scripts) {
  const cookies = await page.context().cookies(`${base}/console/`);
  const session = cookies.find(({ name }) => name === "litfass_console");
  assert.ok(session.httpOnly && session.sameSite === "Lax" && session.path === "/console", JSON.stringify(session));
  if (scripts) {
    assert.ok(!(await page.evaluate(() => document.cookie)).includes("litfass_console"));
  }
  assert.ok(!(await page.context().cookies(`${base}/`)).some(({ name }) => name === "litfass_console"));
}

// After the logout no page of the person is left: neither in the history nor by the former cookie.
async function loggedOut(hand, person) {
  const { page, kit } = hand;
  const cookies = await page.context().cookies(`${kit.base}/console/`);
  await hand.press(page.locator("form[data-forget] button"));
  await hand.arrives(/\/login$/);
  await page.goBack(); // asks again, since no page is kept
  await hand.arrives(/\/login$/);
  await page.context().addCookies(cookies);
  await hand.visit("/console/account");
  await hand.arrives(/\/login$/);
  assert.ok(!(await page.content()).includes(person.email));
}
