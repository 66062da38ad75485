// Switches the language of a narrowed list and of an event, which stay what they were. Takes
// filter, event, and scripts.
import assert from "node:assert/strict";
import { comes, dates, enter, until } from "../lib/site.mjs";

export default async (kit) => {
  const { page, args } = kit;
  await kit.visit(`/?${args.filter}`);
  const shown = await dates(page);
  const before = new URL(page.url()).searchParams;
  await speaks(kit, "da");
  await until(async () => assert.deepEqual(await dates(page), shown)); // the language is known before the list
  before.set("lang", "da");
  const after = new URL(page.url()).searchParams;
  before.sort();
  after.sort();
  assert.equal(after.toString(), before.toString());

  await enter(kit, page.locator(`[data-event="${args.event}"] h3 a`).first());
  await comes(page, `article.detail[data-event="${args.event}"]`);
  assert.equal(await page.locator("html").getAttribute("lang"), "da");
  const date = await page.locator("article.detail").getAttribute("data-date");
  await speaks(kit, "de");
  assert.equal(await page.locator("article.detail").getAttribute("data-date"), date);
};

// Chooses a language in the footer.
async function speaks(kit, lang) {
  await enter(kit, kit.page.locator(`.languages a[hreflang="${lang}"]`));
  await until(async () => assert.equal(await kit.page.locator("html").getAttribute("lang"), lang));
}
