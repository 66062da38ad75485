// When a person logs in again in another tab, this tab saves what was typed meanwhile.
import { contextOf } from "./answer";

const channel = new BroadcastChannel("litfass:login");
const user = document.body.dataset.user ?? "";

if (document.querySelector("[data-logged-in]")) channel.postMessage(user);

function resume() {
  if (!document.querySelector("[data-logged-out]")) return;
  document.getElementById("alert")?.replaceChildren();
  document.dispatchEvent(new CustomEvent("litfass:again"));
}

channel.addEventListener("message", (event: MessageEvent<string>) => {
  if (event.data === user) resume(); // another person's text is not saved under this name
});

// The person may also have logged in without the link of the alert: the next answer other than 401
// shows that, such as the one that the page asks for when the person comes back to it. The wait lets the answer be processed, so that nothing is sent twice.
document.addEventListener("htmx:after:swap", (event) => {
  if (contextOf(event).response?.status !== 401) setTimeout(resume);
});
document.addEventListener("litfass:answered", resume);
