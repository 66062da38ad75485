// Finds the dates at a venue by the map. Takes filter, venue, name, events, and scripts, with which
// the map can be moved.
import assert from "node:assert/strict";
import { arrives, enter, isShared, lists, until } from "../lib/site.mjs";

export default async (kit) => {
  const { page, args } = kit;
  await kit.visit(`/map?${args.filter}`);
  if (args.scripts) {
    await moved(kit);
  }
  const point = page.locator(args.scripts ? ".leaflet-marker-icon" : "a.map-point").and(page.locator(`[aria-label*="${args.name}"]`));
  await enter(kit, point);
  if (args.scripts) {
    await enter(kit, page.locator('.leaflet-popup-content a[href*="venue_uuids"]'));
  }
  await lists(page, args.events);
  assert.equal(new URL(page.url()).searchParams.get("venue_uuids"), args.venue);
  await isShared(kit);

  await page.goBack();
  const place = page.locator(`[data-venue="${args.venue}"] a.map-place`);
  if (args.scripts) {
    await focusStays(page, place);
  }
  await enter(kit, place);
  await arrives(page, args.name);
};

// The list is read again as the map moves. Its link keeps the focus.
async function focusStays(page, link) {
  await page.locator(".map-live").waitFor();
  await link.focus();
  const before = await link.elementHandle();
  await page.locator('[data-move="map.out"]').evaluate((button) => button.click());
  await until(async () => assert.equal(await before.evaluate((element) => element.isConnected), false));
  assert.ok(await link.evaluate((element) => element === document.activeElement));
}

// Moves the map away from all venues and back: the address and the list of venues follow.
async function moved(kit) {
  const { page, args } = kit;
  const listed = page.locator(`[data-map-found] [data-venue="${args.venue}"]`);
  const map = page.locator(".map-live");
  await map.waitFor();
  await listed.waitFor();
  await kit.reach(map);
  for (const [key, wanted] of [["ArrowLeft", 0], ["ArrowRight", 1]]) {
    await until(async () => {
      await page.keyboard.press(key);
      await page.waitForTimeout(200); // the map waits for the end of its movement
      assert.equal(await listed.count(), wanted);
    });
  }
  assert.ok(new URL(page.url()).searchParams.has("bbox"));
}
