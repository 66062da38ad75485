// Enters opening hours in the console as a museum does, for a date and for the venue. Takes person, event,
// the uuid of a draft that lacks only its dates, venue, first and last, the days of the exhibition, last is
// "" for a permanent one, week, the times by the day of the week, closed, special, and the flags
// scripts and keyboard.
import assert from "node:assert/strict";
import { Hand } from "../lib/console.mjs";
import { until } from "../lib/site.mjs";

export default async (kit) => {
  const { args } = kit;
  kit.allow(/status of 422/); // times that are none
  const hand = new Hand(kit, args);
  await hand.enter(args.person, `/console/event/${args.event}`);
  await addsDate(hand, args);
  await releases(hand, args);
  await writesVenue(hand, args);
};

async function passes(hand, state) {
  await hand.kit.fits(hand.page);
  if (hand.scripts) {
    await hand.kit.axe(hand.page, `(${state})`); // which is a script itself
  }
}

// Fills in the hours of a form.
async function types(hand, form, { week, closed, special }) {
  for (const [day, times] of Object.entries(week)) {
    await hand.fill(form.locator(`[name="hours_${day}"]`), times);
  }
  await hand.fill(form.locator('[name="hours_closed"]'), closed);
  await hand.fill(form.locator('[name="hours_special"]'), special);
}

async function addsDate(hand, args) {
  await hand.press(hand.at("#dates-add-link"));
  const form = hand.at("#dates-add");
  await form.waitFor();
  await hand.fillParts(form.locator("#start_date"), args.first);
  await hand.tick(form.locator("#all_day"));
  if (args.last) {
    await hand.fillParts(form.locator("#end_date"), args.last);
  }
  await hand.press(form.locator("summary", { hasText: "Opening hours" }));
  await types(hand, form, { ...args, week: { tue: "18-10 Uhr and more" } });
  await hand.press(form.locator('.buttons > button[type="submit"]').last());
  await hand.at('#dates-add [name="hours_tue"][aria-invalid="true"]').waitFor();
  await passes(hand, "times that are none");
  await types(hand, form, args);
  await hand.press(form.locator('.buttons > button[type="submit"]').last());
  await until(async () =>
    assert.equal(await hand.page.locator("#dates [data-date]").count(), 1),
  );
  assert.match(
    await hand.at("#dates [data-date]").innerText(),
    /Tue–Sun 10–18/,
  );
  await passes(hand, "a date with opening hours");
}

async function releases(hand, { event }) {
  await hand.visit(`/console/event/${event}/release/released`);
  await hand.leads(hand.at('form[action$="/release/released"] button'));
}

async function writesVenue(hand, args) {
  await hand.visit(`/console/venue/${args.venue}`);
  const form = hand.at('form:has([name="hours_tue"])');
  const folded = hand.at(
    'details:not([open]):has([name="hours_tue"]) > summary',
  );
  if (await folded.count()) {
    await hand.press(folded);
  }
  await types(hand, form, args);
  await hand.saveFormOf('[name="hours_special"]');
  if (hand.scripts) {
    // Each field is saved when it is left, and stored on the device until then.
    await hand.page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith("litfass:")));
  }
  await hand.visit(`/console/venue/${args.venue}`);
  assert.match(await hand.at(".opening-shown").innerText(), /Tue–Sun 10–18 \(\+2\)/);
  await passes(hand, "a venue with opening hours");
}
