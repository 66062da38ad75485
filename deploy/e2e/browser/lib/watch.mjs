// Watches what happens in a browser context besides what a journey does there.
import { gzipSync } from "node:zlib";

// What was seen in the contexts of one journey.
export class Seen {
  #origins;
  #allowed = [];
  #failures = [];
  #shifts = new Map(); // by document
  #reading = [];
  requests = [];

  constructor(origins) {
    this.#origins = new Set(origins);
  }

  // Takes failures whose text matches for expected.
  allow(pattern) {
    this.#allowed.push(pattern);
  }

  fail(kind, text, page = "") {
    this.#failures.push({ kind, text, page });
  }

  get failures() {
    return this.#failures.filter(({ text }) => !this.#allowed.some((pattern) => pattern.test(text)));
  }

  // The most that the parts of a document have moved by themselves (Cumulative Layout Shift, without
  // its windows), by the document's address.
  get shifts() {
    const most = {};
    for (const { page, value } of this.#shifts.values()) {
      most[page] = Math.max(most[page] ?? 0, value);
    }
    return most;
  }

  // Watches a context from before its first page. Without scripts a page cannot be observed from
  // inside: breaches of the policy are errors of the console then, and shifts are not measured.
  async watch(context, scripts) {
    if (scripts) {
      await context.exposeBinding("__seen", (_, what) => this.#hear(what));
      await context.addInitScript(observe);
    }
    context.on("weberror", (error) => this.fail("page", String(error.error().stack), error.page()?.url()));
    context.on("console", (message) => {
      if (message.type() === "error") {
        this.fail("console", `${message.text()} (${message.location().url})`, message.page()?.url());
      }
    });
    context.on("page", (page) => page.on("crash", () => this.fail("page", "the page has crashed", page.url())));
    context.on("request", (request) => this.#check(request));
    // An answer that the browser has dropped with its page cannot be weighed: its bytes stay 0.
    context.on("requestfinished", (request) => this.#reading.push(this.#weigh(request).catch(() => {})));
  }

  #hear({ kind, document, value, page }) {
    if (kind === "shift") {
      this.#shifts.set(document, { page, value: (this.#shifts.get(document)?.value ?? 0) + value });
    } else {
      this.fail(kind, value, page);
    }
  }

  #check(request) {
    const url = new URL(request.url());
    if (/^(https?|wss?):$/.test(url.protocol) && !this.#origins.has(url.origin)) {
      this.fail("origin", `asks for ${url.href}`, request.frame().url());
    }
  }

  // Notes a request with the bytes of its answer by gzip, however it was sent. A redirect has none.
  async #weigh(request) {
    const response = await request.response();
    const type = request.resourceType();
    const noted = { url: request.url(), type, status: response.status(), bytes: 0 };
    this.requests.push(noted);
    if (request.redirectedTo() === null) {
      noted.bytes = gzipSync(await response.body()).length;
    }
  }

  // Waits until all that has happened on these pages was heard.
  async settle(pages) {
    await Promise.allSettled(pages.map((page) => page.evaluate(() => globalThis.__settle?.())));
    await Promise.all(this.#reading);
  }
}

// Runs in every document before its own scripts.
function observe() {
  const document = `${location.href} ${Math.random()}`;
  const tell = (kind, value) => globalThis.__seen({ kind, value, document, page: location.href });
  addEventListener("securitypolicyviolation", (event) =>
    tell("policy", `${event.effectiveDirective} refuses ${event.blockedURI || "code in the page"}`),
  );
  const shifts = (entries) =>
    Promise.all(entries.filter((entry) => !entry.hadRecentInput).map((entry) => tell("shift", entry.value)));
  const observer = new PerformanceObserver((list) => shifts(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  globalThis.__settle = async () => {
    const frame = () =>
      new Promise((next) => {
        requestAnimationFrame(next);
        setTimeout(next, 1_000); // a page that is not in front paints no frames
      });
    await frame();
    await frame();
    await shifts(observer.takeRecords());
  };
}
