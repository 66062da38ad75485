// What people type is kept in their browser until it is saved: when the tab is closed, the network
// is gone, the login has ended or the server is restarted, the text is there afterwards.

import { type Context, busy, contextOf, foreign } from "./answer";

const user = document.body.dataset.user ?? "";
const prefix = `litfass:${user}:`;
const fields = ":is(input, select, textarea):not([type=hidden], [type=password], [type=file])";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Kept = Record<string, string[]>;

/** The path that a form is sent to. */
const pathOf = (form: HTMLFormElement) => new URL(form.getAttribute("action") ?? "", location.href).pathname;

/** The key of what is kept of a form. It does not depend on the path of the page: a refused form is
 * shown again at the path that it was sent to. */
const keyOf = (form: HTMLFormElement) => `${prefix}${pathOf(form)}#${form.id}`;

/** The field with the digests of what was stored when the form was filled in. */
const baseOf = (form: HTMLFormElement) => form.querySelector<HTMLInputElement>("input[type=hidden][name=base]");

/** The values of a form by name: those of ticked boxes, as they would be sent. */
function read(form: HTMLFormElement): Kept {
  const kept: Kept = {};
  for (const field of form.querySelectorAll<Field>(fields)) {
    if (!field.name) continue;
    kept[field.name] ??= [];
    if (field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio") && !field.checked) continue;
    kept[field.name].push(field.value);
  }
  return kept;
}

/** Fills a form with kept values, which are a change of what was stored then: a field that another
 * person has changed since, too, makes a conflict. */
function fill(form: HTMLFormElement, { base: [base] = [], ...kept }: Kept) {
  const digest = baseOf(form);
  if (digest && base) digest.value = base;
  const left: Kept = structuredClone(kept);
  for (const field of form.querySelectorAll<Field>(fields)) {
    const values = left[field.name];
    if (!values) continue;
    if (field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio")) field.checked = values.includes(field.value);
    else field.value = values.shift() ?? "";
  }
}

function store(form: HTMLFormElement, values = read(form)) {
  try {
    localStorage.setItem(keyOf(form), JSON.stringify({ ...values, base: [baseOf(form)?.value ?? ""] }));
  } catch {
    // The browser keeps nothing, or is full: the form still works.
  }
}

const forget = (form: HTMLFormElement) => localStorage.removeItem(keyOf(form));

/** Whether the form shows what was typed because it was not stored. */
const refused = (form: HTMLFormElement) => form.parentElement?.querySelector("#problems, [data-failed]") != null;

const restored = new WeakSet<HTMLFormElement>();

function restore(form: HTMLFormElement) {
  restored.add(form);
  const stored = localStorage.getItem(keyOf(form));
  if (stored === null) return;
  try {
    const kept = JSON.parse(stored) as Kept;
    if (JSON.stringify({ ...kept, base: [] }) === JSON.stringify({ ...read(form), base: [] })) {
      if (!refused(form)) forget(form);
      return;
    }
    fill(form, kept);
  } catch {
    forget(form);
    return;
  }
  form.dispatchEvent(new CustomEvent("litfass:restored", { bubbles: true }));
  if (form.matches("[data-auto]")) form.requestSubmit();
}

const kept = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLFormElement>("form[data-keep]") : null;

document.addEventListener("input", (event) => {
  const form = kept(event.target);
  if (form) store(form);
});

/** A form with what it holds when it is sent in the background, by itself or by one of its buttons. */
interface Sent {
  form: HTMLFormElement;
  values: Kept;
  by: Element;
}

const requests = new WeakMap<Context, Sent>();

document.addEventListener("htmx:before:request", (event) => {
  const ctx = contextOf(event);
  const by = ctx.sourceElement;
  const form = by instanceof HTMLButtonElement ? by.form : by;
  if (by && form instanceof HTMLFormElement && form.matches("[data-keep]")) requests.set(ctx, { form, values: read(form), by });
});

// Answers to several requests can come into the page at the same time. A form is restored after the
// one to its own request alone, which decides what is kept of it.
const swapping = new Set<string>();

document.addEventListener("htmx:before:swap", (event) => {
  const sent = requests.get(contextOf(event));
  if (sent) swapping.add(sent.form.id);
});

/** Forgets what was saved. What was typed while that was under way is kept, as a change of what is
 * stored now. shown is the form as it is after the answer, which may have replaced it. */
function saved({ form, values }: Sent, shown: HTMLFormElement) {
  const typed = Object.entries(read(form)).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(values[name]));
  if (typed.length === 0) forget(shown);
  else store(shown, { ...read(shown), ...Object.fromEntries(typed) });
}

// A form that is saved in the background is done when the answer to it says so. A failure is shown
// elsewhere, and leaves what an earlier answer has put into the form. A button with a request of its
// own has the form filled in anew, which stands in place of what was typed.
document.addEventListener("htmx:after:swap", (event) => {
  const ctx = contextOf(event);
  const sent = requests.get(ctx);
  const shown = sent && document.getElementById(sent.form.id);
  if (sent) swapping.delete(sent.form.id);
  if (!sent || !(shown instanceof HTMLFormElement)) return;
  if (sent.by === sent.form) {
    const failed = !ctx.response || ctx.response.status >= 400;
    if (!failed && shown.querySelector("[data-saved], [data-settled]")) saved(sent, shown);
  } else if (shown !== sent.form) {
    store(shown);
    restored.add(shown);
  }
});

// A part of a page that was replaced may hold further forms, and names the one that it has stored.
document.addEventListener("htmx:after:swap", (event) => {
  const sent = requests.get(contextOf(event));
  for (const part of document.querySelectorAll<HTMLElement>("[data-arrived]")) {
    if (sent?.form.id === part.dataset.arrived) forget(sent.form);
    part.removeAttribute("data-arrived");
  }
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-keep]")) {
    if (user && !restored.has(form) && !swapping.has(form.id)) restore(form);
  }
});

// Leaving a form by its own link gives up what was typed.
document.addEventListener("click", (event) => {
  const form = kept(event.target);
  if (form && (event.target as Element).closest("[data-discard]")) forget(form);
});

// A form that leads to another page is kept until a page says that it was taken: by a notice after a
// redirect, or by the path of the form on the page that answers it. Without an answer, or with one of
// the gateway, no page does. A form that sends the same once more, after a login, stands for it.
const sentKey = `${prefix}sent`;
const pathIn = (key: string) => key.slice(prefix.length).split("#")[0];

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return; // it is sent in the background
  if (form.matches("[data-keep]")) sessionStorage.setItem(sentKey, keyOf(form));
  else if (pathOf(form) !== pathIn(sessionStorage.getItem(sentKey) ?? "")) sessionStorage.removeItem(sentKey);
});

const noticed = document.querySelector("main > .notice") !== null;
const lastSent = sessionStorage.getItem(sentKey);
if (lastSent !== null) {
  const path = pathIn(lastSent);
  const taken = noticed || document.body.dataset.taken === path;
  if (taken) localStorage.removeItem(lastSent);
  if (taken || ![...document.forms].some((form) => pathOf(form) === path)) sessionStorage.removeItem(sentKey);
}

// A page that is loaded again, such as on the way back, does not repeat the notice: by then another
// form may have been sent.
const address = new URL(location.href);
if (address.searchParams.has("notice")) {
  address.searchParams.delete("notice");
  history.replaceState(history.state, "", address);
}

// Once the network or the login is back, what was not saved is sent again.
function again() {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-auto][data-keep]")) {
    if (localStorage.getItem(keyOf(form)) !== null) form.requestSubmit();
  }
}
window.addEventListener("online", again);

const waits = new WeakMap<HTMLFormElement, number>();
const longest = 30_000;

/** Says that a form could not be sent, and sends it again a little later each time. */
function later(form: HTMLFormElement) {
  const words = document.querySelector<HTMLTemplateElement>("template#offline");
  const state = form.querySelector(".auto-state");
  if (words && state && !state.querySelector("[data-offline]")) state.append(words.content.cloneNode(true));
  const wait = Math.min((waits.get(form) ?? 1_000) * 2, longest);
  waits.set(form, wait);
  setTimeout(() => {
    if (form.isConnected && localStorage.getItem(keyOf(form)) !== null) form.requestSubmit();
  }, wait);
}

/** The form that has asked, if it is saved as it is edited. Parts of it ask, too: not for a save. */
const auto = ({ sourceElement: source }: Context) =>
  source instanceof HTMLFormElement && source.matches("[data-auto][data-keep]") ? source : null;

// Without an answer, or with one that no page of the console wrote, the form stays as it is.
document.addEventListener("htmx:error", (event) => {
  const form = auto(contextOf(event));
  if (form) later(form);
});
document.addEventListener("htmx:before:response", (event) => {
  const ctx = contextOf(event);
  const form = auto(ctx);
  if (!busy(ctx)) {
    if (form) waits.delete(form);
    form?.querySelector("[data-offline]")?.remove();
    return;
  }
  if (form) later(form);
  if (form || foreign(ctx)) event.preventDefault();
});
document.addEventListener("litfass:again", again);

// A form that was one too many is sent again once the service takes it.
document.addEventListener("htmx:after:swap", (event) => {
  const form = kept(event.target);
  const wait = Number(form?.querySelector<HTMLElement>("[data-retry]")?.dataset.retry ?? 0);
  if (!form || !(wait > 0)) return;
  setTimeout(() => {
    if (form.isConnected && form.querySelector("[data-retry]") && localStorage.getItem(keyOf(form)) !== null) form.requestSubmit();
  }, wait * 1000);
});

// With the login ends what this browser keeps for it.
document.addEventListener("submit", (event) => {
  if (!(event.target instanceof Element) || !event.target.matches("[data-forget]")) return;
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(prefix)) localStorage.removeItem(key);
  }
});

// htmx takes over the forms of the page in a task after its scripts, and this comes after that one: a
// form that is sent before would lead away from the page.
if (user) {
  setTimeout(() => {
    for (const form of document.querySelectorAll<HTMLFormElement>("form[data-keep]")) restore(form);
  });
}
