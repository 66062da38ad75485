// The values of a form, as they are stored in the browser.

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Values by the name of their field: of ticked boxes only, as a form is sent. */
export type Values = Record<string, string[]>;

const typed = ":is(input, select, textarea):not([type=hidden], [type=password], [type=file])";

/** The fields of a form that people fill in, also those that stand elsewhere on the page. */
export const fieldsOf = (form: HTMLFormElement) =>
  [...form.elements].filter((element): element is Field => element.matches(typed));

export const isBox = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio");

/** The field with the digests of the stored values that the form was filled in with. */
export const digestsOf = (form: HTMLFormElement) =>
  form.querySelector<HTMLInputElement>("input[type=hidden][name=base]");

/** Reads the fields that people fill in. */
export function read(form: HTMLFormElement): Values {
  const values: Values = {};
  for (const field of fieldsOf(form)) {
    if (!field.name) continue;
    const all = (values[field.name] ??= []);
    if (!isBox(field) || field.checked) all.push(field.value);
  }
  return values;
}

/** Reads the fields with the digests they are based on, under the name base. */
export const withDigests = (form: HTMLFormElement, values = read(form)): Values => ({
  ...values,
  base: [digestsOf(form)?.value ?? ""],
});

/** Whether a form shows the given values, regardless of their base. */
export const shows = (form: HTMLFormElement, values: Values) =>
  JSON.stringify({ ...values, base: [] }) === JSON.stringify({ ...read(form), base: [] });

/** Fills in a form. It takes over the digests of the values: if another person has changed a field
 * since, saving is a conflict. */
export function fill(form: HTMLFormElement, { base, ...values }: Values) {
  const digests = digestsOf(form);
  if (digests && base?.[0]) digests.value = base[0];
  const left = structuredClone(values);
  for (const field of fieldsOf(form)) {
    const next = left[field.name];
    if (!next) continue;
    if (isBox(field)) field.checked = next.includes(field.value);
    else field.value = next.shift() ?? "";
  }
}

const plain = (text: string) => text.replaceAll("\r\n", "\n").trim();

/** Whether a field shows another value than the page came with. */
export function changed(field: Field): boolean {
  if (isBox(field)) return field.checked !== field.defaultChecked;
  if (!(field instanceof HTMLSelectElement)) return plain(field.value) !== plain(field.defaultValue);
  const before = [...field.options].find(({ defaultSelected }) => defaultSelected) ?? field.options[0];
  return field.value !== before?.value;
}
