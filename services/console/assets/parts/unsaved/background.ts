// Forms that are saved in the background: their answers decide which stored values are forgotten.
import { type Context, contextOf } from "../answer";
import { restore, restored } from "./restore";
import { announce, forget, keyOf, store, user } from "./storage";
import { type Values, read, withDigests } from "./values";

/** A request of a form, sent by the form itself or by one of its buttons. */
interface Save {
  form: HTMLFormElement;
  values: Values;
  sender: Element;
}

const saves = new WeakMap<Context, Save>();

document.addEventListener("htmx:before:request", (event) => {
  const ctx = contextOf(event);
  const sender = ctx.sourceElement;
  const form = sender instanceof HTMLButtonElement ? sender.form : sender;
  if (sender && form instanceof HTMLFormElement && form.matches("[data-keep]"))
    saves.set(ctx, { form, values: read(form), sender });
});

// Several answers can be swapped in at the same time. A form is restored only after the answer to
// its own request, which decides what remains stored.
const swapping = new Set<string>();

document.addEventListener("htmx:before:swap", (event) => {
  const save = saves.get(contextOf(event));
  if (save) swapping.add(save.form.id);
});

/** Forgets the saved values. Those typed during the request stay stored, as a change of the values
 * that are stored on the server now. shown is the form after the answer, which may have replaced it. */
function saved({ form, values }: Save, shown: HTMLFormElement) {
  const typed = Object.entries(read(form)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(values[name]),
  );
  if (typed.length === 0) {
    forget(shown);
    announce({ key: keyOf(shown), saved: withDigests(shown) });
  } else store(shown, { ...read(shown), ...Object.fromEntries(typed) });
}

// The answer marks a form that was saved. A failure is shown elsewhere, and leaves the form as the
// last answer filled it in. A button with a request of its own replaces what was typed.
document.addEventListener("htmx:after:swap", (event) => {
  const ctx = contextOf(event);
  const save = saves.get(ctx);
  if (!save) return;
  swapping.delete(save.form.id);
  const shown = document.getElementById(save.form.id);
  if (!(shown instanceof HTMLFormElement)) return;
  if (save.sender === save.form) {
    const failed = !ctx.response || ctx.response.status >= 400;
    if (!failed && shown.querySelector("[data-saved], [data-settled]")) saved(save, shown);
  } else if (shown !== save.form) {
    store(shown);
    restored.add(shown);
  }
});

// A replaced part of a page may contain further forms, and names the form that was saved with it.
document.addEventListener("htmx:after:swap", (event) => {
  const save = saves.get(contextOf(event));
  for (const part of document.querySelectorAll<HTMLElement>("[data-arrived]")) {
    if (save && save.form.id === part.dataset.arrived) forget(save.form);
    part.removeAttribute("data-arrived");
  }
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-keep]")) {
    if (user && !restored.has(form) && !swapping.has(form.id)) restore(form);
  }
});
