// Two people save the same text, place and date of an event, one after the other without having seen
// what the first one has saved. Takes one and two, the states of their browsers, path, that of an
// event with at least two dates and no venue, venues, the names of two, and scripts.
import assert from "node:assert/strict";
import { Hand } from "../lib/console.mjs";
import { conflictShows, fieldOfAnother, learnsNothing, saves } from "../lib/conflict.mjs";
import { attributes, until } from "../lib/site.mjs";

export default async (kit) => {
  kit.allow(/status of (409|412|422)/); // that is what is tried
  const { one, two, scripts } = kit.args;
  const ada = new Hand(kit, { scripts, ...(await kit.open({ storageState: one })) });
  const bea = new Hand(kit, { scripts, ...(await kit.open({ storageState: two })) });
  await Promise.all([learnsNothing(ada.page), learnsNothing(bea.page)]);
  for (const part of [texts, venues, dates, addedDates, deletedDate]) {
    await Promise.all([ada.visit(kit.args.path), bea.visit(kit.args.path)]);
    await part(kit, ada, bea);
  }
};

// Has a form sent that is saved as it is edited, by leaving its field or by its button.
async function sends(hand, field) {
  if (hand.scripts) {
    await hand.page.keyboard.press("Tab");
  } else {
    await hand.leads(hand.at(`form[data-auto]:has(${field}) button.auto-button`));
  }
}

// Reports what axe finds, which takes scripts.
const looks = (hand, state) => (hand.scripts ? hand.kit.axe(hand.page, state) : undefined);

// Presses a button whose answer is a part of the page, or without scripts another page.
const presses = (hand, locator) => (hand.scripts ? hand.press(locator) : hand.leads(locator));

async function texts(kit, ada, bea) {
  const { path, one } = kit.args;
  const form = "form:has(#description)";
  await saves(ada, "#description", "Der Text\nvon Ada");
  await bea.fill(bea.at("#description"), "Der Text\nvon Bea");
  await sends(bea, "#description");
  await conflictShows(bea, form, ["von Ada", "von Bea"]);
  assert.equal(await bea.at("#description").inputValue(), "Der Text\nvon Bea");
  assert.equal(await fieldOfAnother(kit, one, path, "#description"), "Der Text\nvon Ada");
  await presses(bea, bea.at(`${form} .conflict button[name=mine]`));
  await until(async () => assert.equal(await fieldOfAnother(kit, one, path, "#description"), "Der Text\nvon Bea"));

  await ada.fill(ada.at("#description"), "Noch ein Text");
  await sends(ada, "#description");
  await conflictShows(ada, form, ["von Bea", "Noch ein Text"]);
  await presses(ada, ada.at(`${form} .conflict button[name="theirs"]`));
  await until(async () => {
    assert.equal(await ada.page.locator(".conflict").count(), 0);
    assert.equal(await ada.at("#description").inputValue(), "Der Text\nvon Bea");
  });
}

async function venues(kit, ada, bea) {
  const [first, second] = kit.args.venues;
  await choosesVenue(ada, first);
  await ada.at("#place .place-chosen .place-name", { hasText: first }).waitFor();

  // The other person's page still has no venue, and a search does not change that.
  await choosesVenue(bea, second);
  await conflictShows(bea, "#place", [first, second]);
  await looks(bea, "(with a conflict of venues)");
  assert.equal(await chosenVenue(kit, kit.args.one), first);
  await presses(bea, bea.at("#place .conflict button[name=mine]"));
  await until(async () => assert.equal(await chosenVenue(kit, kit.args.one), second));

  await presses(ada, ada.at("#choose- button"));
  await conflictShows(ada, "#place", [second]);
  await presses(ada, ada.at('#place .conflict button[name="theirs"]'));
  await until(async () => assert.equal((await ada.at("#place .place-chosen .place-name").innerText()).trim(), second));
  await ada.hasFocus();

  await link(kit, ada, bea);
}

// The address on the network is a field of its own: saving it does not conflict with another
// person's venue.
async function link(kit, ada, bea) {
  await saves(ada, "#online_link", "https://example.org/ada");
  await bea.fill(bea.at("#online_link"), "https://example.org/bea");
  await sends(bea, "#online_link");
  await conflictShows(bea, "#place-online", ["https://example.org/ada", "https://example.org/bea"]);
  assert.equal(await bea.at("#online_link").inputValue(), "https://example.org/bea");
  assert.equal(await fieldOfAnother(kit, kit.args.one, kit.args.path, "#online_link"), "https://example.org/ada");
}

async function choosesVenue(hand, name) {
  await hand.fill(hand.at("#place-search"), name);
  await hand.page.keyboard.press("Enter");
  const found = hand.page.locator("#place-found [data-venue]", { hasText: name }).first();
  await found.waitFor();
  await presses(hand, found.locator('form button[type="submit"]').first());
}

async function chosenVenue(kit, storageState) {
  const { context, page } = await kit.open({ storageState });
  await kit.visit(kit.args.path, page);
  const name = await page.locator("#place .place-chosen .place-name").innerText();
  await context.close();
  return name.trim();
}

// Opens a form of a date by its action.
async function opens(hand, uuid, what) {
  await presses(hand, hand.at(`[data-date="${uuid}"] [data-do="${what}"]`));
  await hand.at(`form[id="dates-change-${uuid}"]`).waitFor();
}

// Waits until the page of the event has so many dates.
async function hasDates(hand, count) {
  if (!hand.scripts) {
    await hand.visit(hand.kit.args.path);
  }
  await until(async () => assert.equal((await datesOf(hand)).length, count));
}

const datesOf = (hand) => attributes(hand.page, "#dates .dates-entry", "data-date");

const sendsDate = (hand) => presses(hand, hand.at(".dates-form .buttons > button.button:not(.button-quiet)"));

async function dates(kit, ada, bea) {
  const [uuid] = await datesOf(ada);
  await Promise.all([opens(ada, uuid, "change"), opens(bea, uuid, "change")]);
  await ada.fillParts(ada.at("#start_time"), "20:15");
  await sendsDate(ada);
  await ada.at(`[data-date="${uuid}"]`, { hasText: "20:15" }).waitFor();
  await bea.fillParts(bea.at("#start_time"), "21:45");
  await sendsDate(bea);
  await conflictShows(bea, ".dates-form", ["20:15", "21:45"]);
  assert.equal(await bea.at("#start_time").inputValue(), "21:45");
  await looks(bea, "(with a conflict of dates)");
  if (bea.scripts) {
    await bea.visit(kit.args.path); // what was typed is there after the tab is closed, too
    await opens(bea, uuid, "change");
    await until(async () => assert.equal(await bea.at("#start_time").inputValue(), "21:45"));
    await sendsDate(bea);
    await conflictShows(bea, ".dates-form", ["20:15", "21:45"]);
  }

  await presses(bea, bea.at(".dates-form .conflict a"));
  await until(async () => {
    assert.equal(await bea.page.locator(".dates-form .conflict").count(), 0);
    assert.equal(await bea.at("#start_time").inputValue(), "20:15");
  });
  await bea.hasFocus();
}

// Both add a date: the second person is shown the first one's date, and adds another all the same.
async function addedDates(_, ada, bea) {
  const before = (await datesOf(ada)).length;
  for (const [hand, time] of [[ada, "10:00"], [bea, "11:30"]]) {
    await presses(hand, hand.at("#dates-add-link"));
    await hand.fillParts(hand.at("#dates-add #start_date"), "2099-06-01");
    await hand.fillParts(hand.at("#dates-add #start_time"), time);
  }
  await sendsDate(ada);
  await hasDates(ada, before + 1);
  await sendsDate(bea);
  await bea.at(".dates-form [data-failed]").waitFor();
  await bea.hasFocus();
  assert.equal(await bea.at("#dates-add #start_time").inputValue(), "11:30");
  await sendsDate(bea);
  await hasDates(bea, before + 2);
}

// One deletes the date that the other one changes: what was typed can be added again.
async function deletedDate(_, ada, bea) {
  const all = await datesOf(ada);
  const uuid = all[1];
  await opens(bea, uuid, "change");
  await bea.fillParts(bea.at("#start_time"), "23:15");
  await presses(ada, ada.at(`[data-date="${uuid}"] [data-do="delete"]`));
  await presses(ada, ada.at('#dates-delete button[type="submit"]'));
  await hasDates(ada, all.length - 1);

  await sendsDate(bea);
  await bea.at("#dates-add").waitFor();
  await bea.hasFocus();
  assert.equal(await bea.at("#dates-add #start_time").inputValue(), "23:15");
  await sendsDate(bea);
  await bea.at("#dates .dates-entry", { hasText: "23:15" }).waitFor();
  await hasDates(bea, all.length);
}
