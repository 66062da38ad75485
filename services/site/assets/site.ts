import "./site/share";

// A form that says so is sent as soon as one of its fields has changed; without scripts its button
// sends it.
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-submit-on-change]")) {
  form.addEventListener("change", () => form.requestSubmit());
}
