// Draws the answer of the API.
import { element, isolated, link, written } from "./dom";
import { type Hours, opensOn, week as openingWeek } from "./hours";
import { days, fieldsBefore, forever, lastDay, today } from "./period";
import { clock, day, type Words } from "./words";

// The keys that the widget reads of an entry of the API's search.
export type Entry = {
  uuid: string;
  date_uuid: string;
  title: string;
  start_date: string;
  start_time: string;
  all_day: boolean;
  end_date: string | null;
  end_time: string | null;
  venue_name: string;
  venue_city: string;
  online_link: string | null;
  release_status: string;
  availability: string;
  date_count?: number;
  hours: Hours | null;
  text_language: string;
};

export type Drawn = { words: Words; page: (path: string, parameters?: Record<string, string>) => string };

const short = { weekday: "short", day: "numeric", month: "short" } as const;
const long = { weekday: "long", day: "numeric", month: "long" } as const;

const named = (words: Record<string, string>, key: string) =>
  key in words && element("strong", `status ${key}`, words[key], " ");

// Names a status that visitors must know of, and that there are no places.
const marks = ({ words }: Drawn, { release_status: status, availability: left }: Entry) =>
  [named(words, status), status !== "cancelled" && named(words, left)] as const;

// Marks a title that is in another language than the widget.
function inLanguage({ words }: Drawn, { text_language: language }: Entry, title: HTMLElement) {
  if (language && language !== words.code) {
    title.lang = language;
  }
}

// Returns the title as a link to the event's page, struck through when its date is cancelled.
function titled(drawn: Drawn, entry: Entry) {
  const title = written(entry.release_status === "cancelled" ? "s" : "span", "title", entry.title);
  inLanguage(drawn, entry, title);
  return link("link", drawn.page(`/event/${encodeURIComponent(entry.uuid)}`, { date: entry.date_uuid }), title);
}

// Writes when a date is; without the day where it stands above.
function when({ words }: Drawn, entry: Entry, withDay: boolean) {
  const { start_date: start, start_time: time, all_day: whole, hours } = entry;
  const last = lastDay(entry);
  const present = start.slice(0, 4) === today().slice(0, 4) && last.slice(0, 4) === today().slice(0, 4);
  const written = (iso: string) => day(words, iso, present ? short : { ...short, year: "numeric" });
  const until = () => (last === forever ? words.permanent : words.until.replace("%d", written(last)));
  const parts = [hours ? openingWeek(words, hours) : whole ? words.whole : time && clock(words, time)];
  if (hours && start <= today()) {
    parts.push(until());
  } else if (isRun(entry)) {
    parts.splice(0, 1, until());
  } else if (last === forever) {
    parts.unshift(written(start) + " –");
  } else if (withDay || last > start) {
    parts.unshift(last > start ? `${written(start)} – ${written(last)}` : written(start));
  }
  const made = element("time", "when", parts.filter(Boolean).join(", "));
  made.dateTime = whole || !time ? start : `${start}T${time}`;
  made.dir = "ltr";
  return made;
}

// Reports whether a date of several days began before today.
const isRun = (entry: Entry) => entry.start_date < today() && lastDay(entry) > entry.start_date;

// Returns what began before the days of a week or month, as one row.
export function runs(drawn: Drawn, entries: Entry[]) {
  const row = element("ol", "runs", ...entries.map((entry) => item(drawn, entry, false)));
  row.className = "runs";
  return row;
}

function item(drawn: Drawn, entry: Entry, withDay: boolean) {
  const { words } = drawn;
  const where =
    [entry.venue_name, entry.venue_city].filter(Boolean).join(", ") || (entry.online_link ? words.online : "");
  const more = entry.date_count! > 1 && words.further.replace("%n", String(entry.date_count! - 1));
  const text = element(
    "div",
    "text",
    element("div", "", ...marks(drawn, entry), titled(drawn, entry)),
    element("div", "", when(drawn, entry, withDay), !!more && element("span", "further soft", " ", more)),
    !!where && element("div", "where", isolated(where)),
  );
  text.lastElementChild!.classList.toggle("small", !!where);
  const made = element("li", `date ${entry.release_status}`, text);
  made.dataset.date = entry.date_uuid;
  if (withDay) {
    made.prepend(leaf(drawn, isRun(entry) && lastDay(entry) < forever ? lastDay(entry) : entry.start_date));
    made.className = "leafed";
  }
  return made;
}

// Returns the day as the leaf of a calendar; readers of screens have it from the text.
function leaf({ words }: Drawn, iso: string) {
  const made = element(
    "span",
    "leaf",
    element("b", "", day(words, iso, { day: "numeric" }).replace(/\D+$/, "")),
    element("span", "", day(words, iso, { month: "short" })),
  );
  made.className = "leaf";
  made.ariaHidden = "true";
  return made;
}

export function list(drawn: Drawn, entries: Entry[]) {
  return element("ol", "list", ...entries.map((entry) => item(drawn, entry, true)));
}

// Returns the entries that run on a day.
const running = (entries: Entry[], iso: string) =>
  entries.filter(
    (entry) => entry.start_date <= iso && lastDay(entry) >= iso && (!entry.hours || opensOn(entry.hours, iso)),
  );

export function week(drawn: Drawn, entries: Entry[], first: string, last: string) {
  const made = element("div", "week");
  made.className = "week";
  for (const iso of days(first, last)) {
    const found = running(entries, iso);
    const of = element(
      "section",
      `day${iso === today() ? " today" : ""}`,
      element("h3", "day-name", isolated(day(drawn.words, iso, long))),
      found.length
        ? element("ol", "list", ...found.map((entry) => item(drawn, entry, false)))
        : element("p", "none", "–"),
    );
    of.classList.toggle("today", iso === today());
    made.append(of);
  }
  return made;
}

// How many titles a day of the month's table holds.
const titles = 4;

export function month(drawn: Drawn, entries: Entry[], first: string, last: string) {
  const { words } = drawn;
  const all = days(first, last);
  const heads = days("2024-01-01", "2024-01-07").map((iso) => {
    // a week from Monday on
    const head = element("th", "weekday", day(words, iso, { weekday: "short" }));
    head.scope = "col";
    head.abbr = day(words, iso, { weekday: "long" });
    return head;
  });
  const fields = all.map((iso) => field(drawn, running(entries, iso), iso));
  for (let before = fieldsBefore(first); before > 0; before--) {
    fields.unshift(element("td", ""));
  }
  while (fields.length % 7) {
    fields.push(element("td", ""));
  }
  const rows = [];
  for (let at = 0; at < fields.length; at += 7) {
    rows.push(element("tr", "", ...fields.slice(at, at + 7)));
  }
  return element(
    "table",
    "month",
    element("caption", "", day(words, first, { month: "long", year: "numeric" })),
    element("thead", "", element("tr", "", ...heads)),
    element("tbody", "", ...rows),
  );
}

// Returns a day of the month's table: narrow with the number of its dates, wide with their titles.
function field(drawn: Drawn, entries: Entry[], iso: string) {
  const number = String(Number(iso.slice(8)));
  const made = element("td", `day${iso === today() ? " today" : ""}`);
  made.classList.toggle("today", iso === today());
  if (!entries.length) {
    made.append(number);
    return made;
  }
  const all = link("day-link", drawn.page("/", { on: iso }), number);
  all.ariaLabel = `${day(drawn.words, iso, long)} (${entries.length})`;
  const count = element("span", "count", String(entries.length));
  count.className = "count";
  count.ariaHidden = "true";
  const shown = entries.slice(0, titles).map((entry) => {
    const of = element("li", `date ${entry.release_status}`, ...marks(drawn, entry), titled(drawn, entry));
    of.dataset.date = entry.date_uuid;
    return of;
  });
  made.append(all, count, element("ol", "list", ...shown));
  if (entries.length > titles) {
    made.lastElementChild!.append(
      element("li", "further", drawn.words.further.replace("%n", String(entries.length - titles))),
    );
  }
  return made;
}
