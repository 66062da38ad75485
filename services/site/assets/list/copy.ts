// Buttons that only scripts can work: copying an address, and printing.
function show() {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy], [data-print]")) {
    button.hidden = false;
  }
}

async function copy(button: HTMLButtonElement) {
  const field = document.getElementById(button.dataset.copy!) as HTMLInputElement | null;
  if (!field) {
    return;
  }
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.done ?? "";
  } catch {
    field.focus(); // selected, so that the visitor can copy it
  }
}

document.addEventListener("click", (event) => {
  const target = event.target as Element;
  const button = target.closest<HTMLButtonElement>("[data-copy]");
  if (button) {
    void copy(button);
  }
  if (target.closest("[data-print]")) {
    window.print();
  }
});
document.addEventListener("litfass:swapped", show);
show();
