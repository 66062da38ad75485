// Loses the tab, the network, the login and the server while a text is written, each time before it
// is saved. The text is there afterwards, and no longer once it is saved. Takes path, that of an
// event, public, that of one that visitors see, person, scripts, and control, which stops services.
import assert from "node:assert/strict";
import { Hand } from "../lib/console.mjs";
import { until } from "../lib/site.mjs";

const field = "#description";
const form = `form[data-auto]:has(${field})`;

export default async (kit) => {
  kit.allow(/status of (401|422|502|503)|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|Failed to fetch/); // what is tried
  const { args } = kit;
  const hand = new Hand(kit, args);
  await hand.enter(args.person, args.path);
  if (!args.scripts) {
    return withoutScripts(hand);
  }
  await closesTab(hand);
  await losesNetwork(hand);
  await losesServer(hand);
  await losesLogin(hand);
  await typesWhileSaving(hand);
  await sendsWithoutAnAnswer(hand);
  await sendsAgain(hand);
  await makesKey(hand);
  await asksWithoutAnAnswer(hand);
  await beginsLater(hand);
  await publicSideIsDown(hand);
};

// The event as another tab finds it has the text. That tab restores unsaved texts, too, so the
// browser must keep none.
async function isStored(hand, text) {
  await keepsNothing(hand);
  const page = await hand.page.context().newPage();
  await until(async () => {
    await hand.kit.visit(hand.kit.args.path, page);
    assert.equal(await page.locator(field).inputValue(), text);
  });
  await page.close();
}

async function closesTab(hand) {
  const text = `Geschrieben, und der Tab ging zu ${Date.now()}`;
  const tab = await hand.page.context().newPage();
  await hand.kit.visit(hand.kit.args.path, tab);
  await tab.locator(field).fill(text);
  await tab.close();
  await hand.visit(hand.kit.args.path);
  assert.equal(await hand.at(field).inputValue(), text);
  await isStored(hand, text);
}

// The browser keeps nothing of the form, because it is stored.
const keepsNothing = (hand) =>
  until(async () => {
    const keys = await hand.page.evaluate(() => Object.keys(localStorage));
    const kept = keys.filter((key) => key.endsWith("#edit-description"));
    assert.deepEqual(kept, [], await hand.at(`${form} .auto-state`).innerText());
  });

async function losesNetwork(hand) {
  const text = `Geschrieben ohne Netz ${Date.now()}`;
  const context = hand.page.context();
  await context.setOffline(true);
  await hand.fill(hand.at(field), text);
  await hand.page.keyboard.press("Tab");
  await hand.at("[data-failed], [data-offline]").waitFor();
  assert.equal(await hand.at(field).inputValue(), text);
  await context.setOffline(false);
  await isStored(hand, text);
}

async function losesServer(hand) {
  const text = `Geschrieben ohne Dienst ${Date.now()}`;
  await control(hand, "stop");
  await hand.fill(hand.at(field), text);
  await hand.page.keyboard.press("Tab");
  await hand.at("[data-failed], [data-offline], #alert .alert").waitFor();
  await control(hand, "start");
  assert.equal(await hand.at(field).inputValue(), text);
  await hand.visit(hand.kit.args.path); // as people do who wait for a page
  await isStored(hand, text);
}

const control = async (hand, what) => {
  const answer = await fetch(`${hand.kit.args.control}/${what}/console`, { method: "POST" });
  assert.equal(answer.status, 200, await answer.text());
};

async function losesLogin(hand) {
  const text = `Geschrieben nach dem Ende der Anmeldung ${Date.now()}`;
  await hand.visit(hand.kit.args.path); // the page may be older than the save of the page before it
  await endSessions(hand);
  await hand.fill(hand.at(field), text);
  await hand.page.keyboard.press("Tab");
  const alert = hand.at("[data-logged-out]");
  await alert.waitFor();
  await hand.kit.axe(hand.page, "(after the end of the login)");
  assert.equal(await hand.at(field).inputValue(), text);
  assert.ok(await alert.evaluate((element) => element.closest("#alert") !== null), "the end of the login stands in the form");
  assert.notEqual(await hand.at(`${form} input[name="base"]`).inputValue(), "", "the form has lost what it was filled with");
  const [tab] = await Promise.all([hand.page.context().waitForEvent("page"), hand.press(alert.locator("a"))]);
  await new Hand(hand.kit, { page: tab }).logIn(hand.kit.args.person);
  await tab.waitForLoadState().catch(() => {}); // its script tells the other tab, and may close this one
  if (!tab.isClosed()) {
    await tab.close();
  }
  await hand.page.bringToFront();
  await hand.at(`${form} [data-saved]`).waitFor();
  assert.equal(await alert.count(), 0);
  await isStored(hand, text);
}

// What is typed while a save is under way is not a part of it.
async function typesWhileSaving(hand) {
  const { kit, page } = hand;
  const [first, second] = ["Wird gespeichert", "Getippt währenddessen"].map((text) => `${text} ${Date.now()}`);
  await hand.visit(kit.args.path);
  let answer;
  const typed = new Promise((next) => {
    answer = next;
  });
  const saves = (url) => url.pathname.startsWith(`${kit.args.path}/edit/`);
  await page.route(saves, async (route) => {
    await typed;
    await route.continue();
  });
  const asked = page.waitForRequest((request) => saves(new URL(request.url())));
  await hand.fill(hand.at(field), first);
  await page.keyboard.press("Tab");
  await asked;
  await hand.at(field).evaluate((element, text) => {
    element.value = text;
    element.dispatchEvent(new Event("input", { bubbles: true })); // the field is not left before the tab is closed
  }, second);
  answer();
  await hand.at(`${form} [data-saved]`).waitFor();
  await page.unroute(saves);
  await hand.visit("/console/");
  await hand.visit(kit.args.path);
  assert.equal(await hand.at(field).inputValue(), second);
  await hand.at(`${form} [data-saved]`).waitFor();
  await isStored(hand, second);
}

// The script fills in what is kept in a task that the page has queued: a later task comes after it.
const filledIn = ({ page }) => page.evaluate(() => new Promise((next) => setTimeout(next)));

// A form that leads to another page, and is answered by the gateway because the service is down.
async function sendsWithoutAnAnswer(hand) {
  const subject = `Geschrieben ohne Antwort ${Date.now()}`;
  const message = "/console/messages/new";
  await hand.visit(message);
  await hand.choose(hand.at("#to"), await hand.at("#to option:nth-child(2)").getAttribute("value"));
  await hand.fill(hand.at("#subject"), subject);
  await hand.fill(hand.at("#message"), "Eine lange Nachricht");
  await control(hand, "stop");
  await hand.leads(hand.at('#new-message button[type="submit"]'));
  await control(hand, "start");
  await hand.visit("/console/");
  await hand.visit(message);
  await until(async () => assert.equal(await hand.at("#subject").inputValue(), subject));
  assert.equal(await hand.at("#message").inputValue(), "Eine lange Nachricht");
}

// A form that is refused is shown at another path, and sent from there. What was sent in the end is
// not filled in again.
async function sendsAgain(hand) {
  const { kit } = hand;
  const send = async (address) => {
    await hand.fill(hand.at("#new-link-url"), address);
    await hand.leads(hand.at('#new-link button[type="submit"]'));
  };
  await hand.visit(kit.args.path);
  await hand.press(hand.at('.sheet-nav a[href="#links"]')); // which opens the section
  await hand.press(hand.at(".add-link > summary"));
  await hand.fill(hand.at("#new-link-label"), "Ein Verweis");
  await send("keine Adresse");
  await hand.arrives(/\/link$/);
  assert.equal(await hand.at("#new-link-label").inputValue(), "Ein Verweis");
  await send("https://example.org/verweis");
  await hand.arrives(/\/event\/[0-9a-f-]{36}$/);
  await hand.at("main > .notice").waitFor();
  assert.equal(new URL(hand.page.url()).searchParams.get("notice"), null, "the notice is repeated by a page that is loaded again");
  await filledIn(hand);
  assert.equal(await hand.at("#new-link-label").inputValue(), "");
}

// A form that is answered by a page, without a redirect.
async function makesKey(hand) {
  const page = "/console/account/keys";
  const key = `Für den Kalender ${Date.now()}`;
  await hand.visit(page);
  await hand.fill(hand.at("#new-key #name"), key);
  await hand.leads(hand.at('#new-key button[type="submit"]'));
  await hand.at("#key-text").waitFor();
  await hand.visit(page);
  await filledIn(hand);
  assert.equal(await hand.at("#new-key #name").inputValue(), "");
}

// A form that the server fills in again shows the server's values, not the ones typed before.
async function beginsLater(hand) {
  await hand.visit(hand.kit.args.path);
  await hand.press(hand.at("#dates-add-link"));
  const dates = hand.at("#dates-add");
  await hand.fillParts(dates.locator("#start_date"), "2099-06-03"); // a Wednesday
  await hand.fillParts(dates.locator("#start_time"), "19:30");
  await hand.tick(dates.locator('input[name="repeat"][value="weeks"]'));
  await hand.tick(dates.locator('input[name="repeat_weekdays"][value="5"]'));
  await hand.tick(dates.locator('input[name="repeat_end"][value="count"]'));
  await hand.fill(dates.locator("#repeat_count"), "3");
  await hand.press(dates.locator("#dates-begin"));
  await dates.locator("#dates-begin").waitFor({ state: "detached" });
  await hand.at("#dates-add .dates-month").first().waitFor();
  assert.equal(await dates.locator("#start_date").inputValue(), "2099-06-05");
}

// A form that is answered on its page gets only an answer of the gateway: the page says so, the form
// is still filled in, and goes through when it is sent again.
async function asksWithoutAnAnswer(hand) {
  await hand.visit(hand.kit.args.path);
  const before = await hand.page.locator("#dates .dates-entry").count();
  const alert = hand.at("#alert [data-unanswered]");
  await control(hand, "stop");
  await hand.press(hand.at("#dates-add-link"));
  await alert.waitFor();
  await hand.hasFocus();
  await hand.kit.axe(hand.page, "(without an answer)");
  await control(hand, "start");
  await hand.press(hand.at("#dates-add-link"));
  const dates = hand.at("#dates-add");
  await dates.waitFor();
  assert.equal(await alert.count(), 0);
  await hand.fillParts(dates.locator("#start_date"), "2098-02-03");
  await hand.fillParts(dates.locator("#start_time"), "18:15");
  await control(hand, "stop");
  const send = dates.locator('.buttons > button[type="submit"]').last();
  await hand.press(send);
  await alert.waitFor();
  assert.equal(await dates.locator("#start_time").inputValue(), "18:15");
  await control(hand, "start");
  await hand.press(send);
  await until(async () => assert.equal(await hand.page.locator("#dates .dates-entry").count(), before + 1));
  assert.equal(await alert.count(), 0);
}

// What is published is published, even if it cannot be asked whether visitors see it.
async function publicSideIsDown(hand) {
  const { kit, page } = hand;
  const link = 'form[data-auto][id^="link-"]';
  const field = `${link} [name="label"]`;
  const seen = (url) => url.pathname === "/console/seen";
  await hand.visit(kit.args.public);
  await hand.press(hand.at('.sheet-nav a[href="#links"]')); // which opens the section
  const before = await hand.at(field).inputValue();
  await page.route(seen, (route) => route.fulfill({ status: 503, body: "down" }));
  const read = page.evaluate(() => new Promise((next) => {
    document.addEventListener("htmx:before:response", (event) => event.detail.ctx.response.status === 503 && setTimeout(next));
  }));
  await hand.fill(hand.at(field), "Ein neuer Name");
  await hand.send(hand.at(link));
  await read;
  assert.equal(await page.locator(`${link} [data-failed]`).count(), 0, "a save is shown as failed");
  assert.equal(await page.locator(`${link} [data-saved]`).count(), 1);
  await page.unroute(seen);
  await hand.fill(hand.at(field), before);
  await hand.send(hand.at(link));
  await hand.at(`${link} .auto-seen:not([hx-get])`).waitFor();
}

// Without scripts the form comes back after the login, to be sent again.
async function withoutScripts(hand) {
  const text = `Geschrieben ohne Skripte ${Date.now()}`;
  const { page, kit } = hand;
  await endSessions(hand);
  await hand.fill(hand.at(field), text);
  await hand.leads(hand.at("[data-publish] button[type=submit]"));
  await hand.fill(hand.at("#email"), kit.args.person.email);
  await hand.fill(hand.at("#password"), kit.args.person.password);
  await hand.leads(hand.at('form[action="/console/login"] button[type="submit"]'));
  await hand.leads(hand.at('main form button[type="submit"]'));
  await hand.arrives(/\/event\/[0-9a-f-]{36}$/);
  assert.equal(await page.locator(field).inputValue(), text);
}

// Ends all sessions of the person, as they can in another browser.
async function endSessions({ kit }) {
  const { args } = kit;
  const base = args.site ?? kit.base;
  const ask = async (method, path, token, body) => {
    const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
    const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    return answer.json();
  };
  const { access_token: token } = await ask("POST", "/api/login", "", args.person);
  const { sessions } = await ask("GET", "/api/admin/user/sessions", token);
  for (const { uuid, current } of sessions) {
    if (!current) {
      await ask("DELETE", `/api/admin/user/sessions/${uuid}`, token);
    }
  }
}
