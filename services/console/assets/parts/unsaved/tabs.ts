// The tabs of one person show the same: what is typed in one, and what is saved, is filled in in the
// others, so that they are never in conflict with themselves.
import { restored } from "./restore";
import { keyOf, onNews } from "./storage";
import { textOf } from "./texts";
import { type Values, digestsOf, fill } from "./values";

const formOf = (key: string) =>
  [...document.querySelectorAll<HTMLFormElement>("form[data-keep]")].find((form) => keyOf(form) === key);

/** Fills in a form, except for the field that has the focus: the person writes there. */
function show(form: HTMLFormElement, values: Values) {
  const active = document.hasFocus() && document.activeElement;
  const { name } = (active && [...form.elements].includes(active) ? active : {}) as { name?: string };
  const shown = { ...values };
  if (name) delete shown[name];
  fill(form, shown);
  restored.add(form);
  form.dispatchEvent(new CustomEvent("litfass:restored", { bubbles: true }));
}

onNews(({ key, typed, saved, done }) => {
  const form = formOf(key);
  if (!form) return;
  if (done && form.matches("[data-gather]")) location.reload();
  else if (typed && form.matches("[data-gather]")) show(form, typed);
  else if (saved) {
    const digests = digestsOf(form);
    if (textOf(key) === null) show(form, saved);
    else if (digests && saved.base?.[0]) digests.value = saved.base[0];
  }
});
