// What a page sends names the person for whom it was made: another one may have logged in since, in
// another tab.
const person = document.body.dataset.user;

/** The headers of a request that a script of the page sends. */
export const headers = (): Record<string, string> => ({
  "HX-Request": "true",
  ...(person && { "Litfass-Person": person }),
});

// A form that leads to another page has no headers. It may name the person already, when it sends the
// input of an earlier one again. The person who is logged in may log out.
document.addEventListener("formdata", ({ target, formData }) => {
  const form = target as HTMLFormElement;
  if (!person || form.method !== "post" || form.matches("[data-forget]")) return;
  if (!formData.has("page_person")) formData.set("page_person", person);
});
