// Unpacks Chromium with its libraries and fonts into TMPDIR, where its package writes.
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.BROWSER_HOME, "package.json"));
process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs22.x"; // else the package leaves its libraries out
const chromium = require("@sparticuz/chromium");
await chromium.executablePath();
