// Where the browser stores the values of forms that are not saved yet: separately for each person.
import { clearTab, keysWith, removeText, setText, textOf } from "./texts";
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

/** Stores the values of a form. */
export function store(form: HTMLFormElement, values?: Values) {
  const content = withDigests(form, values);
  setText(keyOf(form), JSON.stringify(content));
  announce({ key: keyOf(form), typed: content });
}

/** The stored values of a form as JSON, null without any. */
export const stored = (form: HTMLFormElement) => textOf(keyOf(form));

export const forget = (form: HTMLFormElement) => removeText(keyOf(form));

/** What a tab tells the other tabs of the person about a form: what was typed, or is stored on the
 * server now, or that nothing of it is left to save. */
export interface Announcement {
  key: string;
  typed?: Values;
  saved?: Values;
  done?: "published" | "discarded";
}

const channel = new BroadcastChannel(`litfass:unsaved:${user}`);

export const announce = (news: Announcement) => channel.postMessage(news);

export const onNews = (hear: (news: Announcement) => void) =>
  channel.addEventListener("message", (event: MessageEvent<Announcement>) => hear(event.data));

// Logging out removes everything that the browser stores for the person: not without a question.
document.addEventListener("submit", (event) => {
  if (!(event.target instanceof HTMLElement) || !event.target.matches("[data-forget]")) return;
  const kept = keysWith(prefix);
  if (kept.length > 0 && event.target.dataset.forget && !confirm(event.target.dataset.forget)) {
    event.preventDefault();
    return;
  }
  for (const key of kept) removeText(key);
  clearTab(prefix);
});
