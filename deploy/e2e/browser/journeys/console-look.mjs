// Checks pages of the console with axe, in every look, and the size of their controls. Takes paths, and brief
// for one look.
import { lookAtPage } from "../lib/look.mjs";

export default async (kit) => {
  kit.allow(/status of (400|401|403|404)/); // pages of errors are looked at, too
  for (const path of kit.args.paths) {
    const page = await kit.page.context().newPage();
    await kit.visit(path, page);
    await lookAtPage(kit, page, kit.args.brief);
    await page.close();
  }
};
