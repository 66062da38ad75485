// Looks at two widgets on a page that does all to break them. Takes site, the address that they come
// from, and now, the instant that the page takes for the present.
export default async (kit) => {
  const { page, assert } = kit;
  await page.clock.setFixedTime(kit.args.now);
  await kit.visit("/plain");
  const names = () => Object.getOwnPropertyNames(globalThis).sort();
  const before = await page.evaluate(names);

  await kit.visit("/hostile");
  const list = page.locator("litfass-events").nth(0);
  const month = page.locator("litfass-events").nth(1);
  await list.locator("li").nth(4).waitFor();
  await month.locator("td a").first().waitFor();
  assert.deepEqual(await page.evaluate(names), before, "the widget leaves names in the page");

  await harmless(kit, list);
  await looksLikeItself(kit, list);
  await saysCancelled(kit, list);
  assert.equal(await luminance(list) < 0.2, true, "the first one is not dark as its page is");
  assert.equal(await luminance(month) > 0.8, true, "the second one is not light as its attribute says");
  assert.equal(await list.locator("section").evaluate((section) => getComputedStyle(section).direction), "rtl");
  assert.equal(await list.getAttribute("dir"), null);

  await kit.reach(list.getByRole("link", { name: "Tango" }));
  await narrow(kit);
  await kit.axe();
  await stepThrough(kit, month);
};

// What organizers wrote is text, and every link leads to the site.
async function harmless({ page, args, assert }, list) {
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  assert.equal(await list.locator("img, script, i").count(), 0);
  assert.equal(await list.getByRole("heading", { name: "Kiel <b>" }).count(), 1);
  assert.match(await list.locator("li").first().innerText(), /<img src=x onerror/);
  const links = await page.locator("litfass-events a[part]").evaluateAll((all) => all.map(({ href }) => href));
  assert.ok(links.length > 8, `${links.length} links`);
  for (const link of links) {
    assert.ok(link.startsWith(`${args.site}/`), link);
  }
}

async function looksLikeItself({ assert }, list) {
  const style = await list.locator("[part~=title]").first().evaluate((title) => {
    const { color, fontSize, letterSpacing, textTransform } = getComputedStyle(title);
    return { color, fontSize, letterSpacing, textTransform };
  });
  assert.deepEqual(style, { color: "rgb(241, 236, 224)", fontSize: "16px", letterSpacing: "normal", textTransform: "none" });
  assert.ok(await list.getByRole("link", { name: "Tango" }).isVisible());
  assert.equal(await list.evaluate((element) => element.getBoundingClientRect().height), 408 + 10); // 4 rows, and the page's padding
}

async function saysCancelled({ assert }, list) {
  const cancelled = list.locator("li[part~=cancelled]");
  assert.match(await cancelled.innerText(), /\bCancelled Tango/);
  assert.equal(await cancelled.locator("a > s").count(), 1);
  assert.equal(await cancelled.locator("s").evaluate((title) => getComputedStyle(title).textDecorationLine), "line-through");
  assert.match(await list.locator("time").first().innerText(), /^Thu 19 Nov, 20:00$/);
  assert.match(await list.locator("time").nth(2).innerText(), /^Sat 21 Nov – Mon 23 Nov, all day$/);
}

const luminance = (widget) =>
  widget.locator("section").evaluate((section) => {
    const [red, green, blue] = getComputedStyle(section).backgroundColor.match(/\d+/g).map(Number);
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  });

// The month is a table from Monday on, whose steps lead to others.
async function stepThrough({ assert }, month) {
  assert.deepEqual(await month.locator("th").allInnerTexts(), ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"]);
  assert.equal(await month.locator("td").nth(5).innerText(), ""); // the 1st is a Sunday
  assert.match(await month.getByRole("link", { name: "Freitag, 20. November (2)" }).innerText(), /^20/);
  assert.equal(await month.getByRole("link", { name: /^Freitag, 20. November/ }).getAttribute("href").then((link) => new URL(link).searchParams.get("on")), "2026-11-20");
  assert.equal(await month.locator("[part=period]").innerText(), "November 2026");
  await month.getByRole("button", { name: "Weiter" }).click();
  await month.locator("caption", { hasText: "Dezember 2026" }).waitFor({ state: "attached" });
  assert.equal(await month.locator("[part=period]").innerText(), "Dezember 2026");
}

// On a narrow page nothing in a widget is wider than its place.
async function narrow({ page, assert }) {
  for (const width of [200, 320]) {
    await page.setViewportSize({ width, height: 640 });
    const wide = await page.locator("litfass-events section").evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
    assert.equal(wide, 0, `a widget is wider than its place on ${width} pixels`);
  }
}
