// What people type is stored as they type it, and filled in again when the page is loaded.
import { forget, keyOf, store, stored, user } from "./storage";
import { endsWithPage } from "./texts";
import { type Values, fill, shows } from "./values";

/** The forms that have their stored values, or need none. */
export const restored = new WeakSet<HTMLFormElement>();

/** The form with stored values around an element. */
export const formAround = (target: EventTarget | null) => {
  const of = (target as { form?: unknown } | null)?.form ?? (target instanceof Element ? target.closest("form") : null);
  return of instanceof HTMLFormElement && of.matches("[data-keep]") ? of : null;
};

/** Whether the server has refused the values that the form shows. */
const refused = (form: HTMLFormElement) => form.parentElement?.querySelector("#problems, [data-failed]") != null;

/** Fills in the stored values of a form, and saves them if the form is saved as it is edited, but
 * nothing that visitors see. */
export function restore(form: HTMLFormElement) {
  restored.add(form);
  const content = stored(form);
  if (content === null) {
    if (refused(form) && !form.matches("[data-auto]")) store(form); // only the page has what was typed
    return;
  }
  try {
    const values = JSON.parse(content) as Values;
    if (shows(form, values)) {
      if (!refused(form)) forget(form);
      return;
    }
    fill(form, values);
  } catch {
    forget(form);
    return;
  }
  form.dispatchEvent(new CustomEvent("litfass:restored", { bubbles: true }));
  if (form.matches("[data-auto]:not([data-public])")) form.requestSubmit();
}

document.addEventListener("input", (event) => {
  const form = formAround(event.target);
  if (!form) return;
  store(form);
  if (endsWithPage(keyOf(form))) warn(form);
});

/** Says at the end of a form that its text is lost with the page. Those that are saved as they are
 * edited, or publish, have words of their own. */
function warn(form: HTMLFormElement) {
  const words = document.querySelector<HTMLTemplateElement>("template#unstored");
  if (!words || form.matches("[data-auto], [data-gather]") || form.querySelector(".if-unstored")) return;
  form.append(words.content.cloneNode(true));
}

// The link that leaves a form discards what was typed.
document.addEventListener("click", (event) => {
  const form = formAround(event.target);
  if (form && (event.target as Element).closest("[data-discard]")) forget(form);
});

// htmx takes over the forms of the page in a task that is queued before this one: a form that is
// sent earlier would leave the page.
if (user) {
  setTimeout(() => {
    for (const form of document.querySelectorAll<HTMLFormElement>("form[data-keep]")) restore(form);
  });
}
