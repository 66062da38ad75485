// Looks at a page of another website with two widgets, narrow and wide. Takes path, and first and
// second, the dates that each may show.
import assert from "node:assert/strict";
import { until } from "../lib/site.mjs";

export default async (kit) => {
  for (const viewport of [{ width: 320, height: 640 }, { width: 1280, height: 900 }]) {
    const { context, page } = await kit.open({ viewport });
    await kit.visit(kit.args.path, page);
    for (const name of ["first", "second"]) {
      await shows(page.locator(`#${name}`), kit.args[name]);
    }
    assert.equal(await page.evaluate(() => globalThis.planted), undefined);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= viewport.width, `${kit.args.path} is too wide`);
    await kit.axe(page, `(${viewport.width} px)`);
    await context.close();
  }
};

// Waits until a widget shows dates, and checks that the styles of its host have not reached in.
async function shows(widget, dates) {
  await widget.scrollIntoViewIfNeeded();
  const shown = widget.locator("[data-date]");
  await until(async () => assert.ok((await shown.count()) > 0, `no dates in ${widget}`));
  for (const date of await shown.evaluateAll((all) => all.map((one) => one.dataset.date))) {
    assert.ok(dates.includes(date), `${date} is in ${widget}`);
  }
  const link = widget.locator("[data-date] a").first();
  const style = await link.evaluate((element) => {
    const { color, textTransform, fontSize } = getComputedStyle(element);
    return { color, textTransform, size: parseFloat(fontSize) };
  });
  assert.notEqual(style.color, "rgb(201, 202, 203)");
  assert.equal(style.textTransform, "none");
  assert.ok(style.size >= 11, `letters of ${style.size} px`);
}
