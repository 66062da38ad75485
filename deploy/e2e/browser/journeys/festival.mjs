// Visits a festival: reads its programme by day and stage, sees one stage on one day, opens an event
// and goes back to the festival, whose calendar, feed and widget have its dates. Takes path, series,
// title, dates, their number, days, stages, their titles in order, stage, one of them, day, events, those of the stage on
// the day, alt, what its picture shows, and scripts.
import { arrives, attributes, comes, lists, until } from "../lib/site.mjs";

export default async (kit) => {
  const { page, assert, args } = kit;
  await kit.visit(`${args.path}?lang=en`);
  await arrives(page, args.title);
  await kit.fits(page);
  await showsPicture(kit);
  assert.deepEqual(
    await attributes(page, ".series-day", "id"),
    args.days.map((day) => `day-${day}`),
  );
  for (const day of args.days) {
    assert.deepEqual(
      await page.locator(`#day-${day} .series-part`).allInnerTexts(),
      args.stages,
    );
  }
  assert.equal(
    await page.locator("[data-programme] [data-date]").count(),
    args.dates,
  );
  await page.locator(`a[href="#day-${args.day}"]`).click();
  await until(async () =>
    assert.ok(
      (await page.locator(`#day-${args.day}`).boundingBox()).y < 200,
      "the day is not in view",
    ),
  );

  await page.getByRole("link", { name: args.stage, exact: true }).click();
  await until(async () => assert.equal(new URL(page.url()).pathname, "/"));
  await until(async () =>
    assert.match(
      await page.locator(".found-count").first().innerText(),
      new RegExp(`^${args.dates / args.stages.length}\\b`),
    ),
  );
  await page.locator('[data-part="menu"] a[href^="/month"]').first().click();
  await comes(page, ".month-nav");
  if ((await page.locator(`[data-day="${args.day}"]`).count()) === 0) {
    await page.locator('.month-nav a[rel~="next"]').click();
  }
  const cell = page.locator(`[data-day="${args.day}"]`);
  assert.equal(
    await cell.getAttribute("data-count"),
    String(args.events.length),
  );
  await cell.locator(".month-link").click();
  await lists(page, args.events);

  await page.locator(".results [data-event] a").first().click();
  await comes(page, "article.event-page");
  const back = page.locator(".detail-series");
  assert.match(
    await back.innerText(),
    new RegExp(`${args.title}.*${args.stage}`, "s"),
  );
  await kit.fits(page);
  await back.locator("a").click();
  await arrives(page, args.title);
  await leadsOut(kit);
};

// The picture is there, wide, and has its place before it is loaded.
async function showsPicture({ page, assert, args }) {
  const picture = page.locator(".series-banner img");
  assert.equal(await picture.getAttribute("alt"), args.alt);
  await until(async () =>
    assert.ok(await picture.evaluate(({ naturalWidth }) => naturalWidth > 0)),
  );
  const { width, height } = await picture.boundingBox();
  assert.ok(
    Math.abs(width / height - 16 / 9) < 0.05 && height < 300,
    `the picture is ${width} by ${height}`,
  );
}

// The calendar and the feed have the dates, and the widget shows them.
async function leadsOut({ page, assert, args }) {
  const read = async (selector) =>
    (
      await page.request.get(
        new URL(
          await page.locator(selector).first().getAttribute("href"),
          page.url(),
        ).href,
      )
    ).text();
  assert.equal(
    (await read('a[href^="/api/events.ics"]')).split("BEGIN:VEVENT").length - 1,
    args.dates,
  );
  assert.ok((await read('a[href^="/api/events.atom"]')).includes("<entry>"));
  await page.locator('a[href^="/embed/builder"]').first().click();
  await comes(page, "form[data-builder]");
  const code = await page.getByLabel("Element", { exact: true }).inputValue();
  assert.ok(code.includes(`series_uuids="${args.series}"`), code);
  const shown = page
    .locator("litfass-events")
    .locator(args.scripts ? "[data-date]" : ".litfass-event, li");
  await until(async () =>
    assert.ok((await shown.count()) > 0, "the widget shows nothing"),
  );
}
