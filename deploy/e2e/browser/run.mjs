// Walks journeys in Chromium for a Go program: each line of standard input is a journey as JSON, and
// is answered with one line on standard output. Ends with its input.
import { createInterface } from "node:readline";
import { launch } from "./lib/chromium.mjs";
import { walk } from "./lib/walk.mjs";

console.log = console.error; // standard output is only for answers

const browser = await launch();
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await walk(browser, JSON.parse(line)))}\n`);
}
await browser.close();
