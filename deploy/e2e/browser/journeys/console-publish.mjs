// Changes an event that visitors see, and tries to lose a change, or to publish one without meaning
// to. What visitors see is read from the public API. Takes path, of the event, event, its uuid,
// draft, the uuid of an event that lacks nothing, person, another, who edits at the same time,
// control, which stops services, and scripts.
import assert from "node:assert/strict";
import { learnsNothing } from "../lib/conflict.mjs";
import { Hand, publicEvent } from "../lib/console.mjs";
import { until } from "../lib/site.mjs";

const bar = "[data-publish]";
const publish = `${bar} button[type=submit]`;

export default async (kit) => {
  kit.allow(/status of (401|409|412|422|502|503)|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|Failed to fetch/); // what is tried
  const { args } = kit;
  const hand = new Hand(kit, args);
  await hand.enter(args.person, args.path);
  if (!args.scripts) {
    return withoutScripts(hand);
  }
  await gathers(hand);
  await comesBack(hand);
  await discards(hand);
  await losesService(hand);
  await losesLogin(hand);
  await sharesTabs(hand);
  await meetsAnother(hand);
  await becomesPublic(hand);
  await becomesDraft(hand);
  await logsOut(hand);
};

const visitors = ({ kit }) => publicEvent(kit);

const visitorsSee = (hand, wanted) =>
  until(async () => {
    const event = await visitors(hand);
    for (const [key, value] of Object.entries(wanted)) {
      assert.deepEqual(event[key], value, key);
    }
  });

const typed = async (hand, field, text) => {
  await hand.fill(hand.at(field), text);
  await hand.page.keyboard.press("Tab");
};

// Opens the section of a field, which is folded while it is empty.
const unfolds = (hand, field) => hand.press(hand.at(`.sheet-fold:has(${field}) > summary`));

// Reports what axe finds, except for what the bar covers only until the page is scrolled.
async function looks({ kit, page }, state) {
  const place = (position) => page.locator(bar).evaluate((element, position) => (element.style.position = position), position);
  await place("static");
  await kit.axe(page, state);
  await place("");
}

// Publishes, and waits for the page that confirms it.
async function publishes(hand) {
  await hand.leads(hand.at(publish));
  await hand.at("main > .notice").waitFor();
}

// Changes of several sections wait, are shown against what visitors see, and are published together.
async function gathers(hand) {
  const before = await visitors(hand);
  assert.equal(await hand.at(bar).isVisible(), false);
  await typed(hand, "#title", "Gesammelt");
  await typed(hand, "#subtitle", "Noch nicht öffentlich");
  await typed(hand, "#online_link", "https://example.org/live");
  await unfolds(hand, "#min_age");
  await typed(hand, "#min_age", "12");
  await hand.page.keyboard.press("Enter"); // which would send a form
  const languages = await addsLanguages(hand);
  await until(async () => assert.match(await hand.at(publish).innerText(), /\b5\b/));
  const seen = await hand.at("#edit-title [data-seen]").innerText();
  assert.ok(seen.includes(before.title), `${before.title} is missing in ${seen}`);
  await looks(hand, "(with gathered changes)");
  await hand.press(hand.at("#edit-ages [data-revert]"));
  await until(async () => assert.match(await hand.at(publish).innerText(), /\b4\b/));
  await hand.hasFocus();
  assert.equal(await hand.page.locator("[data-again]:visible").count(), 1);
  await hand.press(hand.at("#edit-ages [data-again]"));
  await until(async () => assert.match(await hand.at(publish).innerText(), /\b5\b/));
  assert.equal(await hand.at("#min_age").inputValue(), "12");
  assert.equal(await hand.page.locator("[data-again]:visible").count(), 0);
  await hand.press(hand.at("#edit-ages [data-revert]"));
  assert.equal((await visitors(hand)).title, before.title);
  await publishes(hand);
  await visitorsSee(hand, { title: "Gesammelt", subtitle: "Noch nicht öffentlich", min_age: before.min_age, languages, online_link: "https://example.org/live" });
  assert.equal(await hand.at(bar).isVisible(), false);
}

// Adds two languages at once, and returns their codes.
async function addsLanguages(hand) {
  await unfolds(hand, "#add_language");
  const codes = await hand.page.locator("#add_language option").evaluateAll((all) => all.slice(1, 3).map(({ value }) => value));
  assert.equal(await hand.at("#add_language-2").isVisible(), false);
  await hand.choose(hand.at("#add_language"), codes[0]);
  await hand.choose(hand.at("#add_language-2"), codes[1]);
  return codes;
}

// A page that is closed and opened again has the changes, and sends nothing.
async function comesBack(hand) {
  const { kit } = hand;
  await typed(hand, "#summary", "Kommt wieder");
  await hand.visit("/console/");
  const sent = [];
  hand.page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await hand.visit(kit.args.path);
  await until(async () => assert.equal(await hand.at("#summary").inputValue(), "Kommt wieder"));
  await hand.page.reload();
  await until(async () => assert.equal(await hand.at("#summary").inputValue(), "Kommt wieder"));
  await hand.at(bar).waitFor();
  await hand.page.waitForLoadState("networkidle");
  assert.deepEqual(sent, []);
  assert.notEqual((await visitors(hand)).summary, "Kommt wieder");
}

async function discards(hand) {
  hand.page.once("dialog", (dialog) => dialog.accept());
  await hand.leads(hand.at("[data-discard-changes]"));
  await hand.at("#title").waitFor();
  assert.notEqual(await hand.at("#summary").inputValue(), "Kommt wieder");
  assert.equal(await hand.at(bar).isVisible(), false);
}

// Without network or service, a publication fails, and nothing that was typed is lost.
async function losesService(hand) {
  const { kit, page } = hand;
  await typed(hand, "#summary", "Ohne Netz");
  await page.context().setOffline(true);
  await hand.press(hand.at(publish));
  await page.waitForURL(/chrome-error/).catch(() => {});
  await page.context().setOffline(false);
  await hand.visit(kit.args.path);
  await until(async () => assert.equal(await hand.at("#summary").inputValue(), "Ohne Netz"));
  await control(hand, "stop");
  await hand.leads(hand.at(publish)); // to the page of the gateway
  await control(hand, "start");
  await hand.visit(kit.args.path);
  await until(async () => assert.equal(await hand.at("#summary").inputValue(), "Ohne Netz"));
  assert.notEqual((await visitors(hand)).summary, "Ohne Netz");
  await publishes(hand);
  await visitorsSee(hand, { summary: "Ohne Netz" });
}

const control = async (hand, what) => {
  const answer = await fetch(`${hand.kit.args.control}/${what}/console`, { method: "POST" });
  assert.equal(answer.status, 200, await answer.text());
};

// A session that has ended: the changes are there after the login.
async function losesLogin(hand) {
  const { kit, page } = hand;
  await typed(hand, "#summary", "Nach dem Ende der Anmeldung");
  await page.context().clearCookies();
  await hand.leads(hand.at(publish));
  await hand.logIn(kit.args.person);
  await hand.visit(kit.args.path);
  await until(async () => assert.equal(await hand.at("#summary").inputValue(), "Nach dem Ende der Anmeldung"));
  await publishes(hand);
  await visitorsSee(hand, { summary: "Nach dem Ende der Anmeldung" });
}

// Two tabs of one person show the same, and are not in conflict.
async function sharesTabs(hand) {
  const { kit } = hand;
  const other = new Hand(kit, { page: await hand.page.context().newPage() });
  await other.visit(kit.args.path);
  await typed(hand, "#summary", "Aus dem ersten Tab");
  await until(async () => assert.equal(await other.at("#summary").inputValue(), "Aus dem ersten Tab"));
  await typed(other, "#subtitle", "Aus dem zweiten Tab");
  await until(async () => assert.equal(await hand.at("#subtitle").inputValue(), "Aus dem zweiten Tab"));
  await publishes(other);
  await visitorsSee(hand, { summary: "Aus dem ersten Tab", subtitle: "Aus dem zweiten Tab" });
  await until(async () => assert.equal(await hand.at(bar).isVisible(), false));
  await typed(hand, "#summary", "Wieder aus dem ersten Tab");
  const reloaded = other.page.waitForEvent("load"); // a browser may lose the close of a page that is reloading
  await publishes(hand);
  await reloaded;
  await visitorsSee(hand, { summary: "Wieder aus dem ersten Tab" });
  await other.page.close();
}

// Another person has published the same field: both versions are shown, and nothing is published
// before a decision. Other fields of theirs stay.
async function meetsAnother(hand) {
  const { kit } = hand;
  const { page } = await kit.open();
  const other = new Hand(kit, { page });
  await other.enter(kit.args.another, kit.args.path);
  await typed(hand, "#title", "Meine Fassung");
  await typed(other, "#title", "Ihre Fassung");
  await typed(other, "#subtitle", "Nur von ihr");
  await publishes(other);
  await hand.leads(hand.at(publish));
  const conflict = hand.at("#edit-title .conflict");
  await conflict.waitFor();
  const shown = await conflict.innerText();
  assert.ok(shown.includes("Ihre Fassung") && shown.includes("Meine Fassung"), shown);
  await until(async () => assert.equal(await hand.at("#title").inputValue(), "Meine Fassung"));
  await looks(hand, "(with a conflict of publications)");
  await visitorsSee(hand, { title: "Ihre Fassung", subtitle: "Nur von ihr" });
  await hand.leads(conflict.locator("button[name=mine]"));
  await hand.at("main > .notice").waitFor();
  await visitorsSee(hand, { title: "Meine Fassung", subtitle: "Nur von ihr" });
  await page.context().close();
}

// Another person releases the event while a page shows it as a draft: what is typed there waits.
async function becomesPublic(hand) {
  const { kit } = hand;
  const path = `/console/event/${kit.args.draft}`;
  const { page } = await kit.open();
  const other = new Hand(kit, { page });
  await learnsNothing(hand.page);
  await hand.visit(path);
  await other.enter(kit.args.another, `${path}/release/released`);
  await other.leads(other.at("main form button[type=submit]"));
  await page.context().close();
  await hand.fill(hand.at("#title"), "Getippt im Entwurf");
  await Promise.all([hand.page.waitForNavigation({ waitUntil: "load" }), hand.page.keyboard.press("Tab")]);
  await until(async () => assert.equal(await hand.at("#title").inputValue(), "Getippt im Entwurf"));
  await hand.at(bar).waitFor();
  const event = { kit: { base: kit.base, args: { ...kit.args, event: kit.args.draft } } };
  await until(async () => assert.equal((await visitors(event)).title, "Bald öffentlich"));
  await publishes(hand);
  await visitorsSee(event, { title: "Getippt im Entwurf" });
  await hand.visit(kit.args.path);
}

// Another person withdraws the event while changes wait: the draft gets them.
async function becomesDraft(hand) {
  const { kit } = hand;
  const path = `/console/event/${kit.args.draft}`;
  await hand.page.unrouteAll();
  await hand.visit(path);
  await typed(hand, "#subtitle", "Getippt vor dem Rückzug");
  const { page } = await kit.open();
  const other = new Hand(kit, { page });
  await other.enter(kit.args.another, `${path}/release/draft`);
  await other.leads(other.at("main form button[type=submit]"));
  await page.context().close();
  await hand.page.locator("form[data-auto] #subtitle").waitFor(); // the open page has noticed
  await hand.at("form:has(#subtitle) [data-saved]").waitFor();
  assert.equal(await hand.at("#subtitle").inputValue(), "Getippt vor dem Rückzug");
  await hand.page.context().clearCookies({ name: "litfass_scripts" });
  await hand.visit(path); // as a browser without scripts has it, and again as one with scripts
  await hand.page.locator("form[data-auto] #subtitle").waitFor();
  assert.equal(await hand.at("#subtitle").inputValue(), "Getippt vor dem Rückzug");
  await hand.visit(kit.args.path);
}

// Logging out with changes that are not published asks first.
async function logsOut(hand) {
  const { kit, page } = hand;
  await typed(hand, "#summary", "Beim Abmelden");
  const asked = [];
  const answers = [false, true];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    return answers[asked.length - 1] ? dialog.accept() : dialog.dismiss();
  });
  await hand.press(hand.at("form[data-forget] button"));
  await until(async () => assert.equal(asked.length, 1));
  assert.equal(await hand.at("#summary").inputValue(), "Beim Abmelden");
  await hand.leads(hand.at("form[data-forget] button"));
  assert.equal(asked.length, 2);
  const kept = () => [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
  assert.deepEqual((await page.evaluate(kept)).filter((key) => key.startsWith("litfass:")), []);
  await hand.enter(kit.args.person, kit.args.path);
  assert.notEqual(await hand.at("#summary").inputValue(), "Beim Abmelden");
}

// One button publishes the fields of all sections, and saves those of a draft; a refused form keeps
// them.
async function withoutScripts(hand) {
  await savesDraft(hand);
  await hand.visit(hand.kit.args.path);
  await hand.fill(hand.at("#title"), "Ohne Skripte");
  await hand.fill(hand.at("#summary"), "Alles auf einmal");
  await unfolds(hand, "#min_age");
  await hand.fill(hand.at("#min_age"), "zwölf");
  await hand.leads(hand.at(publish));
  assert.equal(await hand.at("#summary").inputValue(), "Alles auf einmal");
  assert.equal(await hand.at("#min_age").inputValue(), "zwölf");
  assert.notEqual((await visitors(hand)).title, "Ohne Skripte");
  await hand.fill(hand.at("#min_age"), "6");
  await publishes(hand);
  await visitorsSee(hand, { title: "Ohne Skripte", summary: "Alles auf einmal", min_age: 6 });
}

async function savesDraft(hand) {
  const path = `/console/event/${hand.kit.args.draft}`;
  await hand.visit(path);
  await hand.fill(hand.at("#title"), "Entwurf ohne Skripte");
  await hand.fill(hand.at("#summary"), "Auch im Entwurf");
  await unfolds(hand, "#add_language");
  const languages = await hand.page.locator("#add_language option").evaluateAll((all) => all.slice(1, 3).map(({ value }) => value));
  await hand.choose(hand.at("#add_language"), languages[0]);
  await hand.choose(hand.at("#add_language-2"), languages[1]);
  await unfolds(hand, "#min_age");
  await hand.fill(hand.at("#min_age"), "zwölf");
  await hand.leads(hand.at(publish));
  assert.equal(await hand.at("#title").inputValue(), "Entwurf ohne Skripte");
  assert.equal(await hand.at("#summary").inputValue(), "Auch im Entwurf");
  assert.equal(await hand.at("#min_age").inputValue(), "zwölf");
  await hand.fill(hand.at("#min_age"), "6");
  await publishes(hand);
  await hand.visit(path);
  assert.equal(await hand.at("#title").inputValue(), "Entwurf ohne Skripte");
  assert.equal(await hand.at("#min_age").inputValue(), "6");
  for (const language of languages) {
    assert.ok(await hand.at(`#spoken-${language}`).isChecked(), `${language} is not stored`);
  }
}
