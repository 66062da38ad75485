// An open page of an event asks every few seconds what others have saved and who else has it open.
// Parts in which the person has typed nothing take the new values; in the others the next save asks.
import htmx from "htmx.org";
import { rebase } from "./gather";
import { headers } from "./headers";
import { show as showImages } from "./images";
import { restored } from "./unsaved/restore";
import { stored } from "./unsaved/storage";
import { endsWithPage } from "./unsaved/texts";
import { changed, fieldsOf } from "./unsaved/values";

interface News {
  tag: string;
  entry: number;
  keys: string[];
  own: string[];
  open: string;
  changed: string;
}

const pause = 3_000; // milliseconds between requests
const maxPause = 30_000; // while there is no answer
const live = document.querySelector<HTMLElement>("[data-live]");

/** The sections that are drawn as a whole, by the keys of the event that they show. */
const sections: Record<string, string[]> = {
  dates: ["dates", "date_rules"],
  pictures: ["images"],
  place: ["venue_uuid", "space_uuid", "online_link"],
  links: ["event_links"],
};

/** Whether the person is writing in a part of the page, or has to decide something there. */
function inUse(part: HTMLElement): boolean {
  if (document.hasFocus() && part.contains(document.activeElement)) return true;
  if (part.querySelector(".conflict, [data-failed], #dates-open form, #dates-add")) return true;
  if (part.matches("[data-gathered]")) return [...part.querySelectorAll("input, select, textarea")].some(isChanged);
  const forms = part instanceof HTMLFormElement ? [part] : [...part.querySelectorAll("form")];
  return forms.some((form) => form.matches("[data-keep]") && stored(form) !== null);
}

const isChanged = (field: Element) => {
  const form = (field as HTMLInputElement).form;
  return form !== null && fieldsOf(form).some((known) => known === field && changed(known));
};

function replace(now: HTMLElement, then: HTMLElement, drawn: Document) {
  now.replaceWith(then);
  htmx.process(then);
  for (const form of [then, ...then.querySelectorAll("form")]) if (form instanceof HTMLFormElement) restored.add(form);
  if (then.matches("[data-gathered]")) rebase(then, drawn);
}

// Only what others have changed is replaced: what else the page shows, such as the button that takes
// the last change back, stays. A key waits here until no part that shows it is in use.
const waiting = new Set<string>();
const shows = (keys: string[]) => waiting.has("*") || keys.some((key) => waiting.has(key));

/** The parts of the page that show a key that waits, by their ids. */
function parts(): string[] {
  const forms = [...document.querySelectorAll<HTMLElement>("[data-keys]")].filter(
    (form) => !form.closest("#dates, #pictures, #place"),
  );
  return [
    ...Object.keys(sections).filter((id) => shows(sections[id] ?? [])),
    ...forms.filter((form) => shows((form.dataset.keys ?? "").split(" "))).map(({ id }) => id),
  ];
}

/** Whether a part that shows a key that waits is no longer in use. */
const ready = () =>
  parts().some((id) => {
    const part = document.getElementById(id);
    return part !== null && !inUse(part);
  });

/** Shows the page as the server has drawn it, where it may be replaced. */
function draw(drawn: Document) {
  const left = new Set<string>();
  for (const id of parts()) {
    const [now, then] = [document.getElementById(id), drawn.getElementById(id)];
    if (!now || !then) continue;
    if (id === "pictures") showImages(drawn);
    else if (!inUse(now)) replace(now, then, drawn);
    else {
      for (const key of sections[id] ?? (now.dataset.keys ?? "").split(" ")) left.add(key);
      const [seen, sees] = [now, then].map((part) => part.querySelector("[data-seen] dl"));
      if (seen && sees) seen.replaceWith(sees);
    }
  }
  for (const key of waiting) if (!left.has(key)) waiting.delete(key);
  for (const now of document.querySelectorAll("#event-title, #checklist, .sheet-bar, .filled, .look")) {
    const then = now.id ? drawn.getElementById(now.id) : drawn.querySelector(".sheet-bar");
    if (then && !now.contains(document.activeElement)) now.replaceWith(then);
  }
  document.dispatchEvent(new CustomEvent("htmx:after:settle"));
}

// A save of this page that is under way, or has ended since the page was asked for, is newer.
let writes = 0;
let due = false; // the page is asked for until it could be shown
for (const kind of ["htmx:before:request", "htmx:after:swap"]) document.addEventListener(kind, () => writes++);

async function refresh(live: HTMLElement) {
  const before = writes;
  const answer = await fetch(live.dataset.page ?? "");
  const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!answer.ok || writes !== before) return; // the next time
  // Whether changes of an event gather depends on whether it is public.
  const gathers = (page: Document) => page.querySelector("form[data-gather]") !== null;
  if (gathers(drawn) !== gathers(document)) {
    const busy = document.activeElement?.matches("input, select, textarea") || endsWithPage();
    if (!busy) location.reload();
    return;
  }
  due = false;
  draw(drawn);
}

const say = (live: HTMLElement, name: string, words: string) => {
  const line = live.querySelector(`[data-live-${name}]`);
  if (line && line.textContent !== words) line.textContent = words;
};

let asked = 0; // writes when the page asked last

/** Asks once, and returns whether to go on. */
async function ask(live: HTMLElement): Promise<boolean> {
  const { tag = "", entry = "", etag = "" } = live.dataset;
  const address = `${live.dataset.live}?${new URLSearchParams({ tag, entry })}`;
  const answer = await fetch(address, { headers: { ...headers(), ...(etag && { "If-None-Match": etag }) } });
  if ([401, 403, 404].includes(answer.status)) return false;
  document.dispatchEvent(new CustomEvent("litfass:answered"));
  if (answer.status === 200) {
    const news = (await answer.json()) as News;
    Object.assign(live.dataset, { tag: news.tag, entry: String(news.entry), etag: answer.headers.get("ETag") ?? "" });
    say(live, "open", news.open);
    if (news.changed) say(live, "changed", news.changed);
    for (const key of writes === asked ? [...news.keys, ...news.own] : news.keys) {
      waiting.add(key);
      due = true;
    }
    asked = writes;
  } else if (answer.status !== 304) throw new Error(answer.statusText);
  if (due || ready()) await refresh(live);
  return true;
}

if (live) {
  let timer = 0;
  let wait = pause;
  let asking = false;
  const next = (after: number) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void look(), after);
  };
  const look = async () => {
    if (asking || document.visibilityState !== "visible") return;
    asking = true;
    const on = await ask(live).catch(() => null);
    asking = false;
    wait = on === null ? Math.min(wait * 2, maxPause) : pause;
    if (on !== false) next(wait);
  };
  document.addEventListener("visibilitychange", () => next(0));
  document.addEventListener("litfass:again", () => next(0)); // after another login
  next(pause / 3);
}
