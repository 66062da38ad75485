// Forms that are saved as they are edited are sent again until the service has saved them.
import { type Context, busy, contextOf, foreign } from "../answer";
import { formAround } from "./restore";
import { stored } from "./storage";

const maxWait = 30_000; // milliseconds

const waits = new WeakMap<HTMLFormElement, number>();

// Once the network or the login is back, everything that is not saved is sent.
function sendAll() {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-auto][data-keep]:not([data-public])")) {
    if (stored(form) !== null) form.requestSubmit();
  }
}
window.addEventListener("online", sendAll);
document.addEventListener("litfass:again", sendAll);

/** Shows that a form could not be sent, and sends it again after a wait that doubles each time. */
function retry(form: HTMLFormElement) {
  const words = document.querySelector<HTMLTemplateElement>("template#offline");
  const state = form.querySelector(".auto-state");
  if (words && state && !state.querySelector("[data-offline]")) state.append(words.content.cloneNode(true));
  const wait = Math.min((waits.get(form) ?? 1_000) * 2, maxWait);
  waits.set(form, wait);
  setTimeout(() => {
    if (form.isConnected && stored(form) !== null) form.requestSubmit();
  }, wait);
}

/** The form of a save; null for a request of another part of the page. */
const savedForm = ({ sourceElement: source }: Context) =>
  source instanceof HTMLFormElement && source.matches("[data-auto][data-keep]") ? source : null;

document.addEventListener("htmx:error", (event) => {
  const form = savedForm(contextOf(event));
  if (form) retry(form);
});

// An answer that is not a page of the console leaves the form as it is.
document.addEventListener("htmx:before:response", (event) => {
  const ctx = contextOf(event);
  const form = savedForm(ctx);
  if (!busy(ctx)) {
    if (form) waits.delete(form);
    form?.querySelector("[data-offline]")?.remove();
    return;
  }
  if (form) retry(form);
  if (form || foreign(ctx)) event.preventDefault();
});

// A form that was over the limit is sent again when the service accepts it.
document.addEventListener("htmx:after:swap", (event) => {
  const form = formAround(event.target);
  const wait = Number(form?.querySelector<HTMLElement>("[data-retry]")?.dataset.retry ?? 0);
  if (!form || !(wait > 0)) return;
  setTimeout(() => {
    if (form.isConnected && form.querySelector("[data-retry]") && stored(form) !== null) form.requestSubmit();
  }, wait * 1000);
});
