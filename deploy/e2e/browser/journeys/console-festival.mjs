// Makes a festival in the console: a series with stages, for which another organizer's event asks,
// and which accepts it. Takes host and guest, who log in, org, the organization of the host, title, slug, stages,
// their titles in order, picture, a JPEG in base64, alt, what it shows, event, the uuid of an event of the guest with one date, and the
// flags scripts and keyboard. Returns the uuid of the series.
import assert from "node:assert/strict";
import { Hand } from "../lib/console.mjs";
import { attributes, until } from "../lib/site.mjs";

export default async (kit) => {
  const { args } = kit;
  const hand = new Hand(kit, args);
  await hand.enter(args.host);
  const series = await founds(hand, args);
  await pictures(hand, series, args);
  const { context, page } = await kit.open({
    javaScriptEnabled: args.scripts,
    viewport: kit.page.viewportSize(),
  });
  const guest = new Hand(kit, { ...args, page });
  await guest.enter(args.guest);
  await asks(guest, args);
  await accepts(hand, args);
  await until(async () => {
    await guest.visit(`/console/event/${args.event}/series`);
    assert.match(
      await guest.at("#event-series .choice").innerText(),
      /Belongs to it/,
    );
  });
  await context.close();
  return series.split("/").at(-1);
};

// The page passes axe, and need not be scrolled sideways.
async function passes(hand, state) {
  await hand.kit.fits(hand.page);
  if (hand.scripts) {
    await hand.kit.axe(hand.page, `(${state})`); // which is a script itself
  }
}

// Adds the series and then its stages, for which the form has a few blank rows at a time.
async function founds(hand, { org, title, slug, stages }) {
  await hand.visit(`/console/organization/${org}`);
  await hand.leads(hand.at(`a[href="/console/organization/${org}/series"]`));
  await passes(hand, "no series");
  await hand.fill(hand.at("#add-item #title"), title);
  await hand.fill(hand.at("#add-item #slug"), slug);
  await hand.leads(hand.at("#add-item button[type=submit]"));
  const path = await hand.arrives(/\/series\/[0-9a-f-]{36}$/);
  await hand.tick(hand.at('#series input[name="public"]'));
  for (let named = 0; named < stages.length;) {
    const rows = hand.page.locator('#series input[name="part-title"]');
    for (
      let row = named;
      row < (await rows.count()) && named < stages.length;
      row++, named++
    ) {
      await hand.fill(rows.nth(row), stages[named]);
    }
    await hand.leads(
      hand.at(
        "#series > button[type=submit], #series .buttons button[type=submit]",
      ),
    );
    await hand.at("main .notice").waitFor();
  }
  assert.deepEqual((await titles(hand)).slice(0, stages.length), stages);
  await passes(hand, "a series with stages");
  return path;
}

// Gives the series a picture with an alternative text, which its page shows.
async function pictures(hand, path, { picture, alt }) {
  await hand.leads(hand.at(`main a[href="${path}/pictures"]`));
  await passes(hand, "no picture");
  await hand.at("#pictures-file").setInputFiles({
    name: "poster.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.from(picture, "base64"),
  });
  if (!hand.scripts) {
    await hand.leads(hand.at('#pictures-form button[type="submit"]'));
  }
  const form = hand.at('#picture-list form:has([name="alt_text"])');
  await form.waitFor();
  assert.equal(await hand.page.locator("#pictures-form").count(), 0);
  await hand.fill(form.locator('[name="alt_text"]'), alt);
  if (hand.scripts) {
    await hand.press(form.locator('button[type="submit"]'));
    await form.locator("[data-saved]").waitFor();
  } else {
    await hand.leads(form.locator('button[type="submit"]'));
  }
  await passes(hand, "a picture");
  await hand.visit(path);
  const shown = hand.at(".series-picture img");
  assert.equal(await shown.getAttribute("alt"), alt);
  await until(async () =>
    assert.ok(await shown.evaluate(({ naturalWidth }) => naturalWidth > 0)),
  );
}

const titles = (hand) =>
  hand.page
    .locator('#series input[name="part-title"]')
    .evaluateAll((all) => all.map(({ value }) => value));

// Finds the series from the menu of an event, asks to belong to it, and chooses the first stage.
async function asks(hand, { event, title, stages }) {
  await hand.visit(`/console/event/${event}`);
  await hand.press(hand.at(".actions details[data-menu] summary"));
  await hand.leads(
    hand.at(`.actions a[href="/console/event/${event}/series"]`),
  );
  await hand.fill(hand.at('main [role="search"] input[name="search"]'), title);
  await hand.leads(hand.at('main [role="search"] button'));
  const choice = hand.at(`#event-series .choice:has-text("${title}")`);
  await hand.tick(choice.locator('input[name="series"]'));
  await hand.leads(hand.at("#event-series button[type=submit]"));
  await hand.at("main .notice").waitFor();
  assert.match(await choice.innerText(), /Waits for a decision/);
  const part = hand.at('#event-series select[name^="part-"]');
  const value = await part
    .locator(`option:has-text("${stages[0]}")`)
    .getAttribute("value");
  await hand.choose(part, value);
  await passes(hand, "the series of an event");
  await hand.leads(hand.at("#event-series button[type=submit]"));
  await hand.at("main .notice").waitFor();
  assert.equal(await part.inputValue(), value);
}

// Finds the event that waits in the list of series, and accepts it.
async function accepts(hand, { org, event, title }) {
  await hand.visit(`/console/organization/${org}/series`);
  const row = hand.at(`[data-item]:has-text("${title}")`);
  assert.match(await row.innerText(), /1 waits/);
  await hand.leads(row.locator("h3 a"));
  assert.deepEqual(await attributes(hand.page, "[data-state]", "data-state"), [
    "asked",
  ]);
  await passes(hand, "an event waits");
  await hand.leads(hand.at(`[data-event="${event}"] button[value="true"]`));
  await hand
    .at(`[data-event="${event}"][data-state="accepted"]`)
    .waitFor({ state: "attached" });
}
