// Tries to lose a text in the middle of a word, once in a draft and once in an event that visitors
// see: afterwards the text is there, and visitors see no change before it is published. Takes draft
// and event, the uuids of two events that lack nothing, person, another, who may edit them, too,
// and control, which stops services. Returns the attempts.
import assert from "node:assert/strict";
import { Hand, publicEvent } from "../lib/console.mjs";
import { until } from "../lib/site.mjs";

const field = "#summary";
const publish = "[data-publish] button[type=submit]";
const logout = '[action="/console/logout"] button';

const accidents = { closesTab, reloads, editsAnother, isAskedToLogOut, logsOutElsewhere, meetsAnotherLogin };
const storages = { full, turnedOff };

export default async (kit) => {
  kit.allow(/status of (401|422|502|503)|ERR_CONNECTION|Failed to fetch/); // what is tried
  const { args } = kit;
  const hand = new Hand(kit, args);
  await hand.enter(args.person);
  const tried = [];
  const attempt = async (kind, name, hand, accident) => {
    const text = `${name} ${kind} ${Date.now()}`;
    const event = { kind, text, uuid: args[kind], path: `/console/event/${args[kind]}` };
    const seen = await visitors(kit);
    await hand.visit(event.path);
    await accident(hand, event);
    await until(async () => assert.equal(await hand.at(field).inputValue(), text));
    assert.deepEqual(await visitors(kit), seen, "visitors see what is not published");
    await keeps(hand, event);
    tried.push(`${name}, ${kind}`);
  };
  for (const kind of ["draft", "event"]) {
    for (const [name, accident] of Object.entries(accidents)) {
      await attempt(kind, name, hand, accident);
    }
  }
  await sendsForAnother(hand);
  await returnsLoggedIn(hand);
  for (const [name, prepare] of Object.entries(storages)) {
    const { context, page } = await kit.open();
    const hand = new Hand(kit, { page });
    await hand.enter(args.person);
    await prepare(page);
    await attempt("draft", name, hand, savesLater);
    await attempt("event", name, hand, publishesLater);
    if (prepare === full) await looks(hand);
    await context.close();
  }
  return tried;
};

// Returns the texts of the event as visitors see it.
async function visitors(kit) {
  const { title, summary, min_age } = await publicEvent(kit);
  return { title, summary, min_age };
}

// Writes into the field and does not leave it.
async function types(hand, text) {
  await hand.at(field).fill("");
  await hand.at(field).click();
  await hand.page.keyboard.type(text); // which is what makes a page ask before it is left
}

// A draft is stored with the text, and visitors see it once the button for that is pressed.
async function keeps(hand, { kind, text, path }) {
  if (kind === "event") {
    await hand.leads(hand.at(publish));
    await hand.at("main > .notice").waitFor();
    return until(async () => assert.equal((await visitors(hand.kit)).summary, text));
  }
  await hand.page.keyboard.press("Tab");
  return until(async () => {
    const answer = await hand.page.request.get(new URL(path, hand.kit.base).href);
    assert.ok((await answer.text()).includes(text), `${text} is not stored`);
  });
}

const another = async (hand) => new Hand(hand.kit, { page: await hand.page.context().newPage() });

async function closesTab(hand, { path, text }) {
  const tab = await another(hand);
  await tab.visit(path);
  await types(tab, text);
  await tab.page.close({ runBeforeUnload: true });
  await hand.visit(path);
}

async function reloads(hand, { text }) {
  await types(hand, text);
  await hand.page.reload();
}

// Another event is edited in between, and keeps its text, too.
async function editsAnother(hand, { kind, path, text }) {
  const other = kind === "draft" ? "event" : "draft";
  const otherPath = `/console/event/${hand.kit.args[other]}`;
  await types(hand, text);
  await hand.visit(otherPath);
  await types(hand, `Dazwischen ${text}`);
  await hand.visit(path);
  await until(async () => assert.equal(await hand.at(field).inputValue(), text));
  await hand.visit(otherPath);
  await until(async () => assert.equal(await hand.at(field).inputValue(), `Dazwischen ${text}`));
  if (other === "event") {
    hand.page.once("dialog", (dialog) => dialog.accept());
    await hand.leads(hand.at("[data-discard-changes]"));
  } else {
    // A page that is left does not hear that the text is saved, and leaves it in the browser.
    await until(async () => assert.ok(!(await hand.page.evaluate(stored)).some((key) => key.includes(otherPath))));
  }
  await hand.visit(path);
}

async function isAskedToLogOut(hand, { text }) {
  const tab = await another(hand);
  await tab.visit("/console/");
  await types(hand, text);
  const asked = tab.page.waitForEvent("dialog");
  const [dialog] = await Promise.all([asked, asked.then((dialog) => dialog.dismiss()), tab.press(tab.at(logout))]);
  assert.equal(dialog.type(), "confirm");
  await tab.page.close();
  await hand.page.reload();
}

// The texts stored under the person of a page. A page forgets one once it has heard that it is saved.
const stored = () => Object.keys(localStorage).filter((key) => key.startsWith(`litfass:${document.body.dataset.user}:`));

// Logs out when nothing is left to be asked about.
const logsOut = async (tab) => {
  await tab.visit("/console/");
  await until(async () => assert.deepEqual(await tab.page.evaluate(stored), []));
  await tab.leads(tab.at(logout));
};

// The page does not know yet that the person has logged out.
async function logsOutElsewhere(hand, { path, text }) {
  const tab = await another(hand);
  await logsOut(tab);
  await tab.page.close();
  await types(hand, text);
  await hand.visit(path);
  await hand.logIn(hand.kit.args.person);
}

// Another person logs in in the same browser: the text is not stored under their name.
async function meetsAnotherLogin(hand, { kind, path, text }) {
  const { person, another: other } = hand.kit.args;
  const tab = await another(hand);
  await logsOut(tab);
  await tab.enter(other);
  await types(hand, text);
  if (kind === "event") {
    await hand.leads(hand.at(publish));
    assert.equal(await hand.at("#email").isVisible(), true, "one person has published under the name of another one");
  } else {
    await hand.page.keyboard.press("Tab");
    await hand.at("[data-logged-out]").waitFor();
  }
  await logsOut(tab);
  await tab.page.close();
  await hand.enter(person, path);
}

// No form is sent under the name of another person: it waits for the one who has filled it in.
async function sendsForAnother(hand) {
  const { person, another: other } = hand.kit.args;
  await hand.visit("/console/messages/new");
  const tab = await another(hand);
  await logsOut(tab);
  await tab.enter(other);
  await hand.choose(hand.at("#to"), await hand.at("#to option:nth-child(2)").getAttribute("value"));
  await hand.fill(hand.at("#subject"), "Von wem?");
  await hand.fill(hand.at("#message"), "Von mir.");
  await hand.leads(hand.at('#new-message button[type="submit"]'));
  assert.equal(await hand.at("#email").isVisible(), true, "one person has written under the name of another one");
  assert.equal(await hand.at('[name="kept.subject"]').inputValue(), "Von wem?");
  await logsOut(tab);
  await tab.page.close();
  await hand.logIn(person);
  await hand.leads(hand.at('main form button[type="submit"]'));
  await hand.at("main > .notice").waitFor();
}

// A person who has logged in elsewhere comes back to the page, which saves what could not be saved.
async function returnsLoggedIn(hand) {
  const { person, draft } = hand.kit.args;
  await hand.visit(`/console/event/${draft}`);
  const tab = await another(hand);
  await logsOut(tab);
  await types(hand, "Vor der Anmeldung");
  await hand.page.keyboard.press("Tab");
  await hand.at("[data-logged-out]").waitFor();
  await tab.enter(person);
  await tab.page.close();
  await hand.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange"))); // pages are always visible here
  await hand.at(`form:has(${field}) [data-saved]`).waitFor();
  assert.equal(await hand.page.locator("[data-logged-out]").count(), 0);
}

// The storage of the browser has no room.
function full(page) {
  return page.evaluate(() => {
    for (let size = 2 ** 23; size >= 1; size /= 2) {
      try {
        localStorage.setItem("full", (localStorage.getItem("full") ?? "") + "x".repeat(size));
      } catch {
        // the half of it may fit
      }
    }
  });
}

// The person has turned the storage of the browser off.
function turnedOff(page) {
  return page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      });
    }
  });
}

// The page asks before it is closed, and is left open.
async function asks(hand) {
  const asked = hand.page.waitForEvent("dialog");
  await Promise.all([asked.then((dialog) => dialog.dismiss()), hand.page.close({ runBeforeUnload: true })]);
  assert.equal((await asked).type(), "beforeunload");
}

const control = async (hand, what) => {
  const answer = await fetch(`${hand.kit.args.control}/${what}/console`, { method: "POST" });
  assert.equal(answer.status, 200, await answer.text());
};

// While the service is down, the page says that the text is only there.
async function savesLater(hand, { text }) {
  await types(hand, text);
  await asks(hand);
  await control(hand, "stop");
  await hand.page.keyboard.press("Tab");
  await hand.at("[data-offline] .if-unstored").waitFor();
  await asks(hand);
  await control(hand, "start");
  await hand.at(`form:has(${field}) [data-saved]`).waitFor();
}

// The text outlasts a closed tab, a service that is down, and a field that is refused.
async function publishesLater(hand, { text }) {
  await types(hand, text);
  await hand.at("[data-publish] .if-unstored").waitFor();
  await asks(hand);
  await control(hand, "stop");
  await hand.press(hand.at(publish));
  await hand.at("#alert [data-unanswered]").waitFor();
  await control(hand, "start");
  assert.equal(await hand.at(field).inputValue(), text);
  await hand.press(hand.at(".sheet-fold:has(#min_age) > summary"));
  await hand.fill(hand.at("#min_age"), "zwölf");
  await hand.leads(hand.at(publish));
  assert.equal(await hand.at("#min_age").inputValue(), "zwölf");
  await hand.at("#min_age").click(); // an untouched page does not ask
  await asks(hand);
  await hand.fill(hand.at("#min_age"), "");
}

// The words about such a text pass axe, also in a form that leads to another page.
async function looks(hand) {
  await hand.visit(`/console/event/${hand.kit.args.event}`);
  await types(hand, "Nur hier");
  await hand.at("[data-publish] .if-unstored").waitFor();
  await hand.kit.axe(hand.page, "(with a text that the browser cannot store)");
  hand.page.once("dialog", (dialog) => dialog.accept());
  await hand.leads(hand.at("[data-discard-changes]"));
  await hand.visit("/console/messages/new");
  await hand.at("#message").click();
  await hand.page.keyboard.type("Nur hier");
  await hand.at("#new-message .if-unstored").waitFor();
  await hand.kit.axe(hand.page, "(with a message that the browser cannot store)");
  await asks(hand);
}
