// Watches pages until they show the changes. Takes pages, each with path, there, selectors of the
// elements that must appear, and gone, selectors of the elements that must disappear.
import assert from "node:assert/strict";
import { until } from "../lib/site.mjs";

export default async (kit) => {
  kit.allow(/status of 404/); // a page that is not there yet
  for (const { path, there = [], gone = [] } of kit.args.pages) {
    await until(async () => {
      await kit.visit(path);
      const last = kit.page.locator(there.at(-1) ?? "body").first();
      await last.waitFor({ state: "attached", timeout: 2_000 }).catch(() => {}); // a widget asks after the page's load
      for (const selector of there) {
        assert.ok(await kit.page.locator(selector).count(), `no ${selector} on ${path}`);
      }
      for (const selector of gone) {
        assert.ok(!(await kit.page.locator(selector).count()), `still ${selector} on ${path}`);
      }
    });
  }
};
