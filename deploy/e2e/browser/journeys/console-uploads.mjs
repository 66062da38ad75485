// Adds files to the images of an event. Files that are no valid images are refused with a reason,
// and the fields next to them keep their text. Takes path, of an event without images, files, each
// with name, type, content in base64, and refused, words of the reason or "", and scripts.
import assert from "node:assert/strict";
import { Hand } from "../lib/console.mjs";
import { until } from "../lib/site.mjs";

const typed = "Geschrieben, während Bilder kommen";

export default async (kit) => {
  kit.allow(/status of (413|422)/); // that is what is tried
  const hand = new Hand(kit, kit.args);
  const scripted = [];
  hand.page.on("request", (request) => request.headers()["hx-request"] && scripted.push(request));
  await hand.visit(kit.args.path);
  let taken = 0;
  for (const { name, type, content, refused } of kit.args.files) {
    await hand.at("#subtitle").fill(typed); // and not left, which would save it
    const file = { name, mimeType: type, buffer: Buffer.from(content, "base64") };
    await (hand.scripts ? dropped(hand, file, refused) : sent(hand, file, refused));
    taken += refused ? 0 : 1;
    await until(async () => assert.equal(await hand.page.locator("#picture-list .picture").count(), taken, name));
  }
  assert.ok(!(await runs(hand)), "a file was run");
  await shownAsPictures(hand, taken);
  if (hand.scripts) {
    await moved(hand);
    namePerson(scripted);
  }
};

// Moves the last image before another one.
async function moved({ page }) {
  const pictures = page.locator("#picture-list .picture");
  const last = await pictures.last().getAttribute("id");
  await pictures.last().locator("[data-picture-form] button").first().click();
  await until(async () => assert.notEqual(await pictures.last().getAttribute("id"), last));
}

// What scripts send names the person for whom the page was made: another one may have logged in.
function namePerson(requests) {
  const nameless = requests.filter((request) => !/^\d+$/.test(request.headers()["litfass-person"] ?? ""));
  assert.ok(requests.some((request) => request.url().endsWith("/pictures")) && requests.some((request) => request.url().endsWith("/move")));
  assert.deepEqual(nameless.map((request) => request.url()), []);
}

// With scripts each file has a row of its own, and nothing else on the page changes.
async function dropped(hand, file, refused) {
  await hand.at("#pictures-file").setInputFiles(file);
  const row = hand.page.locator("#uploads li").last();
  if (refused) {
    await until(async () => assert.ok((await row.innerText()).includes(refused), `${file.name}: ${await row.innerText()}`));
    await row.locator("button").last().click();
  }
  await until(async () => assert.equal(await hand.page.locator("#uploads li").count(), 0));
  assert.equal(await hand.at("#subtitle").inputValue(), typed);
}

// Without scripts the page comes back, with the reason at the field. A file that is too large to be
// read at all has a page of its own, which leads back.
async function sent(hand, file, refused) {
  await hand.at("#pictures-file").setInputFiles(file);
  await hand.leads(hand.at('#pictures-form button[type="submit"]'));
  const failure = hand.page.locator(".failure");
  if (refused && (await failure.count())) {
    assert.ok((await failure.innerText()).includes(refused), `${file.name}: ${await failure.innerText()}`);
    await hand.leads(failure.locator("a").first());
    await hand.arrives(/\/event\/[0-9a-f-]{36}$/);
  } else if (refused) {
    const error = await hand.at("#pictures-file-error").innerText();
    assert.ok(error.includes(refused), `${file.name}: ${error}`);
    assert.equal(await hand.at("#pictures-file").getAttribute("aria-invalid"), "true");
  }
}

const runs = ({ page, scripts }) => (scripts ? page.evaluate(() => "planted" in globalThis) : false);

// The console serves the files as images only, however they are requested.
async function shownAsPictures({ page }, count) {
  const addresses = await page.locator("#picture-list .picture [data-head] img").evaluateAll((all) => all.map((image) => image.src));
  assert.equal(addresses.length, count);
  for (const address of addresses) {
    const answer = await page.request.get(address, { headers: { Accept: "text/html" } });
    assert.equal(answer.status(), 200, address);
    assert.match(answer.headers()["content-type"], /^image\/(jpeg|png)$/);
    assert.equal(answer.headers()["x-content-type-options"], "nosniff");
    assert.ok(!(await answer.body()).includes("planted"), address);
  }
}
