// A form that leads to another page stays stored until a page confirms that it was accepted: by a
// notice after a redirect, or by naming the form's path on the page that answers it. When there is
// no answer, or one of the gateway, nothing confirms it. A form that sends the same values again
// after a login takes its place.
import { busy } from "../answer";
import { announce, keyOf, pathIn, pathOf, submittedKey } from "./storage";
import { endsWithPage, leaveWith, removeText, tab, textOf } from "./texts";

const sentKey = `${submittedKey}:values`;

/** Forgets which form was sent, and what it had. */
function forgetSent() {
  tab?.removeItem(submittedKey);
  tab?.removeItem(sentKey);
}

/** A form whose values end with the page, and for which the service has just answered. */
let answered: HTMLFormElement | null = null;

/** Sends such a form once the service answers: else they would be gone with the page. */
async function sendOnceAnswered(form: HTMLFormElement, button: HTMLElement | null) {
  const response = await fetch("/console/", { method: "HEAD" }).catch(() => undefined);
  if (response === undefined || busy({ response })) {
    document.dispatchEvent(new CustomEvent("litfass:unanswered"));
    return;
  }
  answered = form;
  form.requestSubmit(button);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return; // it is sent in the background
  if (form.matches("[data-keep]") && endsWithPage(keyOf(form))) {
    if (form === answered) leaveWith(keyOf(form));
    else {
      event.preventDefault();
      void sendOnceAnswered(form, event.submitter);
    }
    answered = null;
  } else if (form.matches("[data-keep]")) {
    tab?.setItem(submittedKey, keyOf(form));
    tab?.setItem(sentKey, textOf(keyOf(form)) ?? "");
  } else if (pathOf(form) !== pathIn(tab?.getItem(submittedKey) ?? "")) forgetSent();
});

const submitted = tab?.getItem(submittedKey) ?? null;
if (submitted !== null) {
  const path = pathIn(submitted);
  const accepted = document.querySelector("main > .notice") !== null || document.body.dataset.taken === path;
  if (accepted) {
    // Another tab may have gone on typing meanwhile.
    if (textOf(submitted) === tab?.getItem(sentKey)) removeText(submitted);
    announce({ key: submitted, done: "published" });
  }
  if (accepted || ![...document.forms].some((form) => pathOf(form) === path)) forgetSent();
}

// A page that is loaded again, such as on the way back, must not repeat the notice: another form may
// have been sent by then.
const address = new URL(location.href);
if (address.searchParams.has("notice")) {
  address.searchParams.delete("notice");
  history.replaceState(history.state, "", address);
}
