// The states of the page of an event that the journey creates: its forms in the page, the conflict
// of two people, and pages after the login or the service has gone.
import assert from "node:assert/strict";
import { learnsNothing } from "./conflict.mjs";
import { Hand } from "./console.mjs";
import { sends } from "./states.mjs";

const uploads = "#uploads li";

export async function eventStates(args, kit) {
  const path = await made(args, kit);
  return [
    ...formStates(path),
    ...dateStates(path),
    ...placeStates(path),
    {
      name: "event not deleted",
      path: `${path}/delete`,
      wrong: true,
      reach: sends('form[action$="/delete"]'),
    },
    {
      name: "link to the preview",
      path,
      reach: (hand) => hand.leads(hand.at('form[action$="/preview"] button')),
    },
    ...goneStates(path, args),
  ];
}

// Makes an event with a date, and returns its path.
async function made({ org }, kit) {
  const hand = new Hand(kit);
  await hand.visit(`/console/event/new?organization=${org}`);
  await hand.at("#title").fill("Aussehen");
  await hand.at("#start_date").fill("2099-03-12");
  await hand.at("#start_time").fill("20:00");
  await hand.send(hand.at("#new-event"));
  return hand.arrives(/\/event\/[0-9a-f-]{36}$/);
}

// Writes into a field, leaves it, and waits for what its form answers.
const leaves = (field, value, answer) => async (hand) => {
  await hand.fill(hand.at(field), value);
  await hand.page.keyboard.press("Tab");
  await hand.at(`form:has(${field}) ${answer}`).waitFor();
};

// Returns a text that no field has had. A state can be reached more than once.
const fresh = (text) => `${text} ${(texts += 1)}`;
let texts = 0;

// Has another browser change the title, and then writes another one over it. Tabs of one browser
// show the same.
async function conflicts(hand) {
  await learnsNothing(hand.page);
  const storageState = await hand.page.context().storageState();
  const { context, page: other } = await hand.kit.open({ storageState });
  await hand.kit.visit(new URL(hand.page.url()).pathname, other);
  await leaves("#title", fresh("Theirs"), "[data-saved]")(new Hand(hand.kit, { page: other }));
  await context.close();
  await leaves("#title", fresh("Mine"), ".conflict")(hand);
}

const formStates = (path) => [
  { name: "ages the wrong way round", path, wrong: true, partial: true, reach: async (hand) => {
    await hand.at('.sheet-nav a[href="#audience"]').click(); // which opens the section
    if ((await hand.at("#min_age").inputValue()) === "") {
      await leaves("#min_age", "12", "[data-saved]")(hand);
    }
    await leaves("#max_age", "6", "[data-failed]")(hand);
  } },
  { name: "saved, to be undone", path, partial: true, reach: (hand) => leaves("#subtitle", fresh("Saved"), "[data-saved]")(hand) },
  { name: "undone", path, partial: true, reach: async (hand) => {
    await leaves("#subtitle", fresh("Undone"), "[data-saved]")(hand);
    await hand.reach(hand.at("form:has(#subtitle) [name=undo]"));
    await hand.page.keyboard.press("Enter");
    await hand.at("form:has(#subtitle) [name=undo]").waitFor({ state: "detached" });
  } },
  { name: "conflict", path, partial: true, reach: conflicts },
  { name: "conflict solved", path, partial: true, reach: async (hand) => {
    await conflicts(hand);
    await hand.reach(hand.at(".conflict [id$=-mine]"));
    await hand.page.keyboard.press("Enter");
    await hand.at("form:has(#title) [data-saved]").waitFor();
  } },
  { name: "link that is none", path, wrong: true, reach: async (hand) => {
    await hand.at('.sheet-nav a[href="#links"]').click(); // which opens the section
    await hand.at(".add-link > summary").click();
    await sends("#new-link", {}, "button")(hand);
  } },
  { name: "picture refused", path, reach: async (hand) => {
    await hand.at("#pictures-file").setInputFiles({ name: "text.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
    await hand.at(`${uploads} .error, #pictures-file-error .error`).waitFor();
  } },
];

const opens = (selector, answer) => async (hand) => {
  await hand.reach(hand.at(selector));
  await hand.page.keyboard.press("Enter");
  await hand.at(answer).waitFor();
};
const form = "#dates-open form";

const dateStates = (path) => [
  { name: "dates, nothing filled in", path, wrong: true, partial: true, reach: async (hand) => {
    await opens("#dates-add-link", form)(hand);
    await sends(form)(hand);
  } },
  { name: "dates that repeat", path, partial: true, reach: async (hand) => {
    await opens("#dates-add-link", form)(hand);
    await hand.at("#start_date").fill("2099-04-02");
    await hand.at("#start_time").fill("19:30");
    await hand.at('[name="repeat"][value="weeks"]').check();
    await hand.at('[name="repeat_end"][value="count"], [value="count"]').check();
    await hand.at("#repeat_count").fill("3");
    await hand.page.keyboard.press("Tab");
    await hand.at("#dates-preview li >> nth=2").waitFor();
  } },
  { name: "date to be changed", path, partial: true, reach: opens("[data-do=change]", form) },
  { name: "date to be moved", path, partial: true, reach: opens("[data-do=move]", form) },
  { name: "date to be deleted", path, partial: true, reach: opens("[data-do=delete]", form) },
  { name: "date cancelled", path, partial: true, reach: async (hand) => {
    if ((await hand.at("[data-do=take_back]").count()) === 0) {
      await opens("[data-do=cancel]", "[data-do=take_back]")(hand);
    }
  } },
];

const placeStates = (path) => [
  { name: "no venue found", path, partial: true, reach: async (hand) => {
    await hand.reach(hand.at("#place-search"));
    await hand.page.keyboard.insertText("nothingofthename");
    await hand.at("#place-found p").waitFor();
  } },
  { name: "venue found", path, partial: true, reach: async (hand) => {
    await hand.reach(hand.at("#place-search"));
    await hand.page.keyboard.insertText("Kiel");
    await hand.at("#place-found li").waitFor();
  } },
  { name: "venue without a name", path: `${path}/place/new`, wrong: true, reach: sends("#venue-new") },
];

// The page without the login, and without the service behind the console.
const goneStates = (path, { control }) => [
  { name: "login ended", path, partial: true, reach: async (hand) => {
    await hand.page.context().clearCookies();
    await hand.fill(hand.at("#subtitle"), "Written after the end of the login");
    await hand.page.keyboard.press("Tab");
    await hand.at("[data-logged-out]").waitFor();
  } },
  ...(control ? [{
    name: "service away",
    path,
    reach: async (hand) => {
      await turn(control, "stop");
      await hand.visit(path);
    },
    leave: () => turn(control, "start"),
  }] : []),
];

async function turn(control, what) {
  const answer = await fetch(`${control}/${what}/admin`, { method: "POST" });
  assert.equal(answer.status, 200, await answer.text());
}
