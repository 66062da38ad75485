// Looks for an exhibition as visitors do: finds it on a day and at a time when it is open, not on
// closed days and at other times, and reads when it is open, in the list, on its page and on that of
// its venue. Takes event, venue, open, night, a Monday with other hours, monday and holiday, when it is closed, months, those
// of these days, until, how its end is written, and title.
import { attributes, comes, lists, until } from "../lib/site.mjs";

export default async (kit) => {
  const { page, assert, args } = kit;
  const only = `lang=en&event_uuids=${args.event}`;
  for (const [query, found] of [
    [`on=${args.open}`, true],
    [`on=${args.monday}`, false],
    [`on=${args.holiday}`, false],
    [`on=${args.night}`, true],
    [`on=${args.open}&time=17,20`, true],
    [`on=${args.open}&time=18,20`, false],
    [`on=${args.night}&time=10,17`, false],
    [`on=${args.night}&time=23,24`, true],
    [`on=${args.monday},${args.holiday}`, true],
  ]) {
    await kit.visit(`/?${only}&${query}`);
    await lists(page, found ? [args.event] : []);
  }
  await kit.visit(`/?${only}&on=${args.open}`);
  assert.match(
    await page
      .locator(`.results [data-event="${args.event}"]`)
      .first()
      .innerText(),
    /Tue–Sun 10–18/,
  );
  await isCounted(kit, only);

  await kit.visit(`/?${only}`);
  await page.locator(`[data-event="${args.event}"] a`).first().click();
  await comes(page, "article.event-page");
  const ticket = await page.locator(".ticket-when").innerText();
  assert.ok(
    ticket.includes("Tue–Sun 10–18") && ticket.includes(args.until),
    ticket,
  );
  await readsHours(kit);
  await page.locator(".ticket-venue").click();
  await page.waitForURL(`**/venue/${args.venue}*`); // and its load
  await readsHours(kit);
};

// The table of the week, and of the days with other hours.
async function readsHours(kit) {
  const { page, assert } = kit;
  const rows = await page.locator(".opening-hours tr").allInnerTexts();
  assert.match(rows[0], /Monday\s+closed/);
  assert.match(rows[1], /Tuesday\s+10–18/);
  const others = rows.slice(7).join("\n");
  assert.match(others, /closed\s+Museum holiday/);
  assert.match(others, /18–1\s+Long night/);
  await kit.fits(page);
}

// The calendar counts it on its open days, at a time too.
async function isCounted(kit, only) {
  const { page, assert, args } = kit;
  for (const [time, counts] of [
    ["", { open: "1", monday: "0", holiday: "0", night: "1" }],
    ["&time=10,12", { open: "1", monday: "0", holiday: "0", night: "0" }],
  ]) {
    for (const [name, count] of Object.entries(counts)) {
      const day = args[name];
      await kit.visit(`/month?month=${day.slice(0, 7)}&${only}${time}`);
      await until(async () =>
        assert.deepEqual(
          await attributes(page, `[data-day="${day}"]`, "data-count"),
          [count],
          `${name} on ${page.url()}`,
        ),
      );
    }
  }
}
