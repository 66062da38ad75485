// A login in a tab of its own: the tab that it was opened from learns of it, and saves what it kept.
const channel = new BroadcastChannel("litfass:login");
const user = document.body.dataset.user ?? "";

if (document.querySelector("[data-logged-in]")) channel.postMessage(user);

channel.addEventListener("message", (event: MessageEvent<string>) => {
  // Another person's text is not saved under this name.
  if (event.data !== user || !document.querySelector("[data-logged-out]")) return;
  document.getElementById("alert")?.replaceChildren();
  document.dispatchEvent(new CustomEvent("litfass:again"));
});
