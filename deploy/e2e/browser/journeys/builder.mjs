// Composes the code for another website, with scripts or without. Takes city, a city with dates that
// the API finds now, and scripts, false where they are off.
export default async (kit) => {
  const { page, assert, args } = kit;
  const scripts = args.scripts !== false;
  await kit.visit("/embed/builder?lang=en&tags=nothing-has-this");
  await page.getByRole("link", { name: "Remove: tags" }).click();
  await page.getByLabel("Town").fill(args.city);
  await page.getByLabel("View", { exact: true }).selectOption("week");
  await page.getByLabel("Height in rows").fill("5");
  if (!scripts) {
    await page.getByRole("button", { name: "Update" }).click();
  }
  const code = page.getByLabel("Element", { exact: true });
  await page.waitForURL((url) => url.searchParams.get("rows") === "5");
  assert.ok(
    (await code.inputValue()).includes(`<litfass-events city="${args.city}" view="week" rows="5" style="display: block; min-height: 480px">`),
    await code.inputValue(),
  );
  assert.equal(new URL(page.url()).searchParams.get("city"), args.city);
  assert.equal(new URL(page.url()).searchParams.has("tags"), false);
  assert.match(await code.inputValue(), /<a href="[^"]+\/\?city=/);
  if (scripts) {
    await page.locator("litfass-events [part~=day]").nth(6).waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy: Frame" }).click();
    await page.getByText("Copied").waitFor({ state: "attached" });
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^<iframe data-litfass src="[^"]+\/embed\?city=/);
  } else {
    assert.equal(await page.locator("litfass-events .litfass-day").count(), 7);
    assert.equal(await page.getByRole("button", { name: "Copy: Frame" }).isVisible(), false);
  }
};
