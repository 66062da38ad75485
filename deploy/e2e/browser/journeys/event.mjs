// Sees the facts of an event and its button without scrolling, on a desktop and on a phone, where
// the button stays while the page is scrolled. Takes event, and date.
const screens = [
  { width: 1366, height: 768 },
  { width: 360, height: 640 },
];
const facts = ["h1", ".ticket-days", ".ticket-hours", ".ticket-venue", ".ticket-price", ".ticket-action .button"];

export default async (kit) => {
  const { assert, args } = kit;
  for (const viewport of screens) {
    for (const lang of ["en", "de", "da"]) {
      const { context, page } = await kit.open({ viewport, javaScriptEnabled: args.scripts });
      await kit.visit(`/event/${args.event}?date=${args.date}&lang=${lang}`, page);
      for (const fact of facts) {
        assert.ok(await isSeen(page, fact), `${fact} is not seen at ${viewport.width} px in ${lang}`);
      }
      await kit.reach(page.locator(".ticket-action .button"), page);
      if (viewport.width < 600) {
        await page.keyboard.press("End");
        await page.locator(".footer").scrollIntoViewIfNeeded();
        assert.ok(await isSeen(page, ".ticket-action .button"), `the button does not stay in ${lang}`);
      }
      await context.close();
    }
  }
};

// Reports whether the middle of an element, or one within it, is seen in the window.
async function isSeen(page, selector) {
  const box = await page.locator(selector).first().boundingBox();
  const { height } = page.viewportSize();
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}
