// Looks at a page of another website whose frame adapts to the height of its content. Takes path.
import assert from "node:assert/strict";
import { until } from "../lib/site.mjs";

export default async (kit) => {
  await kit.visit(kit.args.path);
  const frame = kit.page.frameLocator("#first");
  await frame.locator("[data-date]").first().waitFor();
  await until(async () => {
    const needed = await frame.locator("html").evaluate((html) => html.scrollHeight);
    const { height } = await kit.page.locator("#first").boundingBox();
    assert.ok(height >= needed, `a frame of ${height} px for ${needed}`);
  });
  await kit.axe();
};
