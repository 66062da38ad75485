// A button or a link whose answer is shown on the page may get none: the page says so, until the next
// answer comes. Forms that are saved as they are edited say it themselves.
import { type Context, contextOf, foreign } from "./answer";

const alert = document.getElementById("alert");
const words = document.querySelector<HTMLTemplateElement>("template#unanswered");

const pressed = ({ sourceElement: source }: Context) => source?.matches("a, button, form:not([data-auto])") ?? false;

function say(ctx: Context) {
  if (!alert || !words || !pressed(ctx) || alert.querySelector("[data-logged-out]")) return;
  alert.replaceChildren(words.content.cloneNode(true));
}

document.addEventListener("htmx:error", (event) => {
  const ctx = contextOf(event);
  if (!ctx.response) say(ctx); // else the answer could not be shown
});
document.addEventListener("htmx:before:response", (event) => {
  const ctx = contextOf(event);
  if (foreign(ctx)) say(ctx);
  else if (alert?.querySelector("[data-unanswered]")) alert.replaceChildren();
});
