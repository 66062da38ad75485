// Days are ISO dates: they sort, and know no zone.
export const inDays = (iso: string, days: number) =>
  new Date(Date.parse(iso) + days * 86_400_000).toISOString().slice(0, 10);

// The day on which an instant falls here.
const localDay = (at: Date) => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

export const today = () => localDay(new Date());

// Returns the first and the last day of the week or month that a day is in, moved by a number of
// them.
export function period(view: string, around: string, by: number): [string, string] {
  const at = new Date(around);
  if (view === "week") {
    const monday = inDays(around, 7 * by - ((at.getUTCDay() + 6) % 7));
    return [monday, inDays(monday, 6)];
  }
  const first = (months: number) =>
    new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1)).toISOString().slice(0, 10);
  return [first(by), inDays(first(by + 1), -1)];
}

// Returns every day from the first to the last one.
export function days(first: string, last: string): string[] {
  const all = [];
  for (let day = first; day <= last; day = inDays(day, 1)) {
    all.push(day);
  }
  return all;
}

// Returns the day before which a month's table begins with empty fields: how many there are.
export const fieldsBefore = (first: string) => (new Date(first).getUTCDay() + 6) % 7;

// The last day of a date without an end.
export const forever = "9999-12-31";

// A date that ends in the night after its start counts only for the day of its start; one with
// opening hours and without a last day has no end.
export function lastDay({
  start_date,
  end_date,
  end_time,
  all_day,
  hours,
}: {
  start_date: string;
  end_date: string | null;
  end_time: string | null;
  all_day: boolean;
  hours: unknown;
}) {
  const overnight = !all_day && end_time && end_time <= "08:00" && end_date === inDays(start_date, 1);
  return overnight ? start_date : (end_date ?? (hours ? forever : start_date));
}
