// Walks one journey and reports its observations.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Kit } from "./kit.mjs";
import { patience } from "./site.mjs";
import { Seen } from "./watch.mjs";

// How long a whole journey may take on a busy machine.
const whole = 900_000;

// The settings of a context that a journey does not change.
const settings = {
  locale: "en",
  timezoneId: "Europe/Berlin",
  reducedMotion: "reduce",
  viewport: { width: 1280, height: 900 },
};

export async function walk(browser, { name, base, args, origins, context: own, pictures: wanted }) {
  const seen = new Seen([new URL(base).origin, ...(origins ?? [])]);
  const contexts = [];
  const open = async (options = {}) => {
    const all = { ...settings, ...own, ...options };
    const context = await browser.newContext(all);
    contexts.push(context);
    context.setDefaultTimeout(patience);
    await seen.watch(context, all.javaScriptEnabled !== false);
    return { context, page: await context.newPage() };
  };
  const pages = () => contexts.flatMap((context) => context.pages());
  let value;
  try {
    const { default: journey } = await import(`../journeys/${name}.mjs`);
    const { context, page } = await open();
    value = await inTime(journey(new Kit({ base, args: args ?? {}, context, page, open, seen })));
    await seen.settle(pages());
  } catch (error) {
    seen.fail("journey", error.stack ?? String(error), pages().at(-1)?.url());
  }
  const failures = seen.failures;
  const pictures = wanted && failures.length > 0 ? await photograph(name, pages()) : [];
  await Promise.allSettled(contexts.map((context) => context.close()));
  return { failures, pictures, requests: seen.requests, shifts: seen.shifts, value: value ?? null };
}

async function inTime(journey) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the journey has not ended after ${whole / 1000} s`)), whole);
  });
  try {
    return await Promise.race([journey, late]);
  } finally {
    clearTimeout(timer);
  }
}

// Takes a screenshot of each page, to help find the cause of a failure.
async function photograph(name, pages) {
  const folder = process.env.BROWSER_FAILURES;
  await mkdir(folder, { recursive: true });
  const taken = await Promise.allSettled(
    pages.map(async (page, number) => {
      const path = join(folder, `${name}-${Date.now()}-${number}.png`);
      await page.screenshot({ path, timeout: 5_000 });
      return path;
    }),
  );
  return taken.filter(({ status }) => status === "fulfilled").map(({ value }) => value);
}
