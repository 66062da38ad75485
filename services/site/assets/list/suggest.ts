// The search field suggests completions: a combobox with a list of suggestions (ARIA Authoring
// Practices, "Editable Combobox With List Autocomplete"). Choosing one goes to its event, or to the
// list with its filter.
import { go } from "./live";
import { announce } from "./swap";

interface Suggestion {
  kind: string;
  text: string;
  detail: string;
  uuid: string | null;
  count?: number; // of the events that its filter finds
  filter: Record<string, string>;
}

const pause = 120; // milliseconds without a key before suggestions are asked for
const minLength = 2; // characters

class Combobox {
  private list = document.createElement("ul");
  private found: Suggestion[] = [];
  private active = -1;
  private reading = new AbortController();
  private waiting = 0;

  constructor(
    private input: HTMLInputElement,
    private words: DOMStringMap,
  ) {
    this.list.id = `${input.id}-suggestions`;
    this.list.className = "suggestions";
    this.list.hidden = true;
    for (const [name, value] of Object.entries({
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": this.list.id,
    })) {
      input.setAttribute(name, value);
    }
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", words.suggestTitle ?? "");
    input.parentElement!.append(this.list);
    input.addEventListener("input", () => this.typed());
    input.addEventListener("keydown", (event) => this.key(event));
    input.addEventListener("blur", () => this.close());
    input.form?.addEventListener("submit", () => this.close());
    this.list.addEventListener("mousedown", (event) => event.preventDefault()); // keeps the focus in the field
    this.list.addEventListener("click", (event) => this.clicked(event));
  }

  private typed() {
    window.clearTimeout(this.waiting);
    this.reading.abort();
    if (this.input.value.trim().length < minLength) {
      this.close();
      return;
    }
    this.waiting = window.setTimeout(() => void this.ask(), pause);
  }

  private async ask() {
    this.reading = new AbortController();
    const asked = new URLSearchParams({
      q: this.input.value.trim().slice(0, 100),
      lang: document.documentElement.lang,
      portal: this.words.suggestPortal ?? "",
    });
    try {
      const answer = await fetch(`/api/suggest?${asked}`, { signal: this.reading.signal });
      this.show(answer.ok ? (await answer.json()).data.suggestions : []);
    } catch {
      this.close(); // a later key asked again, or the network is gone: the search itself still works
    }
  }

  private show(found: Suggestion[]) {
    this.found = found;
    this.list.replaceChildren(...found.map((suggestion, i) => this.option(suggestion, i)));
    this.choose(-1);
    this.open(found.length > 0 && document.activeElement === this.input);
    const { suggestFound = "", suggestEmpty = "" } = this.words;
    announce(found.length > 0 ? suggestFound.replace("%n", String(found.length)) : suggestEmpty);
  }

  // events writes the number of events of a suggestion that is not one itself. It is counted without
  // the filters and days of the page.
  private events({ kind, count }: Suggestion): string {
    const { suggestOne = "", suggestMany = "" } = this.words;
    const whole = ["search", "lang", "ongoing", "sort"];
    const narrowed = [...new URLSearchParams(location.search)].some(([name, value]) => value && !whole.includes(name));
    if (kind === "event" || !count || narrowed || location.pathname === "/month") {
      return "";
    }
    return (count === 1 ? suggestOne : suggestMany).replace("%n", count.toLocaleString(document.documentElement.lang));
  }

  private option(suggestion: Suggestion, i: number): HTMLElement {
    const { kind, text, detail } = suggestion;
    const option = document.createElement("li");
    option.id = `${this.list.id}-${i}`;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    const parts = [
      this.words[`suggest${kind.charAt(0).toUpperCase()}${kind.slice(1)}`] ?? "",
      text,
      detail,
      this.events(suggestion),
    ];
    ["suggestion-kind", "suggestion-text", "suggestion-detail", "suggestion-count"].forEach((name, n) => {
      const part = document.createElement("span");
      part.className = name;
      part.dir = "auto";
      part.textContent = parts[n] ?? "";
      option.append(part, " ");
    });
    return option;
  }

  private key(event: KeyboardEvent) {
    if (event.isComposing) {
      return;
    }
    const last = this.found.length - 1;
    if (event.key === "Escape" && !this.list.hidden) {
      event.preventDefault();
      this.close();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && last >= 0) {
      event.preventDefault();
      this.open(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.choose(((this.active + step + 1 + last + 2) % (last + 2)) - 1); // -1 is the field itself
    } else if (event.key === "Enter" && this.active >= 0 && !this.list.hidden) {
      event.preventDefault();
      this.take(this.active);
    }
  }

  private clicked(event: Event) {
    const option = (event.target as Element).closest("[role=option]");
    const i = option ? [...this.list.children].indexOf(option) : -1;
    if (i >= 0) {
      this.take(i);
    }
  }

  private choose(i: number) {
    this.active = i;
    [...this.list.children].forEach((option, n) => option.setAttribute("aria-selected", String(n === i)));
    const option = this.list.children[i];
    if (!option) {
      this.input.removeAttribute("aria-activedescendant");
      return;
    }
    this.input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  // take opens the event of a suggestion, or adds its filter to the others.
  private take(i: number) {
    const suggestion = this.found[i];
    if (!suggestion) {
      return;
    }
    const { kind, uuid, filter } = suggestion;
    this.close();
    const asked = new URLSearchParams(location.search);
    const lang = asked.get("lang");
    if (kind === "event" && uuid) {
      location.assign(`/event/${encodeURIComponent(uuid)}${lang ? `?lang=${lang}` : ""}`);
      return;
    }
    for (const name of [
      "search",
      "sort",
      "last_event_start_at",
      "last_event_date_uuid",
      "offset",
      "lon",
      "lat",
      "radius",
    ]) {
      asked.delete(name);
    }
    for (const [name, value] of Object.entries(filter)) {
      asked.set(name, value);
    }
    void go(`${new URL(this.input.form!.action).pathname}?${asked}`);
  }

  private open(yes: boolean) {
    this.list.hidden = !yes;
    this.input.setAttribute("aria-expanded", String(yes));
  }

  private close() {
    window.clearTimeout(this.waiting);
    this.reading.abort();
    this.open(false);
    this.choose(-1);
  }
}

for (const input of document.querySelectorAll<HTMLInputElement>("input[data-suggest]")) {
  new Combobox(input, input.dataset);
}
