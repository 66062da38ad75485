// Downloads the calendar file of a date from the page of its event, and returns it. Takes event,
// date, and title.
import { readFile } from "node:fs/promises";
import { arrives } from "../lib/site.mjs";

export default async (kit) => {
  const { page, args } = kit;
  await kit.visit(`/event/${args.event}?date=${args.date}`);
  await arrives(page, args.title);
  await kit.reach(page.locator(".ticket-calendar summary"));
  await page.keyboard.press("Enter");
  await kit.reach(page.locator('.ticket a[href*=".ics"]'));
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path(), "utf8") };
};
