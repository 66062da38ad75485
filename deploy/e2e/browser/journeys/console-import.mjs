// Imports a file through the pages of an organization: columns are guessed, one is reassigned, the
// preview lists the planned changes and the refused rows, and the report the result. The same file
// again changes nothing, and a file with one changed row changes only that. Takes path, of the
// import, events, the path of the organization's events, file and changed, the same file with
// another title in one row, source, rows, the number of events in each file, refused, the rows that
// cannot be read, guesses, the field of each column, otherwise, a column and the field that is
// chosen for it, null for none, search, words of all titles, title, the changed one, and scripts.
import assert from "node:assert/strict";
import { errorsAreTied, Hand } from "../lib/console.mjs";

export default async (kit) => {
  kit.allow(/status of 422/); // the form without a file
  const { args } = kit;
  const hand = new Hand(kit, args);
  const good = args.rows - args.refused.length;
  const refuse = args.refused.length;

  await hand.visit(args.path);
  await sendsNoFile(hand);
  await sendsFile(hand, args.file);
  await expects(hand, { create: good, refuse });
  await columns(hand, args);
  await expects(hand, { create: good, refuse });
  await reasons(hand, args.refused);
  await looks(hand);
  await hand.leads(hand.at("#import-do"));
  await expects(hand, { create: good, refuse });
  await reasons(hand, args.refused);
  await looks(hand);

  await again(hand, args.file);
  await expects(hand, { unchanged: good, refuse });
  assert.equal(await hand.page.locator("#import-do").count(), 0);
  await hand.visit(`${args.path}?source=${encodeURIComponent(args.source)}`);
  await sendsFile(hand, args.changed);
  await chooses(hand, args);
  await expects(hand, { update: 1, unchanged: good - 1, refuse });
  await hand.leads(hand.at("#import-do"));
  await expects(hand, { update: 1, unchanged: good - 1, refuse });
  await listed(hand, args, good);
};

// Without a file the form comes back with the typed values and names the missing field.
async function sendsNoFile(hand) {
  await hand.fill(hand.at("#source"), hand.kit.args.source);
  await hand.leads(hand.at('#import-file button[type="submit"]'));
  await errorsAreTied(hand.page);
  assert.equal(await hand.at("#source").inputValue(), hand.kit.args.source);
}

async function sendsFile(hand, file) {
  await hand.at("#file").setInputFiles(file);
  await hand.leads(hand.at('#import-file button[type="submit"]'));
  await hand.at("#import-preview").waitFor();
}

// Follows the link of the report, which keeps the source and the chosen columns.
async function again(hand, file) {
  const { source, otherwise } = hand.kit.args;
  await hand.leads(hand.at("#import-repeat a"));
  assert.equal(await hand.at("#source").inputValue(), source);
  await sendsFile(hand, file);
  if (otherwise) {
    assert.equal(await selectOf(hand, otherwise.column).inputValue(), otherwise.field);
  }
}

// Every column shows the field that was guessed. What is chosen otherwise is looked at first.
async function columns(hand, { guesses, otherwise }) {
  const shown = await hand.page.locator(".import-column").evaluateAll((all) =>
    Object.fromEntries(all.map((item) => [item.querySelector('[name="column"]').value, item.querySelector("select").value])),
  );
  assert.deepEqual(shown, guesses);
  if (otherwise) {
    await hand.choose(selectOf(hand, otherwise.column), otherwise.field);
    await hand.leads(hand.at("#import-do"));
    await hand.at("#import-changed").waitFor();
    assert.equal(await selectOf(hand, otherwise.column).inputValue(), otherwise.field);
  }
}

async function chooses(hand, { otherwise }) {
  if (otherwise) {
    await hand.choose(selectOf(hand, otherwise.column), otherwise.field);
    await hand.leads(hand.at(".import-rules button"));
  }
}

const selectOf = (hand, column) => hand.at(`.import-column:has([name="column"][value="${column}"]) select`);

// The filters have these numbers, and the lists as many entries.
async function expects(hand, wanted) {
  const [counted, entries] = await hand.page.evaluate(() => {
    const filters = [...document.querySelectorAll(".import-filter[data-action]")];
    const groups = [...document.querySelectorAll(".import-group")];
    const number = (text) => Number(text.replace(/\D/g, ""));
    return [
      Object.fromEntries(filters.map((item) => [item.dataset.action, number(item.querySelector("strong").textContent)])),
      Object.fromEntries(groups.map((item) => [item.dataset.action, item.querySelectorAll(".import-entry").length])),
    ];
  });
  assert.deepEqual(counted, wanted);
  assert.deepEqual(entries, wanted);
}

// Every refused row has its number and a reason.
async function reasons(hand, rows) {
  const entries = hand.page.locator('.import-group[data-action="refuse"] .import-entry');
  const said = await entries.evaluateAll((all) =>
    all.map((entry) => [...entry.querySelectorAll(".import-reasons li")].map((item) => item.innerText.trim())),
  );
  assert.equal(said.length, rows.length);
  for (const [i, row] of rows.entries()) {
    assert.ok(said[i].length > 0, `row ${row} has no reason`);
    for (const reason of said[i]) {
      assert.match(reason, new RegExp(`^\\S+ ${row}\\b.{4,}`, "s"));
    }
  }
}

// Reports what axe finds on a phone, and content that overflows it. Needs scripts.
async function looks({ kit, page, scripts }) {
  if (!scripts) {
    return;
  }
  const viewport = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320, `${page.url()} does not fit`);
  await kit.axe(page);
  await page.setViewportSize(viewport);
}

// The events stand in the list of the organization, the changed one with its new title.
async function listed(hand, { events, search, title }, count) {
  const find = (words) => hand.visit(`${events}?period=all&search=${encodeURIComponent(words)}`);
  await find(search);
  assert.equal(Number((await hand.at("#events-count").innerText()).replace(/\D/g, "")), count);
  await find(title);
  assert.deepEqual(await hand.page.locator("#events .event-row h3").allInnerTexts(), [title]);
}
