// Looks at a list on which something begins today, something began before, and something begins
// tomorrow, and skips to it. Takes path, and today, run and tomorrow, the titles.
import assert from "node:assert/strict";
import { enter } from "../lib/site.mjs";

export default async (kit) => {
  const { page, args } = kit;
  const audited = (...of) => args.scripts && kit.axe(page, ...of); // axe is a script
  await kit.visit(args.path);
  const titles = await page.locator(".results [data-event] a").allInnerTexts();
  assert.deepEqual(titles, [args.today, args.run, args.tomorrow]);
  assert.equal(await page.locator(".runs .run").count(), 1);
  await enter(kit, page.locator(".skip").first());
  assert.equal(await page.evaluate(() => document.activeElement.id), "found");
  await audited();

  await page.setViewportSize({ width: 360, height: 640 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360, "the list is wider than a phone");
  await audited("(phone)");
};
