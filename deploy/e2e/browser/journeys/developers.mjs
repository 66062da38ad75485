// Runs every example of the page for developers, each of which must be answered with 200, with
// scripts or without. Takes city, a city with dates to come, and scripts, false where they are off.
import { arrives } from "../lib/site.mjs";

export default async (kit) => {
  const { page, assert, args } = kit;
  await kit.visit("/");
  await page.getByRole("link", { name: "For developers" }).click();
  await arrives(page, "For developers");
  if (args.scripts === false) {
    await withoutScripts(page, assert);
    return;
  }
  const examples = page.locator("form[data-example]");
  const count = await examples.count();
  assert.ok(count >= 10, `${count} examples`);
  for (let i = 0; i < count; i++) {
    const status = await run(examples.nth(i));
    assert.match(
      status,
      /^HTTP 200 · \d+ ms$/,
      `${await examples.nth(i).getAttribute("id")}: ${status}`,
    );
    const answer = await examples.nth(i).locator("[data-answer]").textContent();
    assert.ok(answer.length > 20 && !/"isError": true/.test(answer), answer);
  }
  await edits(page, assert, args.city);
  await goesOn(page, assert);
  await page
    .locator("litfass-events [part~=entry], litfass-events [part~=title]")
    .first()
    .waitFor();
};

// Runs an example and returns what it says of the answer.
async function run(example) {
  await example.getByRole("button", { name: "Run" }).click();
  await example
    .and(example.page().locator("[data-state=answered], [data-state=refused]"))
    .waitFor();
  return example.locator("[data-status]").textContent();
}

// A changed field changes the command, which can be copied, and the answer; a wrong one is refused by name.
async function edits(page, assert, city) {
  const example = page.locator("#example-search");
  await example.getByLabel("city").fill(city);
  await example.getByLabel("limit").fill("1");
  const command = `curl '${new URL(page.url()).origin}/api/events?city=${city}&start=today&group=event&limit=1'`;
  assert.equal(await example.locator("[data-command]").textContent(), command);
  assert.match(await run(example), /^HTTP 200/);
  assert.equal(
    JSON.parse(await example.locator("[data-answer]").textContent()).data.events
      .length,
    1,
  );
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await example.getByRole("button", { name: "Copy" }).click();
  await page.getByText("Copied").first().waitFor({ state: "attached" });
  assert.equal(
    await page.evaluate(() => navigator.clipboard.readText()),
    command,
  );
}

// The next page, and the next changes, begin where the answer has ended.
async function goesOn(page, assert) {
  const paging = page.locator("#example-paging");
  await paging.getByLabel("limit").fill("1");
  for (const name of ["last_event_start_at", "last_event_date_uuid"]) {
    await paging.getByLabel(name).fill("");
  }
  const seen = [];
  for (let i = 0; i < 2; i++) {
    await run(paging);
    seen.push(
      JSON.parse(await paging.locator("[data-answer]").textContent()).data
        .events[0].date_uuid,
    );
    assert.equal(
      await paging.getByLabel("last_event_date_uuid").inputValue(),
      seen[i],
    );
  }
  assert.notEqual(seen[0], seen[1]);
  const changes = page.locator("#example-changes");
  assert.match(await changes.getByLabel("after").inputValue(), /./);
  assert.match(await run(changes), /^HTTP 200/);
}

// Each form that gets opens its answer.
async function withoutScripts(page, assert) {
  assert.equal(await page.locator("[data-copy-command]:visible").count(), 0);
  const addresses = await page
    .locator("form[method=get]")
    .evaluateAll((forms) =>
      forms.map(
        (form) =>
          `${form.action}?${new URLSearchParams([...new FormData(form)])}`,
      ),
    );
  assert.ok(addresses.length >= 9, addresses.join(" "));
  for (const address of addresses) {
    const answer = await page.context().request.get(address);
    assert.equal(answer.status(), 200, address);
  }
  const answered = page.waitForResponse((response) =>
    response.url().includes("/api/events?city="),
  );
  await page
    .locator("#example-search")
    .getByRole("button", { name: "Run" })
    .click();
  assert.equal((await answered).status(), 200);
  await page.waitForURL(/\/api\/events\?city=/);
  await page.goBack();
}
