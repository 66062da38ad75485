// The builder of code for other websites: shows the result of the form while it is filled in, and
// copies the code. Without scripts the button of the form does the first.
const form = document.querySelector<HTMLFormElement>("form[data-builder]")!;
const status = document.querySelector<HTMLElement>("[data-builder-status]")!;
const result = (of: Document) => of.querySelector("[data-builder-result]");
const pause = 400; // milliseconds without a key before the result is asked for

function showButtons() {
  for (const button of document.querySelectorAll<HTMLElement>("[data-copy]")) {
    button.hidden = false;
  }
}

// The address of the builder with the form's fields.
function address() {
  const filled = [...new FormData(form)].filter(([, value]) => value !== "") as [string, string][];
  return `${form.action}?${new URLSearchParams(filled)}`;
}

let asked = 0;

async function refresh() {
  const number = ++asked;
  const wanted = address();
  const answer = await fetch(wanted);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const made = result(page);
  if (number !== asked) {
    return; // another was asked for meanwhile
  }
  if (!made) {
    status.textContent = page.querySelector("main")?.textContent ?? "";
    return;
  }
  result(document)!.replaceWith(document.importNode(made, true));
  history.replaceState(null, "", wanted);
  showButtons();
}

let timer = 0;

form.addEventListener("input", () => {
  clearTimeout(timer);
  if (form.checkValidity()) {
    timer = setTimeout(() => void refresh(), pause);
  }
});

document.addEventListener("click", async ({ target }) => {
  const button = (target as Element).closest<HTMLElement>("[data-copy]");
  if (!button) {
    return;
  }
  const code = document.getElementById(button.dataset.copy!) as HTMLTextAreaElement;
  code.select();
  try {
    await navigator.clipboard.writeText(code.value);
    status.textContent = button.dataset.copied!;
  } catch {
    code.focus(); // selected, for the keyboard
  }
});

showButtons();

export {};
