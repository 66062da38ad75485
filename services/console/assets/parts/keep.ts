// What people type is kept in their browser until it is saved: when the tab is closed, the network
// is gone, the login has ended or the server is restarted, the text is there afterwards.

const user = document.body.dataset.user ?? "";
const prefix = `litfass:${user}:`;
const fields = ":is(input, select, textarea):not([type=hidden], [type=password], [type=file])";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Kept = Record<string, string[]>;

const keyOf = (form: HTMLFormElement) => `${prefix}${location.pathname}#${form.id}`;

/** The field with the digest of what was stored when the form was filled in. */
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

/** Fills a form with kept values, which are a change of what was stored then: what another person has
 * stored since makes a conflict. */
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

function store(form: HTMLFormElement) {
  try {
    localStorage.setItem(keyOf(form), JSON.stringify({ ...read(form), base: [baseOf(form)?.value ?? ""] }));
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
      if (refused(form)) sessionStorage.removeItem(`${prefix}sent`);
      else forget(form);
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

// A form that is saved in the background is done when the answer says so.
document.addEventListener("htmx:after:swap", (event) => {
  const form = kept(event.target);
  if (form?.querySelector("[data-saved]")) forget(form);
});

// A part of a page that was replaced may hold further forms, and names the one that it has stored.
document.addEventListener("htmx:after:swap", () => {
  for (const part of document.querySelectorAll<HTMLElement>("[data-arrived]")) {
    localStorage.removeItem(`${prefix}${location.pathname}#${part.dataset.arrived}`);
    part.removeAttribute("data-arrived");
  }
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-keep]")) {
    if (user && !restored.has(form)) restore(form);
  }
});

// Leaving a form by its own link gives up what was typed.
document.addEventListener("click", (event) => {
  const form = kept(event.target);
  if (form && (event.target as Element).closest("[data-discard]")) forget(form);
});

// A form that leads to another page has arrived when the next page shows what was saved.
document.addEventListener("submit", (event) => {
  const form = kept(event.target);
  if (form && !form.matches("[data-auto]")) sessionStorage.setItem(`${prefix}sent`, keyOf(form));
});
const sent = sessionStorage.getItem(`${prefix}sent`);
if (sent !== null && document.querySelector("#problems, .failure") === null) localStorage.removeItem(sent);
sessionStorage.removeItem(`${prefix}sent`);

// Once the network or the login is back, what was not saved is sent again.
function again() {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-auto][data-keep]")) {
    if (localStorage.getItem(keyOf(form)) !== null) form.requestSubmit();
  }
}
window.addEventListener("online", again);

interface Failed {
  ctx: { sourceElement?: HTMLElement; response?: { status: number; headers: Headers } };
}

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

const auto = (source?: HTMLElement) => source?.closest<HTMLFormElement>("form[data-auto][data-keep]");

// Without an answer, or with one that no page of the console wrote, the form stays as it is.
document.addEventListener("htmx:error", (event) => {
  const form = auto((event as CustomEvent<Failed>).detail.ctx?.sourceElement);
  if (form) later(form);
});
document.addEventListener("htmx:before:response", (event) => {
  const { ctx } = (event as CustomEvent<Failed>).detail;
  const form = auto(ctx.sourceElement);
  if (!form || !ctx.response) return;
  if (![429, 502, 503, 504].includes(ctx.response.status)) {
    waits.delete(form);
    form.querySelector("[data-offline]")?.remove();
    return;
  }
  event.preventDefault();
  later(form);
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
