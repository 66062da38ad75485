// The examples of the page for developers: sends their requests and shows the answers in place, and
// keeps the commands like the fields. Without scripts the button of an example opens the answer.
const most = 6000; // characters of an answer that are shown
const said = document.querySelector<HTMLElement>("[data-said]")!;

const part = <E extends HTMLElement>(form: HTMLFormElement, name: string) => form.querySelector<E>(`[data-${name}]`)!;
const body = (form: HTMLFormElement) => form.querySelector<HTMLTextAreaElement>("[data-body]")?.value;

// The query string of the fields that have a value, with "?".
function query(form: HTMLFormElement) {
  const filled = [...new FormData(form)].filter(([, value]) => value !== "") as [string, string][];
  const text = new URLSearchParams(filled).toString().replaceAll("%2C", ",");
  return text && `?${text}`;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

// As the server writes it: curl of example.go.
function command(form: HTMLFormElement) {
  const address = form.dataset.example! + query(form);
  const message = body(form);
  return message === undefined
    ? `curl ${quoted(address)}`
    : `curl ${quoted(address)} -H 'Content-Type: application/json' \\\n  -d ${quoted(message)}`;
}

function refresh(form: HTMLFormElement) {
  part(form, "command").textContent = command(form);
}

// Fills the fields whose values come from the answer, such as the place of the next page.
function goOn(form: HTMLFormElement, data: Record<string, unknown> | null | undefined) {
  for (const field of form.querySelectorAll<HTMLInputElement>("[data-from]")) {
    const value = data?.[field.dataset.from!];
    if (typeof value === "string") {
      field.value = value;
    }
  }
  refresh(form);
}

async function run(form: HTMLFormElement) {
  const status = part(form, "status");
  const shown = part(form, "answer");
  const address = new URL(form.dataset.example!).pathname + query(form);
  const message = body(form);
  const began = performance.now();
  form.dataset.state = "running";
  let text = "";
  try {
    const answer = await fetch(
      address,
      message === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: message },
    );
    text = await answer.text();
    status.textContent = `HTTP ${answer.status} · ${Math.round(performance.now() - began)} ms`;
    form.dataset.state = answer.ok ? "answered" : "refused";
    try {
      const value = JSON.parse(text);
      text = JSON.stringify(value, null, 2);
      if (answer.ok) {
        goOn(form, value.data);
      }
    } catch {
      // a calendar or a table: shown as it is
    }
  } catch (failure) {
    status.textContent = String(failure);
    form.dataset.state = "refused";
  }
  shown.textContent = text.length > most ? `${text.slice(0, most)}\n…` : text;
  shown.hidden = text === "";
  said.textContent = status.textContent;
}

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-example]")) {
  form.addEventListener("input", () => refresh(form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void run(form);
  });
  part(form, "run").hidden = false;
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy-command]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = button.closest(".example")!.querySelector("[data-command]")!;
    try {
      await navigator.clipboard.writeText(code.textContent ?? "");
      said.textContent = button.dataset.done!;
      button.textContent = button.dataset.done!;
    } catch {
      getSelection()?.selectAllChildren(code); // for the keyboard
    }
  });
}

export {};
