// Places an event: in the open venue of another organization, whose name is typed with an error;
// in a new venue at the position that is proposed for its town; and in vain in a venue that its
// owner has closed. One venue is used on request: the owner accepts. Takes person, owner, of the other organization, event, venue, its path, wrong,
// its name with an error, name, town, asked, the name of another venue of the owner's, which is used
// on request, second, an event without a place, and the flags scripts and keyboard.
import assert from "node:assert/strict";
import { Hand } from "../lib/console.mjs";
import { until } from "../lib/site.mjs";

export default async (kit) => {
  const { args } = kit;
  kit.allow(/status of 409/); // "is it one of these?"
  const hand = new Hand(kit, args);
  await hand.enter(args.person, args.event);
  await chooseOpen(hand, args);
  await addAtProposal(hand, args);
  await speaks(hand, args);
  await asks(hand, args);
  await isClosed(hand, args);
};

// The page passes axe, and need not be scrolled sideways.
async function passes(hand, state) {
  const { needed, width } = await hand.page.evaluate(() => ({ needed: document.documentElement.scrollWidth, width: innerWidth }));
  assert.ok(needed <= width, `${state}: ${hand.page.url()} needs ${needed} px where ${width} are there`);
  if (hand.scripts) {
    await hand.kit.axe(hand.page, `(${state})`); // which is a script itself
  }
}

async function search(hand, { event }, words) {
  await hand.visit(`${event}#place`);
  await hand.fill(hand.at("#place-search"), words);
  await hand.page.keyboard.press("Enter");
  await hand.at("#place-found [role=status]").waitFor();
}

const chosen = (hand, name) => until(async () => assert.ok((await hand.at("#place .place-chosen").innerText()).includes(name)));

async function chooseOpen(hand, args) {
  await search(hand, args, args.wrong);
  const found = hand.at(`#place-found [data-venue]:has-text("${args.name}")`);
  await found.waitFor();
  if (!hand.scripts) {
    assert.equal(await hand.page.locator("[data-locate]:visible").count(), 0, "a button does nothing");
  }
  await passes(hand, "a venue of another organization");
  await hand.press(found.locator(".place-choose button"));
  await chosen(hand, args.name);
}

async function addAtProposal(hand, args) {
  await search(hand, args, "Speicherboden");
  await hand.leads(hand.at('#place-found a[href*="/place/new"]'));
  await hand.fill(hand.at("#venue-new #city"), args.town.slice(0, -2));
  if (hand.scripts) {
    await hand.page.locator(`#towns option[value="${args.town}"]`).waitFor({ state: "attached" });
  }
  await hand.fill(hand.at("#venue-new #city"), args.town);
  if (hand.scripts) {
    await hand.page.keyboard.press("Tab");
  } else {
    await hand.leads(hand.at('#venue-new button[name="look"]'));
  }
  const proposal = hand.at('#position-likes input[name="like"]:not([value=""])');
  await proposal.waitFor();
  const [lat, lon] = [hand.at("#venue-new #lat"), hand.at("#venue-new #lon")];
  if (hand.scripts && !hand.keyboard) {
    await lat.fill("50,79; 9,43"); // as a map in German copies them
    await until(async () => assert.deepEqual([await lat.inputValue(), await lon.inputValue()], ["50.79", "9.43"]));
  }
  await hand.tick(proposal);
  if (hand.scripts) {
    await until(async () => assert.ok(Number(await lat.inputValue()) > 54, "the proposed position is not taken"));
  }
  await passes(hand, "a proposed position");
  await hand.leads(hand.at('#venue-new .buttons button[type="submit"]'));
  if (await hand.at("#similar").count()) {
    await passes(hand, "venues like the new one");
    await hand.leads(hand.at('#similar button[name="confirmed"]'));
  }
  await hand.arrives(/\/event\/[0-9a-f-]{36}$/);
  await chosen(hand, "Speicherboden");
}

// The pages of places, in each language.
async function speaks(hand, { event }) {
  for (const language of ["de", "da", "en"]) {
    for (const path of [`${event}/place?search=nirgendwo&lang=${language}`, `${event}/place/new?city=Kiel&lang=${language}`]) {
      await hand.visit(path);
      assert.equal(await hand.page.locator("html").getAttribute("lang"), language);
      await passes(hand, language);
    }
  }
}

// The event waits until the owner of the venue accepts it.
async function asks(hand, args) {
  const second = { event: args.second };
  await search(hand, second, args.asked);
  const found = hand.at(`#place-found [data-venue]:has-text("${args.asked}")`);
  await passes(hand, "a venue that is used on request");
  await hand.leads(found.locator("form[data-ask] button"));
  await hand.at("#place [data-request]").waitFor();
  assert.ok((await hand.at("#checklist").innerText()).includes("waiting for the owner"), "the checklist does not say that the event waits");
  await passes(hand, "an event that waits");
  const { context, page } = await hand.kit.open({ javaScriptEnabled: hand.scripts });
  const owner = new Hand(hand.kit, { ...args, page });
  await owner.enter(args.owner, "/console/messages");
  await owner.leads(owner.at(`.message-subject:has-text("${args.asked}")`).first());
  await owner.leads(owner.at('a[href="/console/venue-requests"]'));
  await passes(owner, "requests for venues");
  const request = owner.at(`[data-request]:has-text("${args.asked}")`);
  await owner.fill(request.locator("textarea"), "Gern");
  await owner.leads(request.locator('button[value="accept"]'));
  await request.locator("details").waitFor();
  await passes(owner, "a decided request");
  await context.close();
  await hand.visit(args.second);
  await chosen(hand, args.asked);
  assert.equal(await hand.at("#place [data-request]").count(), 0, "the event still waits");
}

// The owner closes the venue; then it is not found, and its events stay.
async function isClosed(hand, args) {
  const { context, page } = await hand.kit.open({ javaScriptEnabled: hand.scripts });
  const owner = new Hand(hand.kit, { ...args, page });
  await owner.enter(args.owner, args.venue);
  await owner.choose(owner.at("#use"), "closed");
  await owner.saveFormOf('[name="use"]');
  await passes(owner, "a closed venue");
  await context.close();
  await search(hand, args, args.name);
  assert.equal(await hand.page.locator("#place-found [data-venue]").count(), 0, "a closed venue is found");
}
