// Goes from no account to an event that visitors see, with nothing but what it needs: by the three
// steps after the first login, or, with the flag long, by the pages that offer everything. Takes
// email, password, title, day, and the flags scripts, keyboard and long. Returns how many forms were
// sent, keys pressed, fields filled and targets clicked, and after how many seconds the event was
// visible.
import assert from "node:assert/strict";
import { Hand, mailed } from "../lib/console.mjs";
import { until } from "../lib/site.mjs";

export default async (kit) => {
  kit.allow(/status of 4(04|09)/); // the event before its release, and a venue like that of another walk
  const hand = new Hand(kit, kit.args);
  const counted = count(hand);
  const begun = Date.now();
  await signUp(hand, kit.args);
  await (kit.args.long ? byAllPages : bySteps)(hand, kit.args);
  const path = (await hand.arrives(/\/event\/[0-9a-f-]{36}$/)).replace("/console", "");
  await until(async () => assert.equal((await hand.page.request.get((kit.args.site ?? kit.base) + path)).status(), 200));
  return { ...counted, seconds: (Date.now() - begun) / 1000 };
};

// Counts what a hand does.
function count(hand) {
  const counted = { submits: 0, keys: 0, fields: 0, clicks: 0 };
  const { keyboard } = hand.page;
  const [key, press, fill] = [keyboard.press.bind(keyboard), hand.press.bind(hand), hand.fill.bind(hand)];
  keyboard.press = (...args) => {
    counted.keys++;
    return key(...args);
  };
  hand.press = (...args) => {
    counted.clicks += hand.keyboard ? 0 : 1;
    return press(...args);
  };
  hand.fill = (...args) => {
    counted.fields++;
    return fill(...args);
  };
  hand.page.on("request", (request) => {
    counted.submits += request.isNavigationRequest() && request.method() === "POST" ? 1 : 0;
  });
  return counted;
}

async function signUp(hand, { email, password, mail, title }) {
  await hand.visit("/console/signup");
  await hand.fill(hand.at("#name"), "Anna Lund");
  await hand.fill(hand.at("#email"), email);
  await hand.leads(hand.at('#signup button[type="submit"]'));
  await hand.visit(await mailed(mail, email, "activate"));
  await hand.arrives(/\/activate$/);
  assert.equal(await hand.at("#name").inputValue(), "Anna Lund", "the name has to be typed again");
  await hand.fill(hand.at("#password"), password);
  await hand.leads(hand.at('#activate button[type="submit"]'));
  await hand.leads(hand.at('main a[href="/console/organization/new"]'));
  await hand.fill(hand.at("#name"), `Verein für ${title}`);
  await hand.fill(hand.at("#city"), "Kiel");
  await hand.leads(hand.at('#found button[type="submit"]'));
  await hand.arrives(/\/first\/place$/);
}

async function bySteps(hand, { title, day }) {
  await passes(hand, "the second step");
  assert.equal(await hand.at("#city").inputValue(), "Kiel", "the town has to be typed again");
  await hand.fill(hand.at("#first-place #name"), `Saal ${title}`);
  await hand.leads(hand.at('#first-place > button.button'));
  if (await hand.at("#similar").count()) {
    await passes(hand, "venues like the first place"); // venues of other walks
    await hand.leads(hand.at('#similar button[name="confirmed"]'));
  }
  await hand.arrives(/\/event\/new$/);
  await passes(hand, "the third step");
  await hand.fill(hand.at("#title"), title);
  await hand.fillParts(hand.at("#start_date"), day);
  await hand.fillParts(hand.at("#start_time"), "19:30");
  await hand.leads(hand.at('#new-event button[name="release"]'));
}

async function byAllPages(hand, { title, day }) {
  await hand.leads(hand.at('main a[href^="/console/event/new"]'));
  await hand.fill(hand.at("#title"), title);
  await hand.leads(hand.at('#new-event button[type="submit"]'));
  const path = await hand.arrives(/\/event\/[0-9a-f-]{36}$/);
  await addDate(hand, day);
  await hand.visit(path);
  await addVenue(hand, title);
  await hand.leads(hand.at('.actions a[href$="/release/released"]'));
  await hand.leads(hand.at('form[action$="/release/released"] button'));
}

async function addDate(hand, day) {
  await hand.press(hand.at("#dates-add-link"));
  const form = hand.at("#dates-add");
  await form.waitFor();
  await hand.fillParts(form.locator("#start_date"), day);
  await hand.fillParts(form.locator("#start_time"), "19:30");
  await hand.press(form.locator('.buttons > button[type="submit"]').last());
  await hand.at("#dates [data-date]").waitFor();
}

async function addVenue(hand, title) {
  await hand.fill(hand.at("#place-search"), `Saal ${title}`);
  await hand.page.keyboard.press("Enter");
  await hand.leads(hand.at('#place-found a[href*="/place/new"]'));
  await hand.fill(hand.at("#venue-new #city"), "Kiel");
  await hand.leads(hand.at('#venue-new .buttons button[type="submit"]'));
  if (await hand.at("#similar").count()) {
    await hand.leads(hand.at('#similar button[name="confirmed"]'));
  }
  await hand.arrives(/\/event\/[0-9a-f-]{36}$/);
}

// What the page shows passes axe, and need not be scrolled sideways.
async function passes(hand, state) {
  await hand.kit.fits(hand.page);
  if (hand.scripts) {
    await hand.kit.axe(hand.page, `(${state})`); // which is a script itself
  }
}
