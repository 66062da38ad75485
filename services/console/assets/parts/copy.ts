// Buttons that copy the text of an element, where the browser can.
for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
  const source = document.getElementById(button.dataset.copy ?? "");
  if (!source || !navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    const text = source instanceof HTMLInputElement ? source.value : (source.textContent ?? "");
    void navigator.clipboard.writeText(text).then(() => (button.textContent = button.dataset.copied ?? ""));
  });
}
