// Follows a run from its tariffs to the last ticket: an organizer states prices, times of sale and
// places, a box office sells each ticket with its key, fifty a second over all dates, and visitors
// read meanwhile. Then a date is moved. Takes person, path, of the event, event, its uuid, dates,
// their uuids, tickets, how many each has, key, of the box office, token, of the organizer, day, another one, and scripts.
import assert from "node:assert/strict";
import { Hand, targets } from "../lib/console.mjs";
import { until } from "../lib/site.mjs";

const few = 5; // tickets from which on few are left

export default async (kit) => {
  const { args } = kit;
  kit.allow(/status of (404|422)/); // a tariff without a price, and an event that visitors do not see yet
  const hand = new Hand(kit, args);
  await hand.enter(args.person, args.path);
  await setsTariffs(hand);
  await setsSale(hand);
  await releases(kit);
  const visitor = await kit.open({ javaScriptEnabled: args.scripts });
  await sees(kit, visitor.page, "available", "Parkett");
  await sells(kit, visitor.page);
  await seesInConsole(hand);
  await moves(hand, visitor.page);
  await visitor.context.close();
};

// The page passes axe, has targets of a good size, and need not be scrolled sideways.
async function passes(hand, state) {
  await hand.kit.fits(hand.page);
  if (hand.scripts) {
    await targets(hand.page);
    await hand.kit.axe(hand.page, `(${state})`); // which is a script itself
  }
}

const row = async (hand, n, { name, min, max = "", condition = "" }) => {
  await hand.fill(hand.at(`#tariff_name-${n}`), name);
  await hand.fill(hand.at(`#tariff_min-${n}`), min);
  await hand.fill(hand.at(`#tariff_max-${n}`), max);
  await hand.fill(hand.at(`#tariff_condition-${n}`), condition);
};

// Two tariffs, one of them at first without a price. The price of the event follows from them.
async function setsTariffs(hand) {
  const section = '.sheet-fold:has(#edit-tariffs) > summary';
  const form = hand.at("#edit-tariffs");
  const save = async () => {
    const button = form.locator('button[type="submit"]').first();
    if (hand.scripts) {
      await hand.press(button);
    } else {
      await hand.leads((await button.count()) > 0 ? button : hand.at("[data-publish] button[type=submit]"));
    }
  };
  await hand.press(hand.at(section));
  await hand.press(form.locator("details > summary"));
  await row(hand, 1, { name: "Parkett", min: "24", max: "38,50" });
  await row(hand, 2, { name: "Rang", min: "" });
  await save();
  await hand.at('[data-field="tariffs"]').waitFor();
  await hand.fill(hand.at("#tariff_min-2"), "12");
  await hand.fill(hand.at("#tariff_condition-2"), "bis 26 Jahre");
  await save();
  await until(async () => assert.ok((await hand.at("#filled-tickets").innerText()).includes("Rang"), "the tariffs are not in the line"));
  await hand.visit(hand.kit.args.path);
  assert.ok((await hand.at("#price").innerText()).includes("12"), "the price does not follow from the tariffs");
  await hand.press(hand.at(section));
  assert.equal(await hand.at("#tariff_max-1").inputValue(), "38.50");
  await passes(hand, "tariffs");
}

// The times of sale and the places of all dates of the run, in one go.
async function setsSale(hand) {
  const { args } = hand.kit;
  await hand.visit(`${args.path}/dates/${args.dates[0]}`);
  await hand.press(hand.at(".dates-rest:has(#on_sale_from) > summary"));
  await hand.choose(hand.at("#availability"), "available");
  await hand.fill(hand.at("#remaining_places"), String(args.tickets));
  await hand.at("#on_sale_from").fill("2026-09-01T10:00"); // whose parts differ between browsers
  await hand.at("#on_sale_until").fill(`${args.day}T18:00`);
  await hand.tick(hand.at('input[name="scope"][value="all"]'));
  await passes(hand, "a date with its tickets");
  await hand.leads(hand.at('.dates-form button[type="submit"]'));
  await until(async () => assert.equal(await hand.page.locator('#dates [data-places="available"]').count(), args.dates.length));
  await passes(hand, "the dates of a run");
}

async function releases({ base, args }) {
  const answer = await fetch(`${base}/api/admin/event/${args.event}/release-status`, {
    method: "PUT",
    headers: { authorization: `Bearer ${args.token}`, "content-type": "application/json" },
    body: JSON.stringify({ release_status: "released" }),
  });
  assert.equal(answer.status, 200);
}

// A visitor's page of the first date has a badge, and a text.
async function sees(kit, page, availability, text) {
  const { event, dates } = kit.args;
  await until(async () => {
    await kit.visit(`/event/${event}?date=${dates[0]}`, page);
    const line = page.locator(`.ticket-line:has(.tag-places-${availability})`).first();
    assert.ok(await line.count(), `the page does not say ${availability}`);
    assert.ok((await line.innerText()).includes(text), `${text} is missing`);
  });
  await kit.fits(page);
  if (kit.args.scripts) {
    await kit.axe(page, `(${availability})`);
  }
}

const read = async (kit, path) => {
  const answer = await fetch(kit.base + path);
  assert.equal(answer.status, 200, path);
  return (await answer.json()).data;
};

const found = async (kit, filter) => (await read(kit, `/api/events?limit=200&event_uuids=${kit.args.event}&${filter}`)).events.map(({ date_uuid }) => date_uuid);

// The box office sells to the last ticket. No visitor sees places come back.
async function sells(kit, page) {
  let over = false;
  const readers = [1, 2].map(() => reads(kit, () => over));
  await states(kit, kit.args.tickets - 1, few);
  await sees(kit, page, "few_left", "Rang");
  await states(kit, few - 1, 0);
  await sees(kit, page, "sold_out", "Rang");
  over = true;
  const rounds = await Promise.all(readers);
  assert.ok(rounds.every((count) => count > 0), "visitors read nothing");
  await until(async () => assert.deepEqual(await found(kit, "available=true"), []));
  assert.deepEqual((await found(kit, "availability=sold_out")).sort(), [...kit.args.dates].sort());
  await kit.visit(`/?event_uuids=${kit.args.event}&available=true`, page);
  assert.equal(await page.locator(`.results [data-event="${kit.args.event}"]`).count(), 0);
}

// Reads the run until it is over, and counts how often.
async function reads(kit, over) {
  const least = new Map();
  for (let count = 0; ; count++) {
    for (const { uuid, remaining_places } of (await read(kit, `/api/event/${kit.args.event}`)).dates) {
      assert.ok(remaining_places <= (least.get(uuid) ?? Infinity), `${remaining_places} places after ${least.get(uuid)}`);
      least.set(uuid, remaining_places);
    }
    await found(kit, "available=true");
    if (over()) {
      return count + 1;
    }
  }
}

// Sends the places that are left at each date, from a number down to another, fifty requests a
// second over all dates; those of one date after one another.
async function states(kit, from, to) {
  const { dates, key } = kit.args;
  const pause = (1000 / 50) * dates.length;
  const sell = async (date, n) => {
    for (let left = from; left >= to; left--) {
      const due = new Promise((next) => setTimeout(next, pause));
      const availability = left === 0 ? "sold_out" : left <= few ? "few_left" : "available";
      const answer = await fetch(`${kit.base}/api/admin/date/${date}/availability`, {
        method: "PUT",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ availability, remaining_places: left }),
      });
      assert.equal(answer.status, 200, `ticket ${left} of date ${n}`);
      await due;
    }
  };
  await Promise.all(dates.map(sell));
}

async function seesInConsole(hand) {
  const { args } = hand.kit;
  await hand.visit(`${args.path}/dates`);
  assert.equal(await hand.page.locator('#dates [data-places="sold_out"]').count(), args.dates.length);
  await passes(hand, "a run that is sold out");
}

// A date is moved: its form then has the former start, and visitors see it.
async function moves(hand, page) {
  const { args, kit } = { args: hand.kit.args, kit: hand.kit };
  await hand.visit(`${args.path}/dates/${args.dates[0]}?move=1`);
  const before = await hand.at("#start_date").inputValue();
  await hand.fillParts(hand.at("#start_date"), args.day);
  await hand.leads(hand.at('.dates-form button[type="submit"]'));
  await hand.visit(`${args.path}/dates/${args.dates[0]}`);
  assert.equal(await hand.at("#previous_day").inputValue(), before);
  await passes(hand, "a date that was moved");
  await until(async () => {
    await kit.visit(`/event/${args.event}?date=${args.dates[0]}`, page);
    assert.equal(await page.locator("main").filter({ hasText: "Moved from" }).count(), 1);
  });
}
