// Favourites: the uuids of events, only in the storage of this browser.
import { read, swap } from "./swap";

const key = "litfass-favourites";
const maxFavourites = 200; // that the page of favourites shows
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// load returns the favourites, the latest first. Storage may be blocked or hold anything.
function load(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(stored)
      ? stored.filter((item) => typeof item === "string" && uuid.test(item)).slice(0, maxFavourites)
      : [];
  } catch {
    return [];
  }
}

function store(events: string[]): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(events.slice(0, maxFavourites)));
    return true;
  } catch {
    return false;
  }
}

function show() {
  const events = new Set(load());
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-favourite]")) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(events.has(button.dataset.favourite!)));
  }
}

function toggle(event: string) {
  const others = load().filter((other) => other !== event);
  store(others.length === load().length ? [event, ...others] : others);
  show();
}

// fill shows the favourites on their page, unless its address names others that someone shared.
async function fill(page: HTMLElement) {
  const clear = page.querySelector<HTMLButtonElement>("[data-favourites-clear]");
  const events = load();
  const asked = new URLSearchParams(location.search);
  if (asked.has("event_uuids") || events.length === 0) {
    return;
  }
  if (clear) {
    clear.hidden = false;
    clear.addEventListener("click", () => empty(clear));
  }
  asked.set("event_uuids", events.join(","));
  try {
    swap(await read(`/favourites?${asked}`, AbortSignal.timeout(10_000)));
  } catch {
    location.assign(`/favourites?${asked}`); // whose page explains the error
  }
}

// empty removes all favourites on the second press.
function empty(button: HTMLButtonElement) {
  const { sure = "" } = button.dataset;
  if (button.textContent !== sure) {
    button.textContent = sure;
    return;
  }
  store([]);
  location.reload();
}

document.addEventListener("click", (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>("[data-favourite]");
  if (button) {
    toggle(button.dataset.favourite!);
  }
});
document.addEventListener("litfass:swapped", show);
window.addEventListener("storage", (event) => event.key === key && show());
show();

const page = document.querySelector<HTMLElement>("[data-favourites]");
if (page) {
  void fill(page);
}
