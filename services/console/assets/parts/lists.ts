// The entries of a list are dragged by their grip, next to the buttons that move them without a
// script. Their order is that of the form, and stored when that is sent.
for (const list of document.querySelectorAll<HTMLElement>("[data-sortable]")) {
  for (const grip of list.querySelectorAll<HTMLElement>("[data-grip]")) {
    const row = grip.closest("li");
    if (!row) continue;
    grip.hidden = false;
    grip.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      grip.setPointerCapture(event.pointerId);
      row.classList.add("dragged");
    });
    grip.addEventListener("pointermove", (event) => {
      if (!grip.hasPointerCapture(event.pointerId)) return;
      const under = [...list.children].find((other) => {
        const { top, bottom } = other.getBoundingClientRect();
        return other !== row && event.clientY > top && event.clientY < bottom;
      });
      if (!under) return;
      const { top, height } = under.getBoundingClientRect();
      const after = event.clientY > top + height / 2;
      if (after) under.after(row);
      else under.before(row);
      grip.setPointerCapture(event.pointerId);
    });
    grip.addEventListener("lostpointercapture", () => row.classList.remove("dragged"));
  }
}
