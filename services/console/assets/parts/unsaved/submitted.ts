// A form that leads to another page stays stored until a page confirms that it was accepted: by a
// notice after a redirect, or by naming the form's path on the page that answers it. When there is
// no answer, or one of the gateway, nothing confirms it. A form that sends the same values again
// after a login takes its place.
import { announce, keyOf, pathIn, pathOf, submittedKey } from "./storage";

const sentKey = `${submittedKey}:values`;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return; // it is sent in the background
  if (form.matches("[data-keep]")) {
    sessionStorage.setItem(submittedKey, keyOf(form));
    sessionStorage.setItem(sentKey, localStorage.getItem(keyOf(form)) ?? "");
  } else if (pathOf(form) !== pathIn(sessionStorage.getItem(submittedKey) ?? ""))
    sessionStorage.removeItem(submittedKey);
});

const submitted = sessionStorage.getItem(submittedKey);
if (submitted !== null) {
  const path = pathIn(submitted);
  const accepted = document.querySelector("main > .notice") !== null || document.body.dataset.taken === path;
  if (accepted) {
    // Another tab may have gone on typing meanwhile.
    if (localStorage.getItem(submitted) === sessionStorage.getItem(sentKey)) localStorage.removeItem(submitted);
    announce({ key: submitted, done: "published" });
  }
  if (accepted || ![...document.forms].some((form) => pathOf(form) === path)) sessionStorage.removeItem(submittedKey);
}

// A page that is loaded again, such as on the way back, must not repeat the notice: another form may
// have been sent by then.
const address = new URL(location.href);
if (address.searchParams.has("notice")) {
  address.searchParams.delete("notice");
  history.replaceState(history.state, "", address);
}
