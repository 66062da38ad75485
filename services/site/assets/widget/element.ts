// <litfass-events>: its attributes are the parameters of GET /api/events, besides view, lang,
// heading, theme and rows. It asks the API when it comes near the part of the page that is
// seen. Its content is shown until then, and stays when there is no answer.
import { element, isolated, link } from "./dom";
import { list, month, runs, week, type Drawn, type Entry } from "./draw";
import { inDays, lastDay, period, today } from "./period";
import { style } from "./style";
import { day, wordsFor } from "./words";

const own = ["view", "lang", "heading", "theme", "rows"];

// Attributes of every element, which are no part of a filter. The attributes of scripts, of data
// and of frameworks are recognized by their spelling.
const common =
  "accesskey autocapitalize autofocus class contenteditable dir draggable enterkeyhint exportparts hidden id inert " +
  "inputmode is itemid itemprop itemref itemscope itemtype nonce part popover role slot spellcheck style tabindex translate xmlns";

const isFilter = (name: string) =>
  /^[a-z_]+$/.test(name) && !/^on(?!going$)./.test(name) && ![...own, ...common.split(" ")].includes(name);

// Parameters that select days; a list without one begins today.
const times = ["start", "end", "on", "starts_before", "ongoing"];
// Parameters that select a part of the result.
const parts = ["limit", "offset", "last_event_start_at", "last_event_date_uuid", "group", "sort"];
const upcoming = { start: "today", ongoing: "true" };
const maxDates = 200; // that the API answers at once

export function define(origin: string) {
  class Events extends HTMLElement {
    #begun = false;
    #moved = 0; // weeks or months
    #asked = 0;
    #body = element("div", "body");
    #period = element("bdi", "period");

    connectedCallback() {
      if (this.#begun) {
        return;
      }
      this.#begun = true;
      this.#frame();
      const near = new IntersectionObserver(
        (seen) => {
          if (seen.some(({ isIntersecting }) => isIntersecting)) {
            near.disconnect();
            void this.#load();
          }
        },
        { rootMargin: "400px" },
      );
      near.observe(this);
    }

    get #view() {
      const view = this.getAttribute("view") ?? "";
      return view === "week" || view === "month" ? view : "list";
    }

    get #words() {
      return wordsFor(
        this.closest("[lang]")?.getAttribute("lang") || document.documentElement.lang || navigator.language,
      );
    }

    // Draws the parts around the dates, and reserves the height of the attribute rows for them.
    #frame() {
      const words = this.#words;
      const heading = this.getAttribute("heading");
      const rows = Number(this.getAttribute("rows"));
      const header = element(
        "header",
        "header",
        !!heading && element("h2", "heading", isolated(heading)),
        this.#view !== "list" && this.#steps(),
      );
      const begins = times.some((name) => this.hasAttribute(name)) ? undefined : upcoming;
      const root = element(
        "section",
        "root",
        !!header.childElementCount && header,
        this.#body,
        element(
          "footer",
          "footer",
          link("more", this.#page("/"), words.all),
          link("feed", this.#page("/api/events.ics", begins), words.feed),
        ),
      );
      this.#body.className = "body";
      this.#body.append(document.createElement("slot"));
      root.className = "root";
      root.lang = words.code;
      root.ariaLabel = heading || words.all;
      if (rows > 0) {
        root.classList.add("fixed");
        root.style.setProperty("--rows", String(rows));
        this.#body.tabIndex = 0; // it scrolls, also where it holds no link
        this.#body.role = "group";
        this.#body.ariaLabel = root.ariaLabel;
      }
      const shadow = this.attachShadow({ mode: "open" });
      shadow.adoptedStyleSheets = [style];
      shadow.append(root);
    }

    // Returns the buttons that lead to the week or month before and after.
    #steps() {
      const button = (by: number, sign: string, name: string) => {
        const made = element("button", "button", sign);
        made.type = "button";
        made.ariaLabel = name;
        made.onclick = () => {
          this.#moved += by;
          void this.#load();
        };
        return made;
      };
      this.#period.ariaLive = "polite";
      return element(
        "nav",
        "steps",
        button(-1, "‹", this.#words.before),
        this.#period,
        button(1, "›", this.#words.after),
      );
    }

    #filter() {
      const filter = new URLSearchParams();
      for (const { name, value } of this.attributes) {
        if (value && isFilter(name)) {
          filter.set(name, value);
        }
      }
      return filter;
    }

    // Returns the address of a page or feed of the site: with the filter, unless it is an event's.
    #page(path: string, parameters: Record<string, string> = {}) {
      const all = path.startsWith("/event/") ? new URLSearchParams() : this.#filter();
      [...parts, ...("on" in parameters ? times : [])].forEach((name) => all.delete(name));
      Object.entries({ ...parameters, lang: this.#words.code }).forEach(([name, value]) => all.set(name, value));
      return `${origin}${path}?${all}`;
    }

    // Returns the first and the last day that are shown; none for a list.
    #days() {
      if (this.#view === "list") {
        return [];
      }
      const named = this.getAttribute("on") ?? this.getAttribute("start") ?? "";
      const [around] = /^\d{4}-\d\d-\d\d/.exec(named) ?? [today()];
      return period(this.#view, around, this.#moved);
    }

    // Returns the parameters for the API.
    #question(days: string[]) {
      const filter = this.#filter();
      if (days.length) {
        [...times, ...parts].forEach((name) => filter.delete(name));
        filter.set("on", days.join());
        filter.set("limit", String(maxDates));
        return filter;
      }
      if (!times.some((name) => filter.has(name))) {
        Object.entries(upcoming).forEach(([name, value]) => filter.set(name, value));
      }
      filter.set("limit", filter.get("limit") ?? "10");
      return filter;
    }

    // Reads the dates. A list from today on begins with what begins today and is not over; what began
    // before takes only the places that are left.
    async #entries(days: string[]) {
      const question = this.#question(days);
      const first = question.get("on") ?? (question.get("ongoing") === "true" && question.get("start"));
      if (days.length || !first || !/^today\b/.test(first)) {
        return this.#read(question);
      }
      question.set("not_over", "true");
      const runs = new URLSearchParams(question);
      question.set("start", "today");
      question.delete("ongoing");
      const entries = await this.#read(question);
      const left = Number(question.get("limit")) - (entries?.length ?? 0);
      if (!entries || left <= 0 || question.has("offset")) {
        return entries;
      }
      runs.set("starts_before", inDays(today(), -1));
      runs.set("limit", String(left));
      return [...entries, ...((await this.#read(runs)) ?? [])];
    }

    // Asks the API and shows the answer, unless another was asked for meanwhile.
    async #load() {
      const asked = ++this.#asked;
      const days = this.#days();
      this.#period.textContent = this.#name(days);
      this.#body.ariaBusy = "true";
      const entries = await this.#entries(days);
      if (asked !== this.#asked) {
        return;
      }
      this.#body.ariaBusy = "false";
      if (entries) {
        this.#body.replaceChildren(...this.#dates(entries, days));
      } else if (asked > 1 || !this.childNodes.length) {
        // else the host's own links stay
        this.#body.replaceChildren(element("p", "failed", isolated(this.#words.failed)));
      }
    }

    // Returns undefined when there is no answer, after logging a line for the developers of the
    // page.
    async #read(question: URLSearchParams): Promise<Entry[] | undefined> {
      try {
        question.set("lang", this.#words.code);
        const answer = await fetch(`${origin}/api/events?${question}`, {
          credentials: "omit",
          signal: AbortSignal.timeout(15_000),
        });
        const { data, error, details } = await answer.json();
        if (answer.ok) {
          return data.events;
        }
        console.warn("<litfass-events>", error, details);
      } catch (error) {
        console.warn("<litfass-events>", error);
      }
    }

    #name([first, last]: string[]) {
      if (!first || !last) {
        return "";
      }
      return this.#view === "month"
        ? day(this.#words, first, { month: "long", year: "numeric" })
        : `${day(this.#words, first, { day: "numeric", month: "short" })} – ${day(this.#words, last, { day: "numeric", month: "short", year: "numeric" })}`;
    }

    #dates(entries: Entry[], [first, last]: string[]) {
      const words = this.#words;
      const drawn: Drawn = { words, page: (path, parameters) => this.#page(path, parameters) };
      if (first && last) {
        const begun = entries.filter((entry) => entry.start_date < first && lastDay(entry) >= first);
        const others = entries.filter((entry) => !begun.includes(entry));
        const shown: HTMLElement[] = [(this.#view === "week" ? week : month)(drawn, others, first, last)];
        if (begun.length) {
          shown.unshift(runs(drawn, begun));
        }
        if (entries.length >= maxDates) {
          shown.push(element("p", "first", isolated(words.first.replace("%n", String(maxDates)))));
        }
        return shown;
      }
      return [entries.length ? list(drawn, entries) : element("p", "none", isolated(words.none))];
    }
  }

  customElements.define("litfass-events", Events);
}
