// Imports a file again after an event of it was deleted here and another one is gone from the file:
// both are shown, and are restored and withdrawn only when that is chosen. Takes path, of the import,
// events, of the list, file, with the events Eins, Zwei and Drei, fewer, the same without Drei,
// remove, the address of the API with the token and the password of the owner, and elsewhere, a file
// of two events at a venue that is not known: it is added once, and known from then on.
import assert from "node:assert/strict";
import { Hand } from "../lib/console.mjs";

const preview = "#import-preview";

export default async (kit) => {
  const { args } = kit;
  const hand = new Hand(kit);
  await sends(hand, args.file);
  await hand.leads(hand.at("#import-do"));
  await hand.at("#import-result").waitFor();
  await remove(args.remove, "Zwei");

  await sends(hand, args.fewer);
  assert.equal(await hand.at("#import-do").count(), 0, "a deleted event comes back");
  await hand.kit.axe(hand.page, "(with events that were deleted or are missing)");
  await hand.tick(hand.at("#restore"));
  await hand.choose(hand.at("#missing"), "cancel");
  await hand.leads(hand.at(".import-rules > button"));
  assert.match(await hand.at(`${preview} .import-group[data-action="missing"]`).textContent(), /Drei/);
  assert.match(await hand.at("#import-do").innerText(), /2/);
  await hand.leads(hand.at("#import-do"));
  await hand.at("#import-result").waitFor();
  await hand.kit.axe(hand.page, "(after the choices)");

  await hand.visit(`${args.events}?period=all`);
  const rows = await hand.page.locator("#events .event-row").allInnerTexts();
  const row = (title) => rows.find((text) => text.includes(title)) ?? "";
  assert.ok(row("Eins") && row("Zwei"), rows.join("\n"));
  assert.match(row("Drei"), /cancelled/i);
  await resolves(hand, args);
};

// On a phone, the venue of both rows is chosen once, and the choice is looked at before the import.
async function resolves(hand, { elsewhere }) {
  await hand.page.setViewportSize({ width: 360, height: 640 });
  await sends(hand, elsewhere);
  const choice = hand.at("[data-venue] select");
  assert.equal(await hand.page.locator("[data-venue]").count(), 1, "a venue of two rows is listed twice");
  assert.equal(await hand.at("#import-do").count(), 0);
  await hand.kit.fits(hand.page);
  await hand.kit.axe(hand.page, "(with a venue that is not known)");
  await hand.choose(choice, "create");
  await hand.leads(hand.at(".import-unknown > button"));
  assert.equal(await choice.inputValue(), "create");
  await hand.leads(hand.at("#import-do"));
  assert.equal(await hand.page.locator(".import-new a").count(), 1);
  await hand.kit.axe(hand.page, "(with a new venue)");

  await sends(hand, elsewhere);
  assert.equal(await hand.page.locator("[data-venue]").count(), 0, "the new venue is not known by its name");
  assert.equal(await hand.at("#import-nothing").count(), 1);
}

async function sends(hand, file) {
  await hand.visit(`${hand.kit.args.path}?source=Programm`);
  await hand.at("#file").setInputFiles(file);
  if (await hand.at('[name="release"][value="true"]').count()) {
    await hand.tick(hand.at('[name="release"][value="true"]'));
  }
  await hand.leads(hand.at("#import-file > button"));
  await hand.at(preview).waitFor();
}

// Deletes the event of a title.
async function remove({ address, token, org, password }, title) {
  const ask = async (method, path, body) => {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    const answer = await fetch(address + path, { method, headers, body: body && JSON.stringify(body) });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    return answer.json();
  };
  const { events } = await ask("GET", `/organization/${org}/events?search=${title}`);
  assert.equal(events.length, 1, title);
  await ask("DELETE", `/event/${events[0].event_uuid}`, { password });
}
