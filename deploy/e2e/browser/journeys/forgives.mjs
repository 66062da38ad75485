// Searches misspelt words, which shows at once the events of the corrected ones, and goes back to the
// exact words, which find nothing. Takes words, event, and scripts.
import assert from "node:assert/strict";
import { asks, enter, lists, until } from "../lib/site.mjs";

export default async (kit) => {
  const { page, args } = kit;
  const audited = (...of) => args.scripts && kit.axe(page, ...of); // axe is a script
  await kit.visit("/");
  await kit.reach(page.locator("#search"));
  await page.keyboard.type(args.words);
  await page.keyboard.press("Enter");
  await lists(page, [args.event]);
  await asks(page, { search: args.words });
  assert.equal(await page.locator("#search").inputValue(), args.words);
  await audited("(corrected)");

  await enter(kit, page.locator(".corrected a"));
  await page.locator(".nothing-spelling").waitFor();
  await asks(page, { search: args.words, exact: "true" });
  await lists(page, []);
  assert.ok(await page.locator('.nothing a[href^="/console/signup"]').count());
  await enter(kit, page.locator(".nothing-spelling a"));
  await lists(page, [args.event]);
  await until(async () => assert.equal(await page.locator(".corrected").count(), 0));
};
