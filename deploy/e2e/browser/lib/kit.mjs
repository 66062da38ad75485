// The argument of every journey: its page and context, and actions that several journeys share.
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { axeSource } from "./chromium.mjs";
import { until } from "./site.mjs";

// The rules of WCAG 2.2 A and AA.
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

// Of what axe may load for its rules, these use only sounds and films, and no parsed styles.
const preload = { assets: ["media"] };

// The rules that depend on colours. A page in dark differs from the one in light in nothing else.
const colourRules = ["color-contrast", "link-in-text-block"];

export const narrow = { width: 320, height: 640 };
export const wide = { width: 1280, height: 900 };

export class Kit {
  #seen;

  // base is the site's address, args are the journey's own. open makes a further context with
  // options of Playwright's newContext, and its page.
  constructor({ base, args, context, page, open, seen }) {
    Object.assign(this, { base, args, context, page, open, assert });
    this.#seen = seen;
  }

  // Takes failures whose text matches a pattern for expected, such as the console's word of a 404.
  allow(pattern) {
    this.#seen.allow(pattern);
  }

  // Opens a path of the site.
  visit(path, page = this.page) {
    return page.goto(new URL(path, this.base).href);
  }

  // Reports what axe finds on a page as it is now, or within a part of it: by all rules, or only by
  // those about colours.
  async axe(page = this.page, look = "", { onlyColours = false, within = "html" } = {}) {
    for (const frame of page.frames()) {
      if (!(await frame.evaluate(() => "axe" in globalThis))) {
        await frame.evaluate(axeSource);
      }
    }
    const runOnly = onlyColours ? { type: "rule", values: colourRules } : { type: "tag", values: rules };
    const { violations } = await page.evaluate(
      ({ runOnly, within, preload }) => globalThis.axe.run(within, { runOnly, preload, resultTypes: ["violations"] }),
      { runOnly, within, preload },
    );
    for (const { id, help, nodes } of violations) {
      for (const node of nodes) {
        this.#seen.fail("axe", `${id}: ${help}: ${node.target.join(" ")} ${look}\n${node.failureSummary}`, page.url());
      }
    }
  }

  // Reports what axe finds on a path in light and dark, narrow and wide, as look does.
  async audit(path, ready) {
    for (const viewport of [narrow, wide]) {
      const { context, page } = await this.open({ viewport });
      await this.look(path, { page, ready, colorSchemes: ["light", "dark"] });
      await context.close();
    }
  }

  // Opens a path in a page and reports what axe finds there, and content that overflows a narrow page
  // (WCAG 1.4.10). ready(page) waits for content that comes after the page's load.
  async look(path, { page = this.page, ready = async () => {}, colorSchemes = ["light"] } = {}) {
    await this.visit(path, page);
    await ready(page);
    await this.fits(page);
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      await this.axe(page, `(${colorScheme}, ${page.viewportSize().width} px)`, { onlyColours: colorScheme === "dark" });
    }
    await this.#seen.settle([page]);
  }

  // Reports what does not fit the width of a page (WCAG 1.4.10).
  async fits(page) {
    const { width } = page.viewportSize();
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    if (needed > width) {
      this.#seen.fail("reflow", `the page needs ${needed} px where ${width} are there`, page.url());
    }
  }

  // Presses Tab until an element has the focus, which must be seen there. It throws if the focus
  // does not come by. An answer may replace the element in the moment in which it has the focus: so
  // the presses are enough for two rounds through the longest page.
  async reach(locator, page = this.page) {
    for (let presses = 0; presses < 400; presses++) {
      await page.keyboard.press("Tab");
      if (await locator.evaluate((element) => element.getRootNode().activeElement === element)) {
        const shown = await locator.evaluate(showsFocus);
        assert.ok(shown, `${locator} does not show that it has the focus`);
        return;
      }
    }
    assert.fail(`the focus does not come to ${locator}`);
  }

  // Takes screenshots of a path into a folder: phone, desktop, dark and print.
  async photograph(folder, name, path, ready = async () => {}) {
    await mkdir(folder, { recursive: true });
    const looks = {
      phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
      desktop: { viewport: wide },
      dark: { viewport: wide, colorScheme: "dark" },
      print: { viewport: { width: 794, height: 1123 } }, // A4
    };
    for (const [look, options] of Object.entries(looks)) {
      const { context, page } = await this.open(options);
      if (look === "print") {
        await page.emulateMedia({ media: "print" });
      }
      await this.visit(path, page);
      await ready(page);
      await page.evaluate(showPictures);
      // Chromium refuses a capture at times when the machine is busy.
      await until(() => page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: true }));
      await this.#seen.settle([page]);
      await context.close();
    }
  }
}

// Runs in the page: loads the images that are lazy.
async function showPictures() {
  const loaded = (picture) =>
    new Promise((next) => {
      picture.addEventListener("load", next);
      picture.addEventListener("error", next);
      setTimeout(next, 5_000); // one that was refused before
      picture.loading = "eager";
    });
  const pictures = [...document.images];
  await Promise.all(pictures.filter(({ complete, naturalWidth }) => !complete || naturalWidth === 0).map(loaded));
  await Promise.all(pictures.map((picture) => picture.decode().catch(() => {})));
}

// Runs in the page: whether an element shows its focus: itself, by its parts (such as the circles
// of a map), or by the element whose main link it is (such as a card).
function showsFocus(element) {
  const style = (one) => getComputedStyle(one);
  const outlined = (one) => style(one).outlineStyle !== "none" && parseFloat(style(one).outlineWidth) > 0;
  const around = [element];
  while (around.at(-1).parentElement?.matches(":not(main, body)")) {
    around.push(around.at(-1).parentElement);
  }
  return (
    around.some(outlined) ||
    style(element).boxShadow !== "none" ||
    [...element.querySelectorAll("circle")].some((part) => parseFloat(style(part).strokeWidth) >= 4)
  );
}
