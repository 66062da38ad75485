// Tries the attacks that a page of another site can make on a person who is logged in: it sends
// forms, sends requests from scripts, follows links, loads addresses as images and shows pages in
// frames. Takes person, foreign, an address of another site on the same machine, tries, each with
// path and fields of a form, links, paths to request without a form, frames, paths to show in
// frames, and embed, a page that may be framed.
import assert from "node:assert/strict";
import { Hand } from "../lib/console.mjs";

// Another site by any measure. Nothing is asked for its name: its page is made here.
const elsewhere = "http://elsewhere.test/";

export default async (kit) => {
  const { args } = kit;
  // That is what is tried.
  kit.allow(/status of (401|403|404|405)|CORS|has been blocked|net::ERR_FAILED|Local Network|frame-ancestors|X-Frame-Options|Framing '|frame-src/);
  await new Hand(kit).enter(args.person);
  await kit.context.route(elsewhere, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Elsewhere</title>" }));
  const answers = [];
  for (const site of [args.foreign, elsewhere]) {
    for (const attempt of args.tries) {
      for (const enctype of ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]) {
        answers.push(await sentByForm(kit, site, attempt, enctype));
      }
      answers.push(await sentByScript(kit, site, attempt));
    }
  }
  await askedFor(kit, elsewhere, args.links);
  answers.push(...(await framed(kit, args)));
  await kit.visit("/console/");
  assert.ok(await kit.page.locator("body[data-user]").count(), "the person was logged out");
  return answers.filter(({ status }) => status < 400);
};

// Has the browser send a form from another site, as a click there would.
async function sentByForm({ page, base }, site, { path, fields }, enctype) {
  await page.goto(site);
  const [answer] = await Promise.all([
    page.waitForNavigation(),
    page.evaluate(
      ({ action, fields, enctype }) => {
        const form = document.createElement("form");
        Object.assign(form, { method: "post", action, enctype });
        for (const [name, value] of Object.entries(fields)) {
          const input = document.createElement("input");
          Object.assign(input, { type: "hidden", name, value });
          form.append(input);
        }
        document.body.append(form);
        form.submit();
      },
      { action: base + path, fields, enctype },
    ),
  ]);
  return { site, path, by: `form as ${enctype}`, status: answer.status() };
}

// Asks with a script of another site and the person's cookies. Its answer must not be readable, and
// has to be refused.
async function sentByScript({ page, base }, site, { path, fields }) {
  await page.goto(site);
  const read = await page.evaluate(
    async ({ address, fields }) => {
      const ask = (mode, method, body) =>
        fetch(address, { mode, method, body, credentials: "include" }).then(
          (answer) => (answer.type === "opaque" ? "" : answer.text()),
          () => "",
        );
      const body = new URLSearchParams(fields);
      return [await ask("cors", "POST", body), await ask("no-cors", "POST", body), await ask("cors", "GET")].join("");
    },
    { address: base + path, fields },
  );
  return { site, path, by: "script", status: read === "" ? 403 : 200 };
}

// Has the browser request addresses as images, prefetches and pages, and waits for each.
async function askedFor({ page, base }, site, links) {
  await page.goto(site);
  for (const path of links) {
    await page.evaluate(async (address) => {
      const ended = (element) =>
        new Promise((next) => {
          element.addEventListener("load", next);
          element.addEventListener("error", next);
          document.head.append(element);
        });
      const picture = Object.assign(document.createElement("img"), { src: address });
      const prefetch = Object.assign(document.createElement("link"), { rel: "prefetch", href: address });
      await Promise.all([ended(picture), ended(prefetch)]);
    }, base + path);
    await page.goto(base + path, { referer: site, waitUntil: "domcontentloaded" });
    await page.goto(site);
  }
}

// Shows pages in frames of the other site, and of a page of the site that may be shown there
// itself, and returns the paths that are shown.
async function framed({ page, base }, { foreign, frames, embed }) {
  const shown = [];
  for (const path of frames) {
    await page.goto(foreign);
    const inner = await frameOf(page, page, base + embed);
    await inner.locator("main").waitFor();
    for (const holder of [page, inner]) {
      const frame = await frameOf(page, holder, base + path);
      if (!/^(chrome-error|about):/.test(frame.url()) && (await frame.locator("main, form, h1").count()) > 0) {
        shown.push({ site: holder.url(), path, by: "frame", status: 200 });
      }
    }
  }
  return shown;
}

// Adds a frame to a page, or to a frame of it, and returns it once it has loaded or was refused.
async function frameOf(page, holder, address) {
  const [frame] = await Promise.all([
    page.waitForEvent("frameattached"),
    holder.evaluate(
      (src) =>
        new Promise((next) => {
          const frame = Object.assign(document.createElement("iframe"), { src });
          frame.addEventListener("load", next);
          document.body.append(frame);
        }),
      address,
    ),
  ]);
  return frame;
}
