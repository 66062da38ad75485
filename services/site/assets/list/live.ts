// The list follows its filters without loading the page: the address stays the filter. When this
// fails, the address is loaded as a page.
import { announce, read, swap } from "./swap";

const list = document.querySelector<HTMLElement>("[data-live]");
const form = document.querySelector<HTMLFormElement>("form#filter");
let reading = new AbortController();
let shown = location.pathname + location.search;

// addressOf returns the address of a form's search, without its empty fields.
export function addressOf(form: HTMLFormElement): string {
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && value.trim() !== "") {
      asked.append(name, value.trim());
    }
  }
  if (!asked.has("start")) {
    asked.delete("ongoing");
  }
  const query = asked.toString();
  return new URL(form.action).pathname + (query ? `?${query}` : "");
}

// go shows another state of the list.
export async function go(address: string, from: "form" | "link" | "history" = "link") {
  if (!list) {
    location.assign(address);
    return;
  }
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  list.setAttribute("aria-busy", "true");
  try {
    const page = await read(address, signal);
    if (from !== "history") {
      history.pushState(null, "", address);
    }
    shown = location.pathname + location.search;
    settle(swap(page), from);
  } catch (error) {
    if (!signal.aborted) {
      location.assign(address);
    }
    return;
  }
  list.removeAttribute("aria-busy");
}

// settle announces the result, and moves the focus to it unless its element is still there.
function settle(kept: boolean, from: string) {
  const heading = document.getElementById("found");
  announce(heading?.textContent?.trim().replace(/\s+/g, " ") ?? "");
  if (!kept) {
    heading?.focus({ preventScroll: true });
  }
  if (from === "link" && heading && heading.getBoundingClientRect().top < 0) {
    heading.scrollIntoView();
  }
  const search = document.querySelector<HTMLInputElement>("#search");
  if (search && from !== "form") {
    search.value = new URLSearchParams(location.search).get("search") ?? "";
  }
}

function follow(event: MouseEvent) {
  const link = (event.target as Element).closest<HTMLAnchorElement>("[data-part] a[href]");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (
    !link ||
    !plain ||
    event.defaultPrevented ||
    link.origin !== location.origin ||
    link.pathname !== location.pathname
  ) {
    return;
  }
  event.preventDefault();
  void go(link.pathname + link.search);
}

// changed applies the filters. A choice of days replaces the shortcut to days.
let pending = 0;
function changed(event: Event) {
  const field = event.target as HTMLInputElement;
  if (!form || field.form !== form || field.id === "search") {
    return;
  }
  if (field.type === "date") {
    document.querySelector('input[type="hidden"][form="filter"][name="on"]')?.remove();
  }
  window.clearTimeout(pending);
  if (form.checkValidity()) {
    pending = window.setTimeout(() => void go(addressOf(form), "form"), 150);
  }
}

if (list && form) {
  list.addEventListener("click", follow);
  list.addEventListener("change", changed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    window.clearTimeout(pending);
    document.getElementById("filters")?.hidePopover?.();
    void go(addressOf(form), "form");
  });
  window.addEventListener("popstate", () => {
    if (location.pathname + location.search !== shown) {
      void go(location.pathname + location.search, "history");
    }
  });
}
