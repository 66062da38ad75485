// The states of the pages of an organization, of its owner's account and of their messages.
import { sends } from "./states.mjs";

// importFile has a row to import, and one without a day.
const importFile = {
  name: "programm.csv",
  mimeType: "text/csv",
  buffer: Buffer.from("Nr;Titel;Datum;Beginn\nL1;Lesung;12.03.2099;20:00\nL2;Ohne Tag;;20:00\n"),
};

export const ownerStates = ({ org }) => [
  ...teamStates(`/console/organization/${org}`),
  ...listStates(`/console/organization/${org}`),
  ...importStates(`/console/organization/${org}/import`),
  ...webhookStates(`/console/organization/${org}/webhooks`),
  ...accountStates("/console/account"),
  { name: "organization without a name", path: "/console/organization/new", wrong: true, reach: sends("#found") },
  { name: "event without a title", path: "/console/event/new", wrong: true, reach: sends("#new-event") },
  { name: "message without words", path: `/console/messages/new?organization=${org}`, wrong: true, reach: sends("#new-message") },
  { name: "todo without a title", path: "/console/todos", wrong: true, reach: sends("#new-todo") },
];

const teamStates = (root) => [
  { name: "invitation without an address", path: `${root}/team`, wrong: true, reach: sends("#invite", { "#email": "no address" }) },
  { name: "key without a name", path: `${root}/keys`, wrong: true, reach: sends("#make-key") },
  {
    name: "a website that is none",
    path: `${root}/settings`,
    wrong: true,
    partial: true,
    reach: async (hand) => {
      await hand.fill(hand.at("#web_link"), "javascript:planted=1");
      await hand.page.keyboard.press("Tab");
      await hand.at("form:has(#web_link) [data-failed]").waitFor();
    },
  },
  { name: "not to be deleted", path: `${root}/delete` },
];

const listStates = (root) => [
  { name: "no events found", path: `${root}/events?search=nothingofthename` },
  {
    name: "venue without a name",
    path: `${root}/venues/new`,
    wrong: true,
    reach: sends("#venue-new"),
  },
  {
    name: "no change chosen",
    path: `${root}/events`,
    wrong: true,
    reach: async (hand) => {
      await hand.at("#choose input[type=checkbox]").check();
      await hand.leads(hand.at("#choose button[type=submit]"));
      await sends("form:has(#change)")(hand);
    },
  },
  {
    name: "report of a change",
    path: `${root}/events`,
    reach: async (hand) => {
      await hand.at("#choose input[type=checkbox]").check();
      await hand.leads(hand.at("#choose button[type=submit]"));
      await hand.at('[name="change"][value="add_tags"]').check();
      await hand.at("#tags").fill("Herbst");
      await hand.leads(hand.at("form:has(#change) button[type=submit]"));
    },
  },
];

const preview = async (hand) => {
  await hand.at("#file").setInputFiles(importFile);
  await hand.at("#source").fill(`Aussehen ${Date.now()}`);
  await hand.leads(hand.at("#import-file > button"));
  await hand.at("#import-preview").waitFor();
};

const importStates = (path) => [
  { name: "import of nothing", path, wrong: true, reach: sends("#import-file") },
  { name: "import, what would happen", path, reach: preview },
  {
    name: "import, what has happened",
    path,
    reach: async (hand) => {
      await preview(hand);
      await hand.leads(hand.at('#import-preview [name="action"][value="import"]'));
      await hand.at("#import-result").waitFor();
    },
  },
];

// Opens the webhook of the organization, which it makes if there is none.
const webhook = async (hand) => {
  const one = '.team-list a[href^="/console/webhook/"]';
  if ((await hand.page.locator(one).count()) === 0) {
    await hand.at("#name").fill("Stadtportal");
    await hand.at("#url").fill("https://stadtportal.example/litfass/notifications");
    await hand.leads(hand.at("#make-webhook button[type=submit]"));
    await hand.at(".key-made").waitFor();
  }
  await hand.leads(hand.at(one));
};

const webhookStates = (path) => [
  { name: "webhook without a name", path, wrong: true, reach: sends("#make-webhook") },
  {
    name: "webhook with another secret",
    path,
    reach: async (hand) => {
      await webhook(hand);
      await hand.leads(hand.at('form[action$="/secret"] button'));
      await hand.at(".key-made").waitFor();
    },
  },
  {
    name: "webhook with deliveries",
    path,
    reach: async (hand) => {
      await webhook(hand);
      await hand.leads(hand.at('form[action$="/test"] button'));
      await hand.at("#log ~ .team-list .team-row").waitFor();
    },
  },
];

const accountStates = (root) => [
  { name: "password not changed", path: `${root}/security`, wrong: true, reach: sends("#password-form") },
  { name: "e-mail not changed", path: root, wrong: true, reach: sends("#email-form") },
  { name: "own picture refused", path: root, wrong: true, reach: sends("#picture") },
  { name: "own key without a name", path: `${root}/keys`, wrong: true, reach: sends("#new-key") },
  { name: "account not deleted", path: `${root}/delete`, wrong: true, reach: sends("#delete") },
];
