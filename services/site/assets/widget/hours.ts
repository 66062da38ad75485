// Opening hours of a period, as the API has them.
import { day, type Words } from "./words";

type Times = { from: string; to: string };

export type Hours = {
  weekly: (Times & { day: string })[];
  closed: Times[];
  special: (Times & { date: string })[];
};

const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

// Reports whether something begins on a day of the period: a special day beats a closed one, and
// both beat the week.
export function opensOn({ weekly, closed, special }: Hours, iso: string) {
  const weekday = weekdays[(new Date(iso).getUTCDay() + 6) % 7];
  return (
    special.some(({ date }) => date === iso) ||
    (!closed.some(({ from, to }) => from <= iso && iso <= to) && weekly.some((opening) => opening.day === weekday))
  );
}

// Writes a time without what is not needed, such as 10 or 9:30.
const brief = (words: Words, time: string) =>
  time
    .replace(/^0(?=\d:)/, "")
    .replace(/:00$/, "")
    .replace(":", words.code === "da" ? "." : ":");

// Writes days of the week, in ranges where three or more follow each other; 1 January 2024 was a
// Monday.
function daysInWords(words: Words, days: number[]) {
  const name = (weekday: number) => day(words, `2024-01-0${weekday + 1}`, { weekday: "short" });
  const parts = [];
  for (let from = 0, to; from < days.length; from = to + 1) {
    for (to = from; days[to + 1] === days[to]! + 1;) {
      to++;
    }
    const join = to - from > 1 ? "–" : "/";
    parts.push(to > from ? name(days[from]!) + join + name(days[to]!) : name(days[from]!));
  }
  return parts.join("/");
}

// Writes the week in a line, such as "Tue–Fri 10–18, Sat 11–17"; "" for only special days.
export function week(words: Words, { weekly }: Hours) {
  const groups = new Map<string, number[]>();
  weekdays.forEach((weekday, at) => {
    const times = weekly
      .filter((opening) => opening.day === weekday)
      .map(({ from, to }) => `${brief(words, from)}–${brief(words, to)}`);
    if (times.length) {
      const written = words.clock.replace("%t", times.join(" & "));
      groups.set(written, [...(groups.get(written) ?? []), at]);
    }
  });
  return [...groups].map(([times, days]) => `${daysInWords(words, days)} ${times}`).join(", ");
}
