// What journeys do in which two people edit the same at the same time.
import assert from "node:assert/strict";

// Keeps an open page from learning what others save: its fields stay as they are, so that what is
// typed there is in conflict.
export const learnsNothing = (page) =>
  page.route((url) => url.pathname.endsWith("/live"), (route) => route.fulfill({ status: 304 }));

// Writes into a field that is saved as it is edited, and has it saved.
export async function saves(hand, field, text) {
  await hand.fill(hand.at(field), text);
  await hand.saveFormOf(field);
}

// The conflict within an element shows both versions, field by field, and the focus is not lost.
export async function conflictShows(hand, within, versions) {
  const conflict = hand.at(`${within} .conflict`);
  await conflict.waitFor();
  const shown = await conflict.innerText();
  for (const version of versions) {
    assert.ok(shown.includes(version), `${version} is missing in ${shown}`);
  }
  await hand.hasFocus();
}

// Returns what another browser finds in a field of a page.
export async function fieldOfAnother(kit, storageState, path, field) {
  const { context, page } = await kit.open({ storageState });
  await kit.visit(path, page);
  const value = await page.locator(field).inputValue();
  await context.close();
  return value;
}
