// Looks at pages with axe: in every look, or briefly, which is narrow and light. Nothing may have run
// that a text holds: such texts set the global "planted". Takes paths, and brief.
import assert from "node:assert/strict";
import { narrow } from "../lib/kit.mjs";

// Returns the links and controls that are smaller than fingers need. Links within a sentence are as
// high as its lines.
function smallTargets() {
  const isInSentence = (target) =>
    getComputedStyle(target).display === "inline" &&
    [...target.parentElement.childNodes].some((beside) => beside.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]{2}/u.test(beside.data));
  return [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary, textarea")]
    .filter((target) => target.checkVisibility({ checkVisibilityCSS: true }) && !target.closest(".visually-hidden, .skip"))
    .filter((target) => !isInSentence(target))
    .map((target) => ({ target, box: target.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && (box.width < 23.9 || box.height < 23.9))
    .map(({ target, box }) => `${target.outerHTML.slice(0, 120)} (${box.width} by ${box.height})`);
}

export default async (kit) => {
  const { paths, brief } = kit.args;
  kit.allow(/status of (400|404)/); // pages of errors are looked at, too
  const unharmed = async (page) => {
    for (const frame of page.frames()) {
      assert.equal(await frame.evaluate(() => globalThis.planted), undefined, page.url());
    }
    assert.deepEqual(await page.evaluate(smallTargets), [], `of ${page.url()}`);
  };
  await kit.page.setViewportSize(narrow);
  for (const path of paths) {
    await (brief ? kit.look(path, { ready: unharmed }) : kit.audit(path, unharmed));
  }
};
