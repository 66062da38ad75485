// Forms that are saved as they are edited. A save that waits for the previous one sends the values of
// the form at its turn, with the digests of the previous answer.
import { headers } from "./headers";

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  Object.assign(ctx.request.headers, headers());
});

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  const form = ctx.sourceElement?.closest<HTMLFormElement>("form[data-auto]");
  if (!form || !(ctx.request.body instanceof URLSearchParams)) return;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string") body.append(name, value);
  }
  for (const name of ["undo", "redo", "theirs", "mine"]) {
    const chosen = ctx.request.body.get(name);
    if (chosen !== null) body.set(name, chosen);
  }
  ctx.request.body = body;
});

// A list that is closed changes with each arrow key, past all that is not meant: chosen with keys, it
// is saved when it is left, like typed text.
let keyed: EventTarget | null = null;
let passing: EventTarget | null = null;
document.addEventListener("keydown", ({ target }) => {
  keyed = target instanceof HTMLSelectElement && target.closest("form[data-auto]") ? target : null;
});
document.addEventListener("pointerdown", () => {
  keyed = null;
});
document.addEventListener(
  "change",
  (event) => {
    if (!event.isTrusted || event.target !== keyed) return;
    event.stopImmediatePropagation();
    passing = keyed;
  },
  true,
);
document.addEventListener("focusout", ({ target }) => {
  if (target !== passing) return;
  passing = null;
  target?.dispatchEvent(new Event("change", { bubbles: true }));
});

const fields = (form: Element) =>
  form.querySelectorAll<HTMLElement & { name: string }>(".auto-fields :is(input, select, textarea)");

// Violations are tied to the fields of the form until they are resolved.
document.addEventListener("htmx:after:swap", (event) => {
  const form = (event.target as Element).closest?.("form[data-auto]");
  const state = form?.querySelector(":scope > .auto-state");
  if (!form || !state) return;
  const wrong = new Map<string, HTMLElement>();
  for (const item of state.querySelectorAll<HTMLElement>("[data-field]")) wrong.set(item.dataset.field ?? "", item);
  for (const field of fields(form)) {
    const item = wrong.get(field.name);
    if (item) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    const slot = form.querySelector(`#${CSS.escape(field.id)}-error`);
    if (slot) slot.replaceChildren(...(item ? [item.querySelector("span")?.cloneNode(true) ?? ""] : []));
  }
});

// A form that is replaced gives the focus to its first field when the button that had it is gone.
let left = "";
document.addEventListener("htmx:before:swap", () => {
  left = document.activeElement?.closest("form[data-auto] > .auto-state")?.parentElement?.id ?? "";
});
document.addEventListener("htmx:after:settle", () => {
  const form = left ? document.getElementById(left) : null;
  if (form && (document.activeElement === document.body || document.activeElement === null)) fields(form)[0]?.focus();
  left = "";
});
