// A button or a link whose answer is shown on the page may get none: the page says so, until the next
// answer comes. Forms that are saved as they are edited say it themselves.
import { type Context, contextOf, foreign } from "./answer";

const alert = document.getElementById("alert");
const words = document.querySelector<HTMLTemplateElement>("template#unanswered");

const pressed = ({ sourceElement: source }: Context) => source?.matches("a, button, form:not([data-auto])") ?? false;

function say() {
  if (!alert || !words || alert.querySelector("[data-logged-out]")) return;
  alert.replaceChildren(words.content.cloneNode(true));
}
document.addEventListener("litfass:unanswered", say);

document.addEventListener("htmx:error", (event) => {
  const ctx = contextOf(event);
  if (!ctx.response && pressed(ctx)) say(); // else the answer could not be shown
});
document.addEventListener("htmx:before:response", (event) => {
  const ctx = contextOf(event);
  if (foreign(ctx)) {
    if (pressed(ctx)) say();
  } else if (alert?.querySelector("[data-unanswered]")) alert.replaceChildren();
});
