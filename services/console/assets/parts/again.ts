// A login in a tab of its own: the tab that it was opened from learns of it, and saves what it kept.
const channel = new BroadcastChannel("litfass:login");
const user = document.body.dataset.user ?? "";

if (document.querySelector("[data-logged-in]")) channel.postMessage(user);

function back() {
  if (!document.querySelector("[data-logged-out]")) return;
  document.getElementById("alert")?.replaceChildren();
  document.dispatchEvent(new CustomEvent("litfass:again"));
}

channel.addEventListener("message", (event: MessageEvent<string>) => {
  if (event.data === user) back(); // another person's text is not saved under this name
});

// The person may also have logged in without the link of the alert: the next answer that the server
// does not refuse for the login shows it. What that answer has saved is no longer kept then.
document.addEventListener("htmx:after:swap", (event) => {
  const { ctx } = (event as CustomEvent<{ ctx: { response?: { status: number } } }>).detail;
  if (ctx.response?.status !== 401) setTimeout(back);
});
