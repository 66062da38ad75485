// Finds the dates at a venue by the map. Takes filter, venue, name, events, and scripts, with which
// the map can be moved. The map is in view at once, on a phone as well.
import assert from "node:assert/strict";
import { arrives, enter, isShared, lists, until } from "../lib/site.mjs";

export default async (kit) => {
  const { page, args } = kit;
  await kit.visit(`/map?${args.filter}`);
  await inView(kit);
  if (args.scripts) {
    await moved(kit);
    await withoutTiles(kit);
  }
  await namesTown(kit);
  await kit.visit(`/map?${args.filter}`);
  const point = page.locator(args.scripts ? "button.map-marker" : "a.map-point").and(page.locator(`[aria-label*="${args.name}"]`));
  await enter(kit, point);
  if (args.scripts) {
    await enter(kit, page.locator('.maplibregl-popup-content a[href*="venue_uuids"]'));
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

// A map of a part of a town has the name of the town at its edge, also when it was moved.
async function namesTown({ page, args, base }) {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(new URL("/map?bbox=9.045,54.49,9.06,54.496", base).href);
  const name = page.locator(args.scripts ? ".map-beyond" : "text.map-edge", { hasText: "Husum" });
  const isSeen = async () => {
    const [town, sheet] = [await name.boundingBox({ timeout: 1_000 }), await page.locator(".map-sheet").boundingBox()];
    assert.ok(town.y > sheet.y + sheet.height / 2 && town.y + town.height <= sheet.y + sheet.height, "Husum is not in the south");
    assert.ok(town.x >= sheet.x && town.x + town.width <= sheet.x + sheet.width, "Husum is cut");
  };
  await until(isSeen);
  if (args.scripts) {
    const address = page.url();
    await page.locator('[data-move="map.east"]').click();
    await until(async () => assert.notEqual(page.url(), address));
    await until(isSeen);
  }
  await page.setViewportSize(before);
}

// The whole map is in view, with its list beside it on wide screens.
async function inView({ page }) {
  const before = page.viewportSize();
  for (const [width, height] of [[360, 640], [1366, 768]]) {
    await page.setViewportSize({ width, height });
    const { y, height: high } = await page.locator(".map-sheet").boundingBox();
    assert.ok(y + high <= height, `the map ends at ${y + high} of ${height} px`);
  }
  const [list, map] = await Promise.all([".map-found", ".map-sheet"].map((part) => page.locator(part).boundingBox()));
  assert.ok(Math.abs(list.y - map.y) < 8, "the list is not beside the map");
  await page.setViewportSize(before);
}

// An operator's archive without any tile: the map of the program is shown.
async function withoutTiles({ page, args, base, open }) {
  const { context, page: other } = await open();
  const read = [];
  other.on("response", (answer) => answer.url().includes("/map/tiles/") && read.push([answer.url(), answer.status()]));
  await other.route(/\/map\?/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/ data-tiles="([^"]*)"/, ' data-base="$1" data-base-zoom="8" data-tiles="/map/tiles/none/9/{x}/{y}"');
    await route.fulfill({ response: answer, body });
  });
  await other.route("**/map/tiles/none/**", (route) => route.fulfill({ status: 204 }));
  await other.goto(new URL(`/map?${args.filter}`, base).href);
  await other.locator(".map-ready canvas").waitFor();
  await until(async () => assert.ok(read.some(([url, status]) => !url.includes("/none/") && status === 200), JSON.stringify(read)));
  await context.close();
}

// The list is read again as the map moves. Its link keeps the focus.
async function focusStays(page, link) {
  await page.locator(".map-ready").waitFor();
  await link.focus();
  const before = await link.elementHandle();
  await page.locator('[data-move="map.out"]').evaluate((button) => button.click());
  await until(async () => assert.equal(await before.evaluate((element) => element.isConnected), false));
  assert.ok(await link.evaluate((element) => element === document.activeElement));
}

// Drags the map and zooms it: the address follows. Figures stand in one line.
async function followed(page, map) {
  await map.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const { x, y } = await map.boundingBox();
  for (const move of [
    async () => {
      await page.mouse.move(x + 20, y + 60);
      await page.mouse.down();
      await page.mouse.move(x + 60, y + 80, { steps: 5 });
      await page.mouse.up();
    },
    () => page.locator('[data-move="map.out"]').click(),
    () => page.locator('[data-move="map.in"]').click(),
  ]) {
    const before = page.url();
    await move();
    await until(async () => assert.notEqual(page.url(), before));
  }
  const heights = await page.locator("button.map-marker").evaluateAll((all) => all.map((one) => one.scrollHeight));
  assert.ok(heights.every((one) => one < 32), `figures of ${heights} px`);
}

// Moves the map away from all venues and back: the address and the list of venues follow.
async function moved(kit) {
  const { page, args } = kit;
  const listed = page.locator(`[data-map-found] [data-venue="${args.venue}"]`);
  const map = page.locator(".map-ready canvas");
  await map.waitFor();
  await listed.waitFor();
  await followed(page, map);
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
