// Imports a file again after an event of it was deleted here and another one is gone from the file:
// both are shown, and are restored and withdrawn only when that is chosen. Takes path, of the import,
// events, of the list, file, with the events Eins, Zwei and Drei, fewer, the same without Drei, and
// remove, the address of the API with the token and the password of the owner.
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
};

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
