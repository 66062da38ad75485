// Goes from no account to an event that visitors see: signs up, founds an organization, adds an
// event with twelve weekly dates less two, a venue, and an image with a focus point, releases it,
// and cancels one date. Takes email, password, title, first, the day of the first date, less, the
// days to leave out, picture, a file of Corners that is higher than wide, and the flags scripts and
// keyboard. Returns after how many milliseconds the site has shown the release.
import assert from "node:assert/strict";
import { Hand, mailed } from "../lib/console.mjs";
import { attributes, until } from "../lib/site.mjs";

export default async (kit) => {
  kit.allow(/status of 409/); // a venue like that of another walk, and "is it one of these?"
  const hand = new Hand(kit, kit.args);
  await signUp(hand, kit.args);
  await found(hand, kit.args);
  await begin(hand, kit.args);
  await addDates(hand, kit.args);
  await addVenue(hand);
  await addPicture(hand, kit.args);
  const milliseconds = await release(hand);
  await cancel(hand);
  return { milliseconds };
};

// What the page shows now passes axe, has the focus, and need not be scrolled sideways.
async function passes(hand, state) {
  const { needed, width } = await hand.page.evaluate(() => ({ needed: document.documentElement.scrollWidth, width: innerWidth }));
  assert.ok(needed <= width, `${state}: ${hand.page.url()} needs ${needed} px where ${width} are there`);
  if (hand.scripts) {
    await hand.kit.axe(hand.page, `(${state})`); // which is a script itself
  }
}

async function signUp(hand, { email, password, mail }) {
  await hand.visit("/console/");
  await hand.arrives(/\/login$/);
  await hand.leads(hand.at('main a[href="/console/signup"]'));
  await hand.fill(hand.at("#email"), email);
  await hand.send(hand.at("#signup"));
  await hand.at("[data-mail-sent]").waitFor();
  await passes(hand, "the mail is sent");
  await hand.visit(await mailed(mail, email, "activate"));
  await hand.arrives(/\/activate$/);
  assert.equal(new URL(hand.page.url()).search, "", "the token of the mail is in the history");
  assert.equal(await hand.at("#email").inputValue(), email, "the address has to be typed again");
  await hand.fill(hand.at("#password"), password);
  await hand.send(hand.at("#activate"));
  await hand.at("body[data-user]").waitFor();
  await passes(hand, "a new account");
}

async function found(hand, { title }) {
  await hand.leads(hand.at('main a[href="/console/organization/new"]'));
  await passes(hand, "a new organization");
  await hand.fill(hand.at("#name"), `Verein für ${title}`);
  await hand.send(hand.at("#found"));
  await hand.arrives(/\/first\/place$/);
  await passes(hand, "an organization without a place");
  await hand.visit("/console/"); // the way goes on where it was left
  await passes(hand, "the start of an organization without a place");
  await hand.leads(hand.at("[data-first-step] a.button"));
  await hand.arrives(/\/first\/place$/);
}

// Begins an event and fills in its parts: each part is saved when the focus leaves it, and stays
// saved.
async function begin(hand, { title }) {
  await hand.leads(hand.at('main a[href^="/console/event/new"]'));
  await passes(hand, "a new event");
  await hand.fill(hand.at("#title"), title);
  await hand.send(hand.at("#new-event"));
  await hand.arrives(/\/event\/[0-9a-f-]{36}$/);
  await passes(hand, "an event with nothing but a title");
  if (hand.scripts) {
    await isShort(hand);
    await openAgain(hand); // without the notice
  }
  await goTo(hand, "what");
  await hand.fill(hand.at("#subtitle"), "Zwölf Abende");
  await hand.saveFormOf("#subtitle");
  await goTo(hand, "kind");
  const kind = await hand.at("#add_type option:nth-child(4)").getAttribute("value");
  await hand.choose(hand.at("#add_type"), kind);
  await hand.saveFormOf("#add_type");
  await goTo(hand, "texts");
  await hand.fill(hand.at("#summary"), "Musik an **zwölf** Abenden");
  await hand.saveFormOf("#summary");
  await openAgain(hand);
  assert.equal(await hand.at("#subtitle").inputValue(), "Zwölf Abende");
  assert.deepEqual(await attributes(hand.page, 'input[name="type"]', "value"), [kind]);
  assert.equal(await hand.at("#summary").inputValue(), "Musik an **zwölf** Abenden");
}

// The form of a new event, with its notice, takes at most two screens of a laptop, and four of a
// phone, in each language.
async function isShort(hand) {
  const { page } = hand;
  const [before, path] = [page.viewportSize(), `${new URL(page.url()).pathname}?notice=event_added`];
  const first = await page.getAttribute("html", "lang");
  for (const language of ["en", "de", "da", first]) {
    await page.locator(`.languages a[hreflang="${language}"]`).click();
    await hand.visit(path);
    assert.equal(await page.getAttribute("html", "lang"), language);
    await hand.at("main > .notice").waitFor();
    for (const [width, height, screens] of [
      [1280, 800, 2],
      [360, 640, 4],
    ]) {
      await page.setViewportSize({ width, height });
      const needed = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(needed <= screens * height, `the form takes ${needed} px at ${width}×${height} in ${language}`);
    }
    await page.setViewportSize(before);
  }
}

// Goes to a section of the event's page. From another section that is far by keyboard, and a link
// leads back to the checklist, which the list of the sections follows.
async function goTo(hand, section) {
  if (!(await hand.at(".sheet-nav").count())) {
    await hand.leads(hand.at('main a[href^="/console/event/"]')); // the dates are a page of their own without scripts
  }
  const from = new URL(hand.page.url()).hash.slice(1);
  if (hand.keyboard && from) {
    await hand.press(hand.at(`#up-${from}`));
    await arrivesAt(hand, "checklist");
  }
  await hand.press(hand.at(`.sheet-nav a[href="#${section}"]`));
  await arrivesAt(hand, section);
}

// Opens the page of the event as it is stored.
const openAgain = (hand) => hand.visit(new URL(hand.page.url()).pathname);

const arrivesAt = (hand, part) => until(async () => assert.equal(new URL(hand.page.url()).hash, `#${part}`));

// Adds twelve weekly dates, of which the preview leaves two out.
async function addDates(hand, { first, less }) {
  await goTo(hand, "dates");
  await hand.press(hand.at("#dates-add-link"));
  const form = hand.at("#dates-add");
  await form.waitFor();
  await hand.hasFocus();
  await hand.fillParts(form.locator("#start_date"), first);
  await hand.fillParts(form.locator("#start_time"), "19:30");
  await hand.tick(form.locator('input[name="repeat"][value="weeks"]'));
  await hand.tick(form.locator('input[name="repeat_end"][value="count"]'));
  await hand.fill(form.locator("#repeat_count"), "12");
  if (!hand.scripts) {
    await hand.leads(form.locator(".dates-show button"));
  }
  await until(async () => assert.equal(await form.locator('input[name="on"]').count(), 12));
  for (const day of less) {
    await hand.untick(form.locator(`input[name="on"][value="${day}"]`));
    await hand.hasFocus();
  }
  await passes(hand, "the preview of the dates");
  await hand.press(form.locator('.buttons > button[type="submit"]').last());
  await until(async () => {
    const dates = await attributes(hand.page, "#dates [data-date]", "data-date");
    assert.equal(dates.length, 10);
  });
  await hand.hasFocus();
  await passes(hand, "an event with dates");
}

// Looks for a venue that is not there yet, and adds it.
async function addVenue(hand) {
  await goTo(hand, "place");
  await hand.fill(hand.at("#place-search"), "Kuppelsaal");
  await hand.page.keyboard.press("Enter");
  const add = hand.at('#place-found a[href*="/place/new"]');
  await add.waitFor();
  await hand.hasFocus();
  await passes(hand, "the venues that were found");
  await hand.leads(add);
  await passes(hand, "a new venue");
  assert.equal(await hand.at("#venue-new #name").inputValue(), "Kuppelsaal", "the name has to be typed again");
  await hand.fill(hand.at("#venue-new #city"), "Kiel");
  await hand.fill(hand.at("#venue-new #lat"), "54.34");
  await hand.fill(hand.at("#venue-new #lon"), "10.12");
  await hand.leads(hand.at('#venue-new .buttons button[type="submit"]'));
  if (await hand.at("#similar").count()) {
    await passes(hand, "venues like the new one"); // venues of other journeys
    await hand.leads(hand.at('#similar button[name="confirmed"]'));
  }
  await hand.arrives(/\/event\/[0-9a-f-]{36}$/);
  assert.match(await hand.at("#place .place-chosen").innerText(), /Kuppelsaal/);
}

// Adds an image with its alternative text, and sets its focus point at 20 % from the left and 80 %
// from the top.
async function addPicture(hand, { picture }) {
  await goTo(hand, "pictures");
  await hand.chooseFile(hand.at("#pictures-file"), picture);
  if (!hand.scripts) {
    await hand.leads(hand.at('#pictures-form button[type="submit"]'));
  }
  const shown = hand.at("#picture-list .picture");
  await shown.waitFor();
  await hand.hasFocus();
  assert.ok(await shown.locator("details").first().evaluate((details) => details.open), "its forms are folded up");
  await goTo(hand, "pictures");
  await hand.fill(shown.locator('[name="alt_text"]'), "Ein Stern über dem Hafen");
  await hand.saveFormOf('[name="alt_text"]');
  await passes(hand, "a picture with its focus point");
  await setFocus(hand);
  await openAgain(hand);
  assert.equal(await hand.at('[name="alt_text"]').inputValue(), "Ein Stern über dem Hafen");
  assert.equal(await hand.at('[name="focus_x"]').inputValue(), "20");
  assert.equal(await hand.at('[name="focus_y"]').inputValue(), "80");
}

// Sets the focus point of the image: with the arrow keys, with a tap, or without scripts with
// numbers.
async function setFocus(hand) {
  const stage = hand.at("[data-stage]");
  if (!hand.scripts) {
    await hand.fill(hand.at('[name="focus_x"]'), "20");
    await hand.fill(hand.at('[name="focus_y"]'), "80");
    return hand.saveFormOf('[name="focus_y"]');
  }
  if (hand.keyboard) {
    await hand.reach(stage);
    for (const key of ["ArrowLeft", "ArrowDown"].flatMap((key) => Array(3).fill(key))) {
      await hand.page.keyboard.press(`Shift+${key}`);
    }
  } else {
    const { width, height } = await stage.boundingBox();
    await stage.click({ position: { x: width * 0.2, y: height * 0.8 } });
  }
  await hand.at('form[data-auto]:has([data-stage]) [data-saved]').waitFor();
  return hand.hasFocus();
}

// Releases the event, and returns after how many milliseconds the site has shown it.
async function release(hand) {
  const site = (hand.kit.args.site ?? hand.kit.base) + new URL(hand.page.url()).pathname.replace("/console", "");
  const status = async () => (await hand.page.request.get(site)).status();
  assert.equal(await status(), 404, "visitors see a draft");
  await goTo(hand, "release");
  await hand.leads(hand.at('#release a[href$="/release/released"]'));
  await passes(hand, "the question before the release");
  const begun = Date.now();
  const seen = until(async () => assert.equal(await status(), 200)).then(() => Date.now() - begun);
  await hand.leads(hand.at('form[action$="/release/released"] button'));
  const milliseconds = await seen;
  await passes(hand, "a released event");
  await hasMenu(hand);
  const { context, page } = await hand.kit.open({ javaScriptEnabled: true });
  await page.goto(site);
  assert.equal(await page.locator("#dates .date-list li, #dates .date-fold li").count(), 10); // the last two are folded
  assert.equal(await page.locator("article img").first().evaluate(colourAtTop), "blue", "the cut is not around the focus");
  await context.close();
  return milliseconds;
}

// The menu of the header has the way to cancel, and covers what is below it instead of moving it.
async function hasMenu(hand) {
  const [menu, below] = [hand.at(".actions details[data-menu]"), hand.at("#checklist")];
  const before = await below.boundingBox();
  await hand.press(menu.locator("summary"));
  for (const end of ["/duplicate", "/release/cancelled", "/delete"]) {
    await menu.locator(`a[href$="${end}"]`).waitFor();
  }
  const after = await below.boundingBox();
  assert.equal(after.y, before.y, "the menu moves the page");
  await passes(hand, "the open menu of an event");
  await hand.press(menu.locator("summary"));
}

// Runs in the page: which colour of Corners is at the top left of an image.
async function colourAtTop(image) {
  image.loading = "eager";
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const [red, green, blue] = pen.getImageData(image.naturalWidth / 10, image.naturalHeight / 10, 1, 1).data;
  return blue > 150 && red < 80 && green < 80 ? "blue" : `rgb(${red} ${green} ${blue})`;
}

// Cancels the second date, which the site strikes through.
async function cancel(hand) {
  await goTo(hand, "dates");
  const date = hand.at("#dates [data-date] >> nth=1");
  const uuid = await date.getAttribute("data-date");
  await hand.press(date.locator('[data-do="cancel"]'));
  await hand.at(`#dates [data-date="${uuid}"] s`).waitFor();
  await hand.hasFocus();
  await passes(hand, "a cancelled date");
  const site = (hand.kit.args.site ?? hand.kit.base) + new URL(hand.page.url()).pathname.replace("/console", "").replace(/\/dates.*/, "");
  const { context, page } = await hand.kit.open({ javaScriptEnabled: true });
  await until(async () => {
    await page.goto(site);
    assert.ok(await page.locator(`#dates [data-date="${uuid}"] s`).count(), "the date is not struck through");
  });
  await context.close();
}
