// Walks through a portal under its own host: its name, its colours and only its events, in each view
// and by links. Takes title, accent (as the browser computes it), event, and other: an event outside.
import assert from "node:assert/strict";
import { enter, lists } from "../lib/site.mjs";

export default async (kit) => {
  const { title, accent, event, other } = kit.args;
  const { page } = kit;
  const isThere = async () => {
    assert.equal((await page.locator(".brand span").textContent()).trim(), title, `of ${page.url()}`);
    assert.equal(new URL(page.url()).host, new URL(kit.base).host);
    const colour = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.setProperty("color", "var(--accent)");
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    });
    assert.equal(colour, accent, `of ${page.url()}`);
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
  };
  await page.emulateMedia({ colorScheme: "light" });
  await kit.visit("/");
  await isThere();
  await lists(page, [event]);
  assert.equal(await page.locator(".languages li").count(), 2);
  await kit.axe(page, "(list)");
  for (const path of ["/month", "/map"]) {
    await enter(kit, page.locator(`[data-part="menu"] a[href^="${path}"]`));
    await page.waitForURL(new URL(path, kit.base).href + "**");
    await isThere();
  }
  await kit.visit("/");
  await enter(kit, page.locator(`.results [data-event="${event}"] a`).first());
  await page.waitForURL("**/event/**");
  await isThere();
  await kit.visit(`/?event_uuids=${other}`);
  assert.equal(await page.locator(".results [data-event]").count(), 0);
  await kit.audit("/");
};
