// How pages of the console are looked at.
import assert from "node:assert/strict";
import { targets, unfold } from "./console.mjs";
import { narrow, wide } from "./kit.mjs";

// Looks at a page wide, and narrow with all that is folded up opened, each in light and dark. Only
// the colours differ between the two. A brief look is narrow, in light.
export async function lookAtPage(kit, page, brief = false) {
  await followTheme(page);
  for (const viewport of brief ? [narrow] : [wide, narrow]) {
    await page.setViewportSize(viewport);
    if (viewport === narrow) {
      await unfold(page);
    }
    await holds(kit, page);
    await kit.axe(page, `(light, ${viewport.width} px)`);
    if (brief) {
      continue;
    }
    await page.emulateMedia({ colorScheme: "dark" });
    await kit.axe(page, `(dark, ${viewport.width} px)`, { onlyColours: true });
    await page.emulateMedia({ colorScheme: "light" });
  }
}

// Looks at a page in the state in which it is: narrow and light, wide and dark. What the state has
// opened within the page may cover the rest, which is not looked at then. A brief look is narrow, in
// light.
export async function lookAtState(kit, page, { name, within }, brief = false) {
  await followTheme(page);
  await page.setViewportSize(narrow);
  await holds(kit, page);
  await kit.axe(page, `(${name}, light, ${narrow.width} px)`, { within });
  if (brief) {
    return;
  }
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: "dark" });
  await holds(kit, page);
  await kit.axe(page, `(${name}, dark, ${wide.width} px)`, { onlyColours: true, within });
}

// The page fits, what can be pressed is large enough, no two elements have the same id, and nothing
// has run that a text holds: such texts set the global "planted".
async function holds(kit, page) {
  await kit.fits(page);
  await targets(page);
  const again = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id).filter((id, i, ids) => ids.indexOf(id) < i));
  assert.deepEqual(again, [], `ids on ${page.url()}`);
  assert.equal(await page.evaluate(() => globalThis.planted), undefined, page.url());
}

// Has a page follow the browser's theme also where a person has chosen one.
export const followTheme = (page) => page.evaluate(() => document.documentElement.removeAttribute("data-theme"));
