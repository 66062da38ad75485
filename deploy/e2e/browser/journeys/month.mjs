// Finds what happens on a day by the calendar of its month. Takes event, and day.
import { arrives, asks, enter, isShared, lists } from "../lib/site.mjs";

export default async (kit) => {
  const { page, args } = kit;
  await kit.visit(`/month?event_uuids=${args.event}`);
  if ((await page.locator(`[data-day="${args.day}"]`).count()) === 0) {
    await enter(kit, page.locator('.month-nav a[rel~="next"]'));
  }
  await enter(kit, page.locator(`[data-day="${args.day}"] .month-link`));
  await lists(page, [args.event]);
  await asks(page, { event_uuids: args.event, on: args.day });
  await isShared(kit);

  await page.goBack();
  await enter(kit, page.locator(`[data-day="${args.day}"] [data-event="${args.event}"] a`));
  await arrives(page, args.title);
  await runsInARow(kit);
};

// Many runs are one row above the calendar, as wide as the page.
async function runsInARow(kit) {
  const { page, assert } = kit;
  const before = page.viewportSize();
  const later = new Date(Date.now() + 32 * 86_400_000).toISOString().slice(0, "2006-01".length); // not the present month
  for (const [width, height] of [[360, 640], [1366, 768]]) {
    await page.setViewportSize({ width, height });
    await kit.visit(`/month?month=${later}`);
    const tops = await page.locator(".runs ul").evaluate((row) => {
      row.append(...Array.from({ length: 6 }, () => row.firstElementChild.cloneNode(true)));
      return [...row.children].map((one) => one.offsetTop);
    });
    assert.deepEqual([...new Set(tops)], tops.slice(0, 1), `rows at ${width} px`);
    await kit.fits(page);
  }
  await page.setViewportSize(before);
}
