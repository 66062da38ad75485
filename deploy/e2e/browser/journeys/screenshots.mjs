// Takes screenshots of pages. Takes folder, and pages, each with name and path.
import { followTheme } from "../lib/look.mjs";

export default async (kit) => {
  kit.allow(/status of (400|403|404|410)/); // pages of errors are shown, too
  for (const { name, path } of kit.args.pages) {
    await kit.photograph(kit.args.folder, name, path, followTheme);
  }
};
