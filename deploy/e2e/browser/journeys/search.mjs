// Finds an event by words, goes to its page and back, and finds it by a suggestion. Takes word,
// event, title, and scripts, whether there are any.
import assert from "node:assert/strict";
import { arrives, asks, enter, isShared, lists, until } from "../lib/site.mjs";

export default async (kit) => {
  const { page, args } = kit;
  const field = page.locator("#search");
  await kit.visit("/");
  await kit.reach(field);
  await page.keyboard.type(args.word);
  await page.keyboard.press("Enter");
  await lists(page, [args.event]);
  await asks(page, { search: args.word });
  await isShared(kit);

  await enter(kit, page.locator(`[data-event="${args.event}"] h3 a`));
  await arrives(page, args.title);
  await page.goBack();
  await lists(page, [args.event]);

  if (args.scripts) {
    await kit.visit("/");
    await suggested(kit, field);
  }
};

async function suggested(kit, field) {
  const { page, args } = kit;
  await kit.reach(field);
  await page.keyboard.type(args.word);
  const option = page.getByRole("option", { name: args.title });
  await option.waitFor();
  await kit.axe(page, "(with suggestions)");
  await until(async () => {
    await page.keyboard.press("ArrowDown");
    assert.equal(await option.getAttribute("aria-selected"), "true");
  });
  await page.keyboard.press("Enter");
  await arrives(page, args.title);
}
