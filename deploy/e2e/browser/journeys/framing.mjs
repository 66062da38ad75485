// Opens paths of a site in frames of another website, and returns which of them are shown. Takes
// paths.
export default async (kit) => {
  kit.allow(/frame-ancestors|Framing '|status of (400|404)|refused to connect/); // that is what is tried
  const shown = {};
  for (const path of kit.args.paths) {
    await kit.visit(`/framing?path=${encodeURIComponent(path)}`);
    const frame = kit.page.frames()[1];
    await frame.waitForLoadState();
    shown[path] = !frame.url().startsWith("chrome-error:") && (await frame.locator("main").count()) > 0;
  }
  return shown;
};
