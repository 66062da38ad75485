// Narrows the list by a city, a language and a price until it shows one event. Takes event, city,
// language, price, and scripts: without them a button applies the filters.
import { asks, enter, isShared, lists } from "../lib/site.mjs";

export default async (kit) => {
  const { page, args } = kit;
  await kit.visit("/");
  const chosen = {};
  const applied = async (name, value) => {
    chosen[name] = value;
    if (args.scripts) {
      await asks(page, chosen);
    }
  };
  await kit.reach(page.locator("#f-city"));
  await page.keyboard.type(args.city.slice(0, 1));
  await applied("city", args.city);

  await enter(kit, page.locator("#g-languages > summary"));
  await kit.reach(page.locator(`input[name=languages][value=${args.language}]`));
  await page.keyboard.press("Space");
  await applied("languages", args.language);

  await enter(kit, page.locator("#g-price_types > summary"));
  await kit.reach(page.locator(`input[name=price_types][value=${args.price}]`));
  await page.keyboard.press("Space");
  await applied("price_types", args.price);

  if (!args.scripts) {
    await enter(kit, page.locator('.filter-panel button[type="submit"]'));
  }
  await asks(page, chosen);
  await lists(page, [args.event]);
  await isShared(kit);
};
