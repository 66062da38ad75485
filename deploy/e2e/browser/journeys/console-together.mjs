// One person invites another, and both write one event at the same time: no change of one is
// overwritten by the other without a question. Takes one, the state of the browser of the first,
// email and password of the other, org, the uuid of the organization, and path, that of the event.
// Returns after how many milliseconds the page of one shows what the other has saved.
import assert from "node:assert/strict";
import { Hand, mailed } from "../lib/console.mjs";
import { conflictShows, fieldOfAnother, learnsNothing, saves } from "../lib/conflict.mjs";
import { until } from "../lib/site.mjs";

export default async (kit) => {
  kit.allow(/status of (404|409|412|422)/); // that is what is tried
  const { path, one } = kit.args;
  const [ada, bea] = [new Hand(kit, await kit.open({ storageState: one })), new Hand(kit, await kit.open())];
  await invite(ada, bea, kit.args);
  await Promise.all([ada.visit(path), bea.visit(path)]);
  const milliseconds = await learns(kit, ada, bea);
  await Promise.all([learnsNothing(ada.page), learnsNothing(bea.page)]);
  await bea.visit(path);
  await saves(ada, "#title", "Der Titel von Ada");

  // What is stored is another part of the event: both are kept.
  await saves(bea, "#summary", `Der Text von Bea ${Date.now()}`);

  await bea.fill(bea.at("#title"), "Der Titel von Bea");
  await bea.page.keyboard.press("Tab");
  await conflictShows(bea, "form:has(#title)", ["Der Titel von Ada", "Der Titel von Bea"]);
  assert.equal(await bea.at("#title").inputValue(), "Der Titel von Bea");
  await kit.axe(bea.page, "(with a conflict)");
  assert.equal(await fieldOfAnother(kit, one, path, "#title"), "Der Titel von Ada");

  // Going on in the same form decides nothing.
  await bea.fill(bea.at("#subtitle"), "Noch ein Untertitel von Bea");
  const sent = (answer) => answer.request().method() === "POST" && answer.url().includes("/edit/title");
  await Promise.all([bea.page.waitForResponse(sent), bea.page.keyboard.press("Tab")]);
  await conflictShows(bea, "form:has(#title)", ["Der Titel von Ada", "Der Titel von Bea"]);
  assert.equal(await fieldOfAnother(kit, one, path, "#title"), "Der Titel von Ada");
  await bea.press(bea.at("form:has(#title) .conflict button[name=mine]"));
  await bea.at("form:has(#title) [data-saved]").waitFor();
  assert.equal(await fieldOfAnother(kit, one, path, "#title"), "Der Titel von Bea");
  assert.equal(await fieldOfAnother(kit, one, path, "#subtitle"), "Noch ein Untertitel von Bea");

  await ada.fill(ada.at("#title"), "Noch ein Titel");
  await ada.page.keyboard.press("Tab");
  await conflictShows(ada, "form:has(#title)", ["Der Titel von Bea", "Noch ein Titel"]);
  await ada.press(ada.at('form:has(#title) .conflict button[name="theirs"]'));
  await until(async () => assert.equal(await ada.at("#title").inputValue(), "Der Titel von Bea"));
  await ada.hasFocus();

  // What is stored is another field of the same form: both are kept, and both are shown.
  await saves(ada, "#title", "Der letzte Titel");
  await saves(bea, "#subtitle", "Der letzte Untertitel");
  await until(async () => assert.equal(await bea.at("#title").inputValue(), "Der letzte Titel")); // its form was saved before, too
  await bea.hasFocus();
  assert.equal(await fieldOfAnother(kit, one, path, "#title"), "Der letzte Titel");
  assert.equal(await fieldOfAnother(kit, one, path, "#subtitle"), "Der letzte Untertitel");

  await goesBackAndForth(ada);
  await comesBack(ada, bea, path);
  return { milliseconds };
};

// An open page says who else has it open, and shows what they save, except where the person writes.
async function learns(kit, ada, bea) {
  await until(async () => assert.match(await ada.at("[data-live-open]").innerText(), /\S/));
  const since = Date.now();
  await saves(ada, "#title", "Live von Ada");
  await until(async () => assert.equal(await bea.at("#title").inputValue(), "Live von Ada"));
  const milliseconds = Date.now() - since;
  const changed = bea.at("[data-live-changed]");
  assert.match(await changed.innerText(), /\d\d.\d\d/);
  assert.equal((await bea.at("#event-title").innerText()).trim(), "Live von Ada");
  assert.match(await bea.at("[data-live-open]").innerText(), /\S/);
  await kit.axe(bea.page, "(after another person has saved)");

  // The same form, and one that is not left yet: what is typed stays, and is saved beside theirs.
  await bea.fill(bea.at("#subtitle"), "Bea schreibt noch");
  const said = await changed.innerText();
  await saves(ada, "#title", "Noch einmal live von Ada");
  await saves(ada, "#summary", "Auch live");
  await until(async () => assert.notEqual(await changed.innerText(), said));
  await until(async () => assert.equal(await bea.at("#summary").inputValue(), "Auch live"));
  assert.equal(await bea.at("#title").inputValue(), "Live von Ada");
  assert.equal(await bea.at("#subtitle").inputValue(), "Bea schreibt noch");
  await bea.page.keyboard.press("Tab");
  await until(async () => assert.equal(await bea.at("#title").inputValue(), "Noch einmal live von Ada"));
  await until(async () => assert.equal(await ada.at("#subtitle").inputValue(), "Bea schreibt noch"));
  assert.equal(await ada.at("#title").inputValue(), "Noch einmal live von Ada");
  return milliseconds;
}

// A step back and a step forth each save the value that they show.
async function goesBackAndForth(hand) {
  const [first, then] = ["Erst so", "Dann so"];
  await hand.visit(hand.kit.args.path);
  await saves(hand, "#summary", first);
  await saves(hand, "#summary", then);
  const undo = hand.at("form:has(#summary) [name=undo]"); // the form said that it is saved before, too
  await until(async () => assert.ok((await undo.getAttribute("value")).includes(first)));
  for (const [step, shown, next] of [["undo", first, "redo"], ["redo", then, "undo"]]) {
    await hand.press(hand.at(`form:has(#summary) [name=${step}]`));
    await hand.at(`form:has(#summary) [name=${next}]`).waitFor();
    assert.equal(await hand.at("#summary").inputValue(), shown);
    assert.equal(await fieldOfAnother(hand.kit, hand.kit.args.one, hand.kit.args.path, "#summary"), shown);
    await hand.hasFocus();
  }
}

// What was typed in a tab that is closed is saved later, but not over what was stored since.
async function comesBack(ada, bea, path) {
  await bea.visit(path);
  await bea.page.evaluate((text) => {
    const field = document.querySelector("#summary");
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true })); // the tab is closed before the field is left
  }, "Der späte Text von Bea");
  await bea.visit("/console/");
  await ada.visit(path);
  await saves(ada, "#summary", "Der frühe Text von Ada");
  await bea.visit(path);
  await bea.at("form:has(#summary) .conflict").waitFor();
  const conflict = await bea.at("form:has(#summary) .conflict").innerText();
  assert.ok(conflict.includes("Der frühe Text von Ada") && conflict.includes("Der späte Text von Bea"), conflict);
  assert.equal(await bea.at("#summary").inputValue(), "Der späte Text von Bea");
}

async function invite(ada, bea, { org, email, password, mail }) {
  await ada.visit(`/console/organization/${org}/team`);
  await ada.fill(ada.at('#invite [name="email"]'), email);
  await ada.tick(ada.at('#invite [name="role"][value="editor"]'));
  await ada.leads(ada.at('#invite button[type="submit"]'));
  assert.ok((await ada.at("main").innerText()).includes(email));

  const link = await mailed(mail, email, "invitation");
  await ada.visit(link);
  await ada.at("#other-account").waitFor();
  assert.equal(await ada.page.locator("#accept, #join").count(), 0, "another account can join");
  await ada.kit.axe(ada.page, "(an invitation of another address)");
  await joins(bea, link, { email, password });
}

// Joins on a phone with only the link of the mail: a name and a password are one form, and its
// answer is the page of the organization.
async function joins(bea, link, { email, password }) {
  const before = bea.page.viewportSize();
  await bea.page.setViewportSize({ width: 360, height: 640 });
  await bea.visit(link);
  assert.equal(new URL(bea.page.url()).search, "", "the token of the mail is in the history");
  const shown = await bea.at("[data-invitation]").innerText();
  assert.ok(shown.includes(email), shown);
  await bea.kit.fits(bea.page);
  await bea.kit.axe(bea.page, "(an invitation without an account)");
  await bea.fill(bea.at("#name"), "Bea Holm");
  await bea.fill(bea.at("#password"), password);
  await bea.leads(bea.at('#join button[type="submit"]'));
  await bea.arrives(/\/organization\/[0-9a-f-]{36}$/);
  await bea.visit(link);
  await bea.at("[data-broken-link]").waitFor();
  await bea.page.setViewportSize(before);
}
