// Checks pages of the console with axe, in every look, and the size of their controls. Takes paths, and brief
// for one look.
import { lookAtPage } from "../lib/look.mjs";

export default async (kit) => {
  kit.allow(/status of (400|401|403|404)/); // pages of errors are looked at, too
  for (const path of kit.args.paths) {
    await kit.visit(path);
    await lookAtPage(kit, kit.page, kit.args.brief);
  }
};
