// Where the browser stores the values of forms that are not saved yet: separately for each person.
import { type Values, withDigests } from "./values";

export const user = document.body.dataset.user ?? "";
const prefix = `litfass:${user}:`;

/** The key under which the last form that leads to another page is remembered. */
export const submittedKey = `${prefix}sent`;

/** The path that a form is sent to. */
export const pathOf = (form: HTMLFormElement) => new URL(form.getAttribute("action") ?? "", location.href).pathname;

/** The key of a form's values. It does not depend on the path of the page: a refused form is shown
 * again at the path it was sent to. */
export const keyOf = (form: HTMLFormElement) => `${prefix}${pathOf(form)}#${form.id}`;

/** The path that a form with this key is sent to. */
export const pathIn = (key: string) => key.slice(prefix.length).split("#")[0];

/** Stores the values of a form. Without storage, or when it is full, the form still works. */
export function store(form: HTMLFormElement, values?: Values) {
  try {
    localStorage.setItem(keyOf(form), JSON.stringify(withDigests(form, values)));
  } catch {
    // nothing is lost but the copy
  }
}

/** The stored values of a form as JSON, null without any. */
export const stored = (form: HTMLFormElement) => localStorage.getItem(keyOf(form));

export const forget = (form: HTMLFormElement) => localStorage.removeItem(keyOf(form));

// Logging out removes everything that the browser stores for the person.
document.addEventListener("submit", (event) => {
  if (!(event.target instanceof Element) || !event.target.matches("[data-forget]")) return;
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(prefix)) localStorage.removeItem(key);
  }
});
