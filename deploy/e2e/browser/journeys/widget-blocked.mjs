// Looks at a page on which the widget's script does not run: the links in the element are there.
export default async (kit) => {
  kit.allow(/Content Security Policy|script-src/);
  await kit.visit("/blocked");
  const link = kit.page.locator("litfass-events a");
  kit.assert.equal(await link.textContent(), "All events in Kiel");
  kit.assert.equal(await kit.page.locator("litfass-events").first().evaluate((element) => element.shadowRoot), null);
};
