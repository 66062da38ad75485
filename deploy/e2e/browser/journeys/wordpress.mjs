// Uses the plugin as a new user of it does: uploads it, sets the address of the Litfass site, puts
// the block into a page, chooses filters, publishes it, and looks at it as a visitor. Takes zip, the
// file of the plugin, litfass, the address of the site, user and password of an administrator, city
// and category to choose, and folder, for pictures. Returns the address of the page.
import { join } from "node:path";

export default async (kit) => {
  kit.allow(/gravatar\.com|wordpress\.org|w\.org|block-directory/); // which WordPress asks, and cannot reach
  await logIn(kit);
  await install(kit);
  await configure(kit);
  const address = await compose(kit);
  await look(kit, address);
  return { address };
};

async function logIn(kit) {
  const { page, args } = kit;
  await kit.visit("/wp-login.php");
  await page.getByLabel("Username or Email Address").fill(args.user);
  await page.getByLabel("Password", { exact: true }).fill(args.password);
  await page.getByRole("button", { name: "Log In" }).click();
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
}

async function install(kit) {
  const { page, args } = kit;
  await kit.visit("/wp-admin/plugin-install.php?tab=upload");
  await page.locator("#pluginzip").setInputFiles(args.zip);
  await page.getByRole("button", { name: "Install Now" }).click();
  await page.getByRole("link", { name: "Activate Plugin" }).click();
  await page.getByText("Plugin activated.").waitFor();
}

// What is no address on the web is refused; then the site answers.
async function configure(kit) {
  const { page, args } = kit;
  await page.locator("tr[data-slug=litfass]").getByRole("link", { name: "Settings" }).click();
  await page.getByLabel("Address of the Litfass site").fill("ftp://example.org");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("The address must begin with").waitFor();
  await page.getByLabel("Address of the Litfass site").fill(`${args.litfass}/`);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("Litfass answers at this address.").waitFor();
  await page.screenshot({ path: join(args.folder, "settings.png") });
}

async function compose(kit) {
  const { page, args } = kit;
  await kit.visit("/wp-admin/post-new.php?post_type=page");
  await page.getByRole("button", { name: "Close dialog" }).click();
  await page.getByRole("textbox", { name: "Add title" }).fill("What is on");
  await page.getByRole("button", { name: "Toggle block inserter" }).click();
  await page.getByRole("searchbox", { name: "Search for blocks and patterns" }).fill("concerts");
  await page.getByRole("option", { name: "Litfass events" }).click();
  await page.getByRole("button", { name: "Toggle block inserter" }).click();
  const block = page.getByRole("document", { name: "Block: Litfass events" });
  await block.locator(".litfass-date").first().waitFor();
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByLabel("Town").fill(args.city);
  await page.getByLabel(args.category, { exact: true }).check();
  await page.getByLabel("Heading", { exact: true }).fill("Kiel & <b>around</b>");
  await page.getByLabel("Level of the heading").selectOption("3");
  await block.getByRole("heading", { name: "Kiel & <b>around</b>", level: 3 }).waitFor();
  await page.screenshot({ path: join(args.folder, "editor.png") });
  for (const [view, shown] of [
    ["week", ".litfass-day"],
    ["month", ".litfass-table"],
    ["list", ".litfass-where"],
  ]) {
    await page.getByLabel("View", { exact: true }).selectOption(view);
    await block.locator(shown).first().waitFor();
    await page.screenshot({ path: join(args.folder, `editor-${view}.png`) });
  }
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const published = page.getByRole("region", { name: "Editor publish" });
  await published.getByRole("button", { name: "Publish", exact: true }).click();
  return published.getByRole("link", { name: "View Page" }).getAttribute("href");
}

// A visitor's page has no script of the plugin, its styles once, and fits a phone.
async function look(kit, address) {
  const { assert, args } = kit;
  for (const viewport of [
    { width: 360, height: 640 },
    { width: 1366, height: 768 },
  ]) {
    const { context, page } = await kit.open({ viewport });
    await page.goto(address);
    await page.getByRole("heading", { name: "Kiel & <b>around</b>", level: 3 }).waitFor();
    const places = await page.locator(".litfass-where").allTextContents();
    assert.ok(places.length > 0 && places.every((place) => place.endsWith(args.city)), places.join());
    assert.equal(await page.locator("link[href*='litfass/block/style.css'], style#litfass-inline-css").count(), 1);
    assert.equal(await page.locator("script[src*='plugins/litfass']").count(), 0);
    await kit.fits(page);
    await kit.axe(page, `(${viewport.width} px)`, { within: ".litfass-events" });
    await page.screenshot({ path: join(args.folder, `page-${viewport.width}.png`) });
    await context.close();
  }
}
