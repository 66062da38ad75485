// The changes of an event that visitors see: they gather in one form, stay in the browser, are shown
// against what visitors see, and are published together.
import { restore } from "./unsaved/restore";
import { announce, forget, keyOf, store, stored, user } from "./unsaved/storage";
import { endsWithPage, removeText, setText, textOf } from "./unsaved/texts";
import { type Field, type Values, changed, digestsOf, fieldsOf, fill, isBox, read, shows } from "./unsaved/values";

const gathering = document.querySelector<HTMLFormElement>("form[data-gather]");
const bar = document.querySelector<HTMLElement>("[data-publish]");

/** Names of fields that add to, or belong to, another one. */
const belongs: Record<string, string> = {
  genre: "type",
  add_type: "type",
  add_tags: "tags",
  add_language: "languages",
  none: "flag",
  tariff_min: "tariff_name",
  tariff_max: "tariff_name",
  tariff_condition: "tariff_name",
};

/** Digests of the values that visitors see. */
let base = "";

/** Digests by their fields, of which newer ones replace older ones. */
const merged = (older: string, newer: string[]) =>
  [...new Map([...older.split("."), ...newer].map((digest) => [digest.split("~")[0], digest])).values()].join(".");

/** Takes over the digests of a part of the form that now shows what the server has drawn. */
export function rebase(part: HTMLElement, drawn: Document) {
  const fresh = drawn.querySelector<HTMLFormElement>("form[data-gather]");
  const [mine, theirs] = [gathering && digestsOf(gathering), fresh && digestsOf(fresh)];
  if (!gathering || !mine || !theirs) return;
  const keys = (part.dataset.keys ?? "").split(" ");
  const newer = theirs.value.split(".").filter((digest) => keys.includes(digest.split("~")[0] ?? ""));
  [mine.value, base] = [merged(mine.value, newer), merged(base, newer)];
  if (stored(gathering) !== null) store(gathering);
  gathering.dispatchEvent(new CustomEvent("litfass:restored", { bubbles: true }));
}

/** Gives a field the value that visitors see. */
function revert(field: Field) {
  if (isBox(field)) field.checked = field.defaultChecked;
  else if (!(field instanceof HTMLSelectElement)) field.value = field.defaultValue;
  else for (const option of field.options) option.selected = option.defaultSelected;
}

/** What was typed in parts of the form that have the values again that visitors see. */
const reverted = new WeakMap<Element, Values>();

/** Gives a part of the form the values that visitors see, or what was typed there before. */
function step(form: HTMLFormElement, part: Element, forth: boolean) {
  const own = fieldsOf(form).filter((field) => part.contains(field));
  if (forth) fill(form, reverted.get(part) ?? {});
  else {
    const names = new Set(own.map(({ name }) => name));
    reverted.set(part, Object.fromEntries(Object.entries(read(form)).filter(([name]) => names.has(name))));
    for (const field of own) revert(field);
  }
  store(form);
  own[0]?.focus();
}

/** Takes over what was typed into the forms of the page while visitors did not see the event. */
function adopt(form: HTMLFormElement) {
  const typed: Values = {};
  const digests: string[] = [];
  for (const { id } of document.querySelectorAll("[data-gathered]")) {
    const draft = id === "edit-online" ? "/place/online#place-online" : `/edit/${id.replace("edit-", "")}#${id}`;
    const key = keyOf(form).replace(/\/publish#.*$/, draft);
    const { base, ...values } = JSON.parse(textOf(key) ?? "{}") as Values;
    Object.assign(typed, values);
    digests.push(...(base ?? []));
    removeText(key);
  }
  if (digests.length === 0) return;
  const present = digestsOf(form)?.value ?? "";
  fill(form, { ...typed, base: [[present, ...digests].join(".")] }); // the last digest of a field counts
  store(form);
}

function gather(form: HTMLFormElement, bar: HTMLElement) {
  const digests = digestsOf(form);
  base = digests?.value ?? "";
  const publish = bar.querySelector<HTMLButtonElement>("button[type=submit]");
  const scripts = document.createElement("input");
  Object.assign(scripts, { type: "hidden", name: "scripts", value: "1" });
  form.append(scripts); // the page need not fill in again what this script does
  form.addEventListener("formdata", ({ formData }) => {
    if (endsWithPage(keyOf(form))) formData.delete("scripts");
  });
  // The page was refused, and has filled in what was typed: each field may differ from what visitors see.
  const filled = stored(form) === null && document.querySelector("[data-failed]") !== null;

  const update = () => {
    const names = new Set<string>();
    const groups = new Set<Element | null>();
    for (const field of fieldsOf(form).filter(changed)) {
      names.add(belongs[field.name] ?? field.name);
      groups.add(field.closest("[data-gathered]"));
    }
    for (const group of document.querySelectorAll("[data-gathered]")) {
      const seen = group.querySelector<HTMLElement>("[data-seen]");
      const again = group.querySelector<HTMLElement>("[data-reverted]");
      if (seen) seen.hidden = !groups.has(group);
      if (again) again.hidden = groups.has(group) || !reverted.has(group);
    }
    bar.hidden = names.size === 0 && !filled && bar.querySelector("[data-failed]") === null;
    if (filled) return fieldsOf(form).length;
    const words = names.size === 1 ? publish?.dataset.one : publish?.dataset.other?.replace("#", String(names.size));
    if (publish && words) publish.textContent = words;
    return names.size;
  };
  const settle = () => {
    if (update() > 0) return;
    if (digests) digests.value = base;
    forget(form);
  };

  form.addEventListener("litfass:restored", update);
  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, ({ target }) => {
      if ([...form.elements].includes(target as Element)) settle();
    });
  }
  // Enter in a field would publish.
  document.addEventListener("keydown", (event) => {
    const field = event.target as Element;
    if (event.key === "Enter" && field instanceof HTMLInputElement && field.form === form) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    const button = target.closest("[data-revert], [data-again]");
    const group = button?.closest("[data-gathered]");
    if (button && group) {
      step(form, group, button.matches("[data-again]"));
      settle();
    }
    const discard = target.closest<HTMLElement>("[data-discard-changes]");
    if (!discard) return;
    event.preventDefault();
    if (!confirm(discard.dataset.ask ?? "")) return;
    forget(form);
    announce({ key: keyOf(form), done: "discarded" });
    location.assign((discard as HTMLAnchorElement).href);
  });
  setTimeout(() => {
    adopt(form);
    update();
  });
  update();
}

/** Gives the forms of a draft what was typed while visitors saw the event, which saves it. */
function disperse(page: string) {
  const key = `litfass:${user}:${page}/publish#publish`;
  const content = textOf(key);
  if (content === null) return;
  const typed = JSON.parse(content) as Values;
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-auto]:is([id^="edit-"], #place-online)')) {
    const own = Object.fromEntries(Object.keys(read(form)).map((name) => [name, typed[name] ?? []]));
    if (Object.keys(own).every((name) => name in typed) && !shows(form, own)) {
      setText(keyOf(form), JSON.stringify({ ...own, base: typed.base ?? [] }));
      restore(form);
    }
  }
  removeText(key);
}

// A page for browsers without scripts comes to those whose scripts have not left their cookie yet.
const cookie = "litfass_scripts=1";
const known = document.cookie.includes(cookie);
if (!known) document.cookie = `${cookie}; path=/console; max-age=31536000; samesite=lax`;
if (document.querySelector("form[data-plain]") && !known && document.cookie.includes(cookie)) location.reload();

const draft = gathering ? null : document.querySelector<HTMLElement>("[data-live]");
if (draft) setTimeout(() => disperse(draft.dataset.page ?? ""));
if (gathering && bar) gather(gathering, bar);
