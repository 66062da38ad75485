// Looks at a page with axe in every look. Nothing may have run that a text holds: such texts set the
// global "planted". Takes path.
import assert from "node:assert/strict";

export default async (kit) => {
  kit.allow(/status of (400|404)/); // pages of errors are looked at, too
  await kit.audit(kit.args.path, async (page) => {
    for (const frame of page.frames()) {
      assert.equal(await frame.evaluate(() => globalThis.planted), undefined);
    }
  });
};
