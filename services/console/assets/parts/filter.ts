// A field narrows a list of choices to those with its words. The chosen one stays in the list.
document.addEventListener("input", (event) => {
  if (!(event.target instanceof HTMLInputElement) || !event.target.dataset.filter) return;
  const list = document.getElementById(event.target.dataset.filter);
  if (!(list instanceof HTMLSelectElement)) return;
  const words = event.target.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  for (const option of list.options) {
    const label = option.label.toLocaleLowerCase();
    option.hidden = !option.selected && option.value !== "" && !words.every((word) => label.includes(word));
  }
});
