// Loses the tab, the network, the login and the server while a text is written, each time before it
// is saved. Takes path, that of an event, person, scripts, and control, which stops services. The
// text is there afterwards.
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
};

// The event as another tab finds it has the text.
async function isStored(hand, text) {
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
  await hand.at(`${form} [data-saved]`).waitFor();
  await isStored(hand, text);
}

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
  await endSessions(hand);
  await hand.fill(hand.at(field), text);
  await hand.page.keyboard.press("Tab");
  const alert = hand.at("[data-logged-out]");
  await alert.waitFor();
  await hand.kit.axe(hand.page, "(after the end of the login)");
  assert.equal(await hand.at(field).inputValue(), text);
  const [tab] = await Promise.all([hand.page.context().waitForEvent("page"), hand.press(alert.locator("a"))]);
  await new Hand(hand.kit, { page: tab }).logIn(hand.kit.args.person);
  if (!tab.isClosed()) {
    await tab.close();
  }
  await hand.page.bringToFront();
  await isStored(hand, text);
}

// Without scripts the form comes back after the login, to be sent again.
async function withoutScripts(hand) {
  const text = `Geschrieben ohne Skripte ${Date.now()}`;
  const { page, kit } = hand;
  await endSessions(hand);
  await hand.fill(hand.at(field), text);
  await hand.leads(hand.at(`form:has(${field}) button.auto-button`));
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
