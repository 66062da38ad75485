// Looks at a page with axe: in every look, or briefly. Nothing may have run that a text holds: such
// texts set the global "planted". Takes path, and brief.
import assert from "node:assert/strict";

export default async (kit) => {
  const { path, brief } = kit.args;
  kit.allow(/status of (400|404)/); // pages of errors are looked at, too
  const unharmed = async (page) => {
    for (const frame of page.frames()) {
      assert.equal(await frame.evaluate(() => globalThis.planted), undefined);
    }
  };
  await kit.audit(path, unharmed, brief);
};
