// What several journeys through the console do.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { patience, until } from "./site.mjs";

// Returns the path that the last mail to an address leads to, such as "/console/activate?token=…".
// folder is where mails are written.
export const mailed = (folder, email, page) =>
  until(async () => {
    const link = new RegExp(`https?://[^\\s"]+?(/console/${page}\\?token=[\\w-]+)`);
    const files = (await readdir(folder)).filter((name) => name.endsWith(".eml")).sort();
    for (const file of files.reverse()) {
      const mail = await readFile(join(folder, file), "utf8");
      const found = mail.replaceAll("=\r\n", "").replaceAll("=3D", "=").match(link);
      if (found && mail.includes(`To: <${email}>`)) {
        return found[1];
      }
    }
    return assert.fail(`none of ${files.length} mails to ${email} leads to ${page}`);
  });

// Returns the event of a journey as visitors see it.
export async function publicEvent({ base, args }) {
  const answer = await fetch(`${args.site ?? base}/api/event/${args.event}`, { signal: AbortSignal.timeout(patience) });
  assert.equal(answer.status, 200);
  return (await answer.json()).data;
}

// A person in front of a page: with a pointer or only a keyboard, with scripts or without.
export class Hand {
  constructor(kit, { keyboard = false, scripts = true, page = kit.page } = {}) {
    Object.assign(this, { kit, keyboard, scripts, page });
  }

  at(selector, options) {
    return this.page.locator(selector, options).first();
  }

  visit(path) {
    return this.kit.visit(path, this.page);
  }

  // Brings the focus to an element.
  async reach(locator) {
    await locator.waitFor();
    if (await locator.evaluate((element) => document.activeElement === element)) {
      return;
    }
    if (this.keyboard) {
      await this.kit.reach(locator, this.page);
    } else {
      await locator.focus();
    }
  }

  // Follows a link, presses a button, or opens what is folded up.
  async press(locator, key = "Enter") {
    if (!this.keyboard) {
      return locator.click();
    }
    await this.reach(locator);
    return this.page.keyboard.press(key);
  }

  // Presses what leads to another page, and waits for all of that page, not for the rest of this one.
  async leads(locator) {
    await Promise.all([this.page.waitForNavigation({ waitUntil: "load" }), this.press(locator)]);
  }

  // Ticks a box, or chooses one of several, among which the arrow keys move.
  async tick(locator) {
    if (!this.keyboard) {
      return locator.check();
    }
    if ((await locator.getAttribute("type")) !== "radio") {
      return this.press(locator, "Space");
    }
    const name = await locator.getAttribute("name");
    await this.reach(this.at(`input[type="radio"][name="${name}"]:checked`));
    for (let presses = 0; presses < 20 && !(await locator.isChecked()); presses++) {
      await this.page.keyboard.press("ArrowDown");
    }
    return assert.ok(await locator.isChecked(), `${locator} is not chosen`);
  }

  // Unticks a box, again when an answer has replaced it in that moment.
  untick(locator) {
    return until(async () => {
      if (await locator.isChecked()) {
        await (this.keyboard ? this.press(locator, "Space") : locator.uncheck());
      }
      assert.equal(await locator.isChecked(), false, `${locator} is ticked`);
    });
  }

  // Replaces the text of a field of one or more lines.
  async fill(locator, text) {
    if (!this.keyboard) {
      return locator.fill(text);
    }
    await this.reach(locator);
    await this.page.keyboard.press("ControlOrMeta+A");
    await this.page.keyboard.insertText(text);
  }

  // Writes a day or a time, which browsers show in parts.
  async fillParts(locator, value) {
    if (!this.keyboard) {
      return locator.fill(value);
    }
    await this.reach(locator);
    await this.page.keyboard.type(await this.page.evaluate(inParts, value));
    return assert.equal(await locator.inputValue(), value);
  }

  // Chooses a file with the dialog that a field opens.
  async chooseFile(locator, path) {
    const [chooser] = await Promise.all([this.page.waitForEvent("filechooser"), this.press(locator)]);
    await chooser.setFiles(path);
  }

  // Chooses an option by its value; by keyboard with the arrow keys.
  async choose(locator, value) {
    if (!this.keyboard) {
      return locator.selectOption(value);
    }
    await this.reach(locator);
    for (let presses = 0; presses < 100 && (await locator.inputValue()) !== value; presses++) {
      await this.page.keyboard.press("ArrowDown");
    }
    return assert.equal(await locator.inputValue(), value);
  }

  // Sends the form by its button.
  send(form) {
    return this.press(form.locator('button[type="submit"]').first());
  }

  // Has the form of a field, which is saved as it is edited, save what was typed there: by leaving
  // the field, or without scripts by its button. With scripts the focus stays in the page.
  async saveFormOf(field) {
    const form = this.at(`form[data-auto]:has(${field})`);
    if (!this.scripts) {
      const own = form.locator("button.auto-button"); // without one, a button saves all fields of the page
      await this.leads((await own.count()) > 0 ? own : this.at("[data-publish] button[type=submit]"));
      await this.at("main .notice").waitFor();
      return;
    }
    await this.page.keyboard.press("Tab");
    await form.locator("[data-saved]").waitFor();
    await this.hasFocus();
  }

  // The focus is somewhere on the page, and not lost with what was replaced there.
  async hasFocus() {
    if (!this.scripts) {
      return; // each answer is another page
    }
    const focused = await this.page.evaluate(() => document.activeElement?.tagName ?? "none");
    assert.ok(!["BODY", "HTML", "none"].includes(focused), `the focus is lost on ${this.page.url()}`);
  }

  // Logs in on the page of the login that is shown.
  async logIn({ email, password }) {
    await this.fill(this.at("#email"), email);
    await this.fill(this.at("#password"), password);
    await this.send(this.at('form[action="/console/login"]'));
    await this.at("[data-user] form[data-forget], body[data-user]").waitFor();
  }

  // Opens the login and logs in.
  async enter(person, path = "/console/") {
    await this.visit(`/console/login?next=${encodeURIComponent(path)}`);
    await this.logIn(person);
  }

  // Waits for a page of the console by its path.
  arrives(pattern) {
    return until(async () => {
      const { pathname } = new URL(this.page.url());
      assert.match(pathname, pattern);
      await this.page.waitForLoadState("domcontentloaded");
      return pathname;
    });
  }
}

// Runs in the page: the keys for a day or a time, in the order in which the browser's language has
// its parts.
function inParts(value) {
  const day = value.includes("-");
  const two = "2-digit";
  const style = day ? { year: "numeric", month: two, day: two } : { hour: two, minute: two };
  const written = new Intl.DateTimeFormat(navigator.language, { ...style, timeZone: "UTC" });
  const parts = written.formatToParts(new Date(day ? value : `2000-01-01T${value}Z`));
  return parts.filter(({ type }) => type !== "literal").map((part) => part.value).join("");
}

// Every target of a pointer is at least 24 px wide and high, unless it stands within a sentence, or
// the browser draws it (WCAG 2.5.8).
export async function targets(page) {
  const small = await page.evaluate(() => {
    const found = [];
    for (const element of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary, textarea")) {
      const { width, height } = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      const hidden = !element.checkVisibility() || element.closest(".visually-hidden, .skip, [inert]");
      const words = [...element.parentElement.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const inText = style.display === "inline" && words.some(({ data }) => /[\p{L}\p{N}]{2}/u.test(data));
      const labelled = element.labels?.length > 0 && element.matches("[type=checkbox], [type=radio]");
      if (!hidden && !inText && !labelled && (width < 24 || height < 24)) {
        found.push(`${element.outerHTML.slice(0, 120)} is ${width} × ${height} px`);
      }
    }
    return found;
  });
  assert.deepEqual(small, [], `targets on ${page.url()}`);
}

// Every field that is wrong says so in words that are tied to it, and the page announces it.
export async function errorsAreTied(page) {
  const wrong = await page.evaluate(() => {
    const says = (id) => document.getElementById(id)?.innerText.trim();
    const reasons = (field) => (field.getAttribute("aria-describedby") ?? "").split(/\s+/).filter((id) => id.endsWith("-error") && says(id));
    const fields = [...document.querySelectorAll("[aria-invalid=true]")];
    const groups = [...document.querySelectorAll("fieldset")].filter((group) => reasons(group).length > 0);
    const untied = fields.filter((field) => reasons(field).length === 0);
    return { fields: fields.length + groups.length, untied: untied.map((field) => field.outerHTML) };
  });
  assert.ok(wrong.fields > 0, `no field of ${page.url()} is wrong`);
  assert.deepEqual(wrong.untied, [], `on ${page.url()}`);
  assert.ok(await page.locator('[role="alert"]:visible, [role="status"] :is(.error, [data-failed])').count(), `nothing is announced on ${page.url()}`);
}

// Opens all that is folded up, except the menu, which covers what is below it.
export async function unfold(page) {
  await page.locator("details:not([open], [data-menu])").evaluateAll((all) => {
    for (const details of all) {
      details.open = true;
    }
  });
}
