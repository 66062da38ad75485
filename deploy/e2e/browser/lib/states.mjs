// States of pages: each has a name, the path that it begins at, reach(hand), which brings the page
// into it, and leave(hand). A wrong one has fields with errors, a partial one is reached without
// leaving the page. One with within opens that part of the page, over the rest.
const told = "#problems, [role=alert]:visible:not(:empty), main [data-failed]";

// Sends a form as people without this browser's checks could send it, and waits for its errors.
export const sends = (form, fields = {}, button = ".button[type=submit]:not(.button-quiet):visible") => async (hand) => {
  for (const [selector, value] of Object.entries(fields)) {
    await hand.at(selector).fill(value);
  }
  await hand.at(form).evaluate((element) => {
    element.noValidate = true;
  });
  await hand.at(`${form} ${button}`).click();
  await hand.at(told).waitFor();
};

// The same for a form that is folded up.
const sendsFolded = (form) => async (hand) => {
  await hand.at(`details:has(${form}) > summary`).click();
  await sends(form)(hand);
};

export const visitorStates = () => [
  { name: "login, nothing filled in", path: "/console/login", reach: sends('form[action="/console/login"]') },
  {
    name: "login, wrong password",
    path: "/console/login",
    reach: sends('form[action="/console/login"]', { "#email": "nobody@example.org", "#password": "not this one either" }),
  },
  { name: "sign up, no address", path: "/console/signup", wrong: true, reach: sends("#signup", { "#email": "no address" }) },
  { name: "forgot, no address", path: "/console/forgot", wrong: true, reach: sends("#forgot") },
  {
    name: "forgot, mail sent",
    path: "/console/forgot",
    reach: async (hand) => {
      await hand.at("#email").fill("owner@example.org");
      await hand.at("#forgot button").click();
      await hand.at("[data-mail-sent]").waitFor();
    },
  },
  { name: "activate, short password", path: "/console/activate?token=none", wrong: true, reach: sends("#activate", { "#password": "short" }) },
  {
    name: "reset, broken link",
    path: "/console/reset?token=none",
    reach: async (hand) => {
      await hand.at("#new_password").fill("a password of several words");
      await hand.leads(hand.at("#reset button"));
    },
  },
  { name: "invitation, broken link", path: "/console/invitation?token=none" },
  { name: "not found", path: "/console/nowhere" },
];

// The stranger has two organizations, one of which has nothing.
export const strangerStates = ({ org, empty }) => [
  { name: "menu of organizations", path: "/console/", within: "details[data-menu]", reach: (hand) => hand.at("[data-menu] > summary").click() },
  { name: "organization without events", path: `/console/organization/${empty}` },
  { name: "no events", path: `/console/organization/${empty}/events` },
  { name: "no venues", path: `/console/organization/${empty}/venues` },
  { name: "no keys", path: `/console/organization/${empty}/keys` },
  { name: "team of one", path: `/console/organization/${empty}/team` },
  { name: "organization not deleted", path: `/console/organization/${empty}/delete`, wrong: true, reach: sends("#delete") },
  { name: "another organization", path: `/console/organization/${org}` },
  { name: "not for the stranger", path: "/console/administration/people" },
];

// The administrator belongs to no organization.
export const administratorStates = ({ org }) => [
  { name: "first steps", path: "/console/" },
  { name: "approvals, no reason", path: "/console/administration/approvals", wrong: true, reach: sends("form[id^=f-]", {}, "[value=false]") },
  { name: "report, no note", path: "/console/administration/reports", wrong: true, reach: sendsFolded("form[id^=c-]") },
  { name: "takedown, no reason", path: "/console/administration/reports", wrong: true, reach: sendsFolded("form[id^=t-]") },
  { name: "person, no reason", path: "/console/administration/people", wrong: true, reach: sendsFolded("form[id^=s-]") },
  { name: "no such people", path: "/console/administration/people?search=nobodyatall" },
  { name: "another organization", path: `/console/organization/${org}/settings` },
];
