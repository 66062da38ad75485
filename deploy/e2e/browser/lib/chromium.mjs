// Starts Chromium: the one that CHROMIUM names, else the unpacked one with libraries and fonts of its
// own, so that pages look the same on every machine.
import { createRequire } from "node:module";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(join(process.env.BROWSER_HOME, "package.json"));
const { chromium } = require("playwright-core");

// The source of axe-core, for pages.
export const axeSource = require("axe-core/axe.min.js").source;

// Only this machine can be reached, by its number or a name below localhost.
const switches = [
  "--font-render-hinting=none",
  "--disable-dev-shm-usage",
  "--disable-lcd-text",
  "--host-resolver-rules=MAP *.localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

export async function launch() {
  const home = await mkdtemp(join(tmpdir(), "browser-"));
  const common = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8" };
  if (process.env.CHROMIUM) {
    return chromium.launch({ executablePath: process.env.CHROMIUM, args: switches, env: common });
  }
  const folder = join(process.env.BROWSER_HOME, "chromium");
  const fonts = join(home, "fonts.conf");
  await writeFile(fonts, configuration(join(folder, "fonts"), join(home, "fonts")));
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    args: switches,
    env: { ...common, LD_LIBRARY_PATH: join(folder, "al2023", "lib"), FONTCONFIG_FILE: fonts },
  });
}

const configuration = (fonts, cache) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>
`;
