// Looks at what a widget shows late, without an answer, without dates, as a week, and in a frame.
// Takes now, the instant that the page takes for the present.
export default async (kit) => {
  await kit.page.clock.setFixedTime(kit.args.now);
  await late(kit);
  await unanswered(kit);
  await empty(kit);
  await week(kit);
  await frame(kit);
};

// A widget far down asks when the visitor comes near.
async function late({ page, base, assert }) {
  const asked = [];
  page.on("request", (request) => request.url().includes("/api/") && asked.push(request.url()));
  await page.goto(new URL("/far", base).href, { waitUntil: "networkidle" });
  assert.deepEqual(asked, []);
  const widget = page.locator("litfass-events");
  await widget.scrollIntoViewIfNeeded();
  await widget.locator("li").first().waitFor();
  await page.waitForLoadState("networkidle");
  assert.equal(asked.length, 2); // what begins, and what began before for the places that are left
}

// Without an answer the host's own words stay.
async function unanswered(kit) {
  kit.allow(/status of 503/);
  await kit.visit("/failing");
  await kit.page.locator("litfass-events [aria-busy=false]").waitFor();
  kit.assert.ok(await kit.page.getByText("The host's own words").isVisible());
}

async function empty(kit) {
  await kit.visit("/empty");
  await kit.page.locator("litfass-events").getByText("No events found").waitFor();
}

// A week has every day from Monday on. A date is on each of its days, but not in the night after.
async function week(kit) {
  await kit.visit("/week");
  const days = kit.page.locator("litfass-events section section");
  await days.nth(6).waitFor();
  const texts = await days.allInnerTexts();
  kit.assert.equal(texts.length, 7);
  kit.assert.match(texts[0], /^mandag 16. november\s+–$/);
  kit.assert.match(texts[3], /^torsdag 19. november\s+.*Jazz/);
  kit.assert.doesNotMatch(texts[4], /Jazz/);
  kit.assert.match(texts[4], /Aflyst Tango 💃\s+kl. 19.30/);
  kit.assert.match(texts[6], /WWW/);
  const foreign = await kit.page.locator("litfass-events section section [lang]").evaluateAll((all) => all.map((one) => [one.lang, one.textContent]));
  kit.assert.ok(foreign.length > 0 && foreign.every(([lang, text]) => lang === "en" && text.includes("Jazz")), `${foreign}`);
  await kit.axe();
}

// A frame gets the height that its page names.
async function frame(kit) {
  await kit.visit("/frame");
  await kit.page.waitForFunction(() => document.querySelector("iframe").style.height === "1234px");
}
