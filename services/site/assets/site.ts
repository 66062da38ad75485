// The script of every page: each part looks for the elements that name it, and does nothing on a
// page without them.
import "./list/live";
import "./list/near";
import "./list/suggest";
import "./list/favourites";
import "./list/copy";
import "./site/share";
import "./site/video";

// A form that says so is sent as soon as one of its fields has changed; without scripts its button
// sends it.
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-submit-on-change]")) {
  form.addEventListener("change", () => form.requestSubmit());
}
