// Carries three filters from the list to the calendar and the map by the menu, and changes them there.
// Takes event, city, word, language, venue, and scripts.
import assert from "node:assert/strict";
import { asks, enter, lists, until } from "../lib/site.mjs";

export default async (kit) => {
  const { page, args } = kit;
  const audited = (...of) => args.scripts && kit.axe(page, ...of); // axe is a script
  const three = { city: args.city, search: args.word, languages: args.language };
  await kit.visit(`/?${new URLSearchParams(three)}`);
  await lists(page, [args.event]);
  await enter(kit, page.locator('.masthead a[href^="/month"]'));
  await until(async () => assert.equal(new URL(page.url()).pathname, "/month"));
  await asks(page, three);
  assert.equal(await page.locator(".chip-name", { hasText: args.city }).count(), 1);
  await audited("(the month of a filter)");

  await enter(kit, page.locator('.masthead a[href^="/map"]'));
  await page.locator(`[data-map-found] [data-venue="${args.venue}"]`).waitFor();
  await asks(page, three);
  await enter(kit, page.locator(".filter-panel-open"));
  await page.locator("#f-city").waitFor();
  await audited("(the map of a filter, with its form)");
  await kit.reach(page.locator("#f-city"));
  assert.equal(await page.locator("#f-city").inputValue(), args.city);

  await kit.visit(page.url());
  await enter(kit, page.locator(".filter-chips a", { hasText: args.city }));
  await asks(page, { search: args.word, languages: args.language });
  assert.equal(new URL(page.url()).pathname, "/map");
  await enter(kit, page.locator('.masthead nav a[href^="/?"]'));
  await lists(page, [args.event]);
};
