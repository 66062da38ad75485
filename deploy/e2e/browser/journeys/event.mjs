// Sees the facts of an event and its button without scrolling, on a desktop and on a phone, where
// the button stays while the page is scrolled, adds one of the dates to a calendar, finds the place on
// a map, and opens the video. Takes event, date, and scripts. Each screen has a language of its own.
import { until } from "../lib/site.mjs";

const screens = [
  { viewport: { width: 1366, height: 768 }, languages: { true: "de", false: "en" } },
  { viewport: { width: 360, height: 640 }, languages: { true: "da", false: "de" } },
];
const facts = ["h1", ".ticket-days", ".ticket-hours", ".ticket-venue", ".ticket-price", ".ticket-action .button"];

export default async (kit) => {
  const { assert, args } = kit;
  for (const { viewport, languages } of screens) {
    const { context, page } = await kit.open({ viewport, javaScriptEnabled: args.scripts });
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await kit.visit(`/event/${args.event}?date=${args.date}&lang=${languages[args.scripts]}`, page);
    for (const fact of facts) {
      assert.ok(await isSeen(page, fact), `${fact} is not seen at ${viewport.width} px`);
    }
    await kit.reach(page.locator(".ticket-action .button"), page);
    await openCalendar(kit, page);
    assert.ok(!asked.some((url) => url.includes("/map/tiles/")), "a map that is not seen is loaded");
    await findPlace(kit, page);
    await watch(kit, page, asked);
    if (viewport.width < 600) {
      await page.keyboard.press("End");
      await page.locator(".footer").scrollIntoViewIfNeeded();
      assert.ok(await isSeen(page, ".ticket-action .button"), "the button does not stay");
    }
    await context.close();
  }
};

// Opens the video of the event: its host is asked for nothing before that.
async function watch(kit, page, asked) {
  const { assert, args } = kit;
  const link = page.locator(".video a");
  assert.equal(await link.getAttribute("href"), "https://youtu.be/dQw4w9WgXcQ");
  await link.scrollIntoViewIfNeeded();
  const ofHost = () => asked.filter((url) => /youtu|ytimg|google/.test(url));
  assert.deepEqual(ofHost(), []);
  if (args.scripts) {
    kit.allow(/asks for https:\/\/www\.youtube-nocookie\.com\/embed\//);
    await page.route("https://www.youtube-nocookie.com/**", (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Player</title><h1>Player</h1>" }),
    );
    await kit.reach(link, page);
    await page.keyboard.press("Enter");
    await page.frameLocator(".video iframe").getByText("Player").waitFor();
    assert.deepEqual(ofHost(), ["https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"]);
    await kit.fits(page);
  }
}

// Reports whether the middle of an element, or one within it, is seen in the window.
async function isSeen(page, selector) {
  const box = await page.locator(selector).first().boundingBox();
  const { height } = page.viewportSize();
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

// Opens the calendars of the last date that is listed at once: the page keeps its width.
async function openCalendar(kit, page) {
  const menu = page.locator("#dates > .date-list .date-calendar").last();
  await kit.reach(menu.locator("summary"), page);
  await page.keyboard.press("Enter");
  await kit.reach(menu.locator('a[href$=".ics"]'), page);
  await kit.fits(page);
  if (kit.args.scripts) {
    await kit.axe(page, "(with a calendar)", { within: "#dates" }); // axe needs them itself
  }
}

// Scrolls to the map of the place: the drawing, or with scripts the map in its place.
async function findPlace(kit, page) {
  const { assert, args } = kit;
  const map = page.locator(".venue-map");
  await map.scrollIntoViewIfNeeded();
  if (args.scripts) {
    await map.locator(".map-ready canvas").waitFor();
    await map.locator(".maplibregl-marker .place-pin").waitFor();
    assert.equal(await map.locator("img").count(), 0);
    await kit.axe(page, "(with the map)", { within: ".route" });
  } else {
    await until(async () => assert.ok(await map.locator("img").evaluate((one) => one.complete && one.clientHeight > 100)));
  }
}
