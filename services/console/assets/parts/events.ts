// The list of events: its address follows the filters, and all events of a page are ticked at once.

document.addEventListener("htmx:after:swap", () => {
  const list = document.querySelector<HTMLElement>("[data-address]");
  if (list?.dataset.address) history.replaceState(history.state, "", list.dataset.address);
});

document.addEventListener("click", (event) => {
  const link = (event.target as Element).closest?.("[data-tick-all]");
  const boxes = link?.closest("form")?.querySelectorAll<HTMLInputElement>("input[name=event]");
  if (!boxes) return;
  event.preventDefault();
  const all = Array.from(boxes).some((box) => !box.checked);
  for (const box of boxes) box.checked = all;
});
