// What several journeys through the site do. All move by keyboard.
import assert from "node:assert/strict";

// How long a step may take on a busy machine.
export const patience = 60_000;

// Waits until a condition holds, and fails with what it throws last.
export async function until(condition) {
  const deadline = Date.now() + patience;
  for (;;) {
    try {
      return await condition();
    } catch (error) {
      if (Date.now() > deadline) {
        throw error;
      }
      await new Promise((next) => setTimeout(next, 50));
    }
  }
}

// Returns an attribute of all elements that a selector finds, such as "data-date".
export const attributes = (page, selector, name) =>
  page.locator(selector).evaluateAll((all, name) => all.map((element) => element.getAttribute(name)), name);

// Returns the dates that a list shows, by uuid.
export const dates = (page) => attributes(page, ".results [data-date]", "data-date");

// Waits until a list shows exactly these events, in any order.
export const lists = (page, events) =>
  until(async () => {
    const shown = await attributes(page, ".results [data-event]", "data-event");
    assert.deepEqual(shown.sort(), [...events].sort(), `of ${page.url()}`);
  });

// Waits until the parameters of the page's address are these, besides the empty ones of a form, and
// for the rest of the page.
export async function asks(page, wanted) {
  await until(async () => {
    const asked = [...new URL(page.url()).searchParams].filter(([name, value]) => value && name !== "ongoing");
    assert.deepEqual(Object.fromEntries(asked), wanted);
  });
  await page.waitForLoadState();
}

// Waits for the page with a heading, and for the rest of it.
export async function arrives(page, title) {
  await until(async () => assert.equal((await page.locator("h1").first().textContent({ timeout: 1_000 })).trim(), title));
  await page.waitForLoadState();
}

// Waits for the page with an element, and for the rest of it.
export async function comes(page, element) {
  await page.locator(element).first().waitFor();
  await page.waitForLoadState();
}

// Opens the address of the page in another browser, where it must show the same dates.
export async function isShared({ open, page }) {
  const { context, page: other } = await open();
  await other.goto(page.url());
  assert.deepEqual(await dates(other), await dates(page), `of ${page.url()}`);
  await context.close();
}

// Reaches an element and presses Enter.
export async function enter(kit, locator) {
  await kit.reach(locator);
  await kit.page.keyboard.press("Enter");
}
