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
};
