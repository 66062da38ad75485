// The images of an event: files that are dropped, pasted or chosen are sent one after the other,
// and the server's answer updates the section without touching text that is being typed.
import htmx from "htmx.org";
import { prepareStages } from "./focus";
import { headers } from "./headers";
import { shrink } from "./shrink";

const maxBytes = 5 << 20; // bytes of a file
const kinds = ["image/jpeg", "image/png", "image/gif", "image/webp"];
const readable = ["image/heic", "image/heif", "image/avif"]; // by some browsers, not by the server

interface Upload {
  file: File;
  form: string; // id of the form that it is sent with
  row: HTMLLIElement;
  smaller: boolean;
}

const queue: Upload[] = [];
let busy = false;

const section = () => document.getElementById("pictures");
const words = () => JSON.parse(section()?.dataset.pictures ?? "{}") as Record<string, string>;

function say(text: string) {
  const live = document.getElementById("uploads-said");
  if (live) live.textContent = text;
}

/** Puts a new state of an upload into its row. */
function report(upload: Upload, text: string, ...more: Node[]) {
  const state = document.createElement("p");
  state.textContent = text;
  upload.row.querySelector("[data-state]")?.replaceChildren(...(text ? [state] : []), ...more);
  if (text) say(`${upload.file.name}: ${text}`);
}

function button(label: string, name: string, press: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button-link";
  made.textContent = label;
  made.setAttribute("aria-label", `${label}: ${name}`);
  made.addEventListener("click", press);
  return made;
}

function drop(upload: Upload) {
  const list = upload.row.parentElement;
  const focused = upload.row.contains(document.activeElement);
  upload.row.remove();
  if (list) list.hidden = list.childElementCount === 0;
  if (focused) (document.getElementById("pictures-file") ?? section())?.focus();
}

function failed(upload: Upload, text: string, reason: Element | null, again: boolean) {
  const buttons = document.createElement("p");
  buttons.className = "buttons";
  const name = upload.file.name;
  if (again) buttons.append(button(words().again ?? "", name, () => enqueue(upload)));
  buttons.append(button(words().close ?? "", name, () => drop(upload)));
  report(upload, text, ...(reason ? [reason] : []), buttons);
  if (reason) say(`${name}: ${reason.textContent.trim()}`);
}

function enqueue(upload: Upload) {
  report(upload, words().waiting ?? "");
  queue.push(upload);
  void next();
}

/** Takes files in for a form. */
function take(files: Iterable<File>, form: string) {
  const list = document.getElementById("uploads");
  if (!list) return;
  for (const file of files) {
    const row = document.createElement("li");
    const name = document.createElement("strong");
    const state = document.createElement("div");
    name.textContent = file.name;
    name.dir = "auto";
    state.dataset.state = "";
    row.append(name, state);
    list.append(row);
    list.hidden = false;
    enqueue({ file, form, row, smaller: false });
  }
}

async function next() {
  if (busy) return;
  busy = true;
  for (let upload = queue.shift(); upload; upload = queue.shift()) await send(upload);
  busy = false;
}

/** Makes a file smaller when it is too large, and a JPEG of one that only the browser can read; says
 * why it cannot be sent. */
async function fit(upload: Upload): Promise<boolean> {
  const { file } = upload;
  if (readable.includes(file.type)) {
    const read = await makeSmaller(upload);
    upload.smaller = false; // which would be said
    if (!read) failed(upload, words().heic ?? "", null, false);
    return read;
  }
  if (file.type !== "" && !kinds.includes(file.type)) {
    failed(upload, words().wrong_type ?? "", null, false);
    return false;
  }
  if (file.size <= maxBytes) return true;
  return (
    (file.type !== "image/gif" && (await makeSmaller(upload))) ||
    (failed(upload, words().too_large ?? "", null, false), false)
  );
}

async function makeSmaller(upload: Upload): Promise<boolean> {
  const small = await shrink(upload.file);
  if (!small || small.size > maxBytes) return false;
  upload.file = small;
  upload.smaller = true;
  return true;
}

async function send(upload: Upload): Promise<void> {
  if (!(await fit(upload))) return;
  const form = document.getElementById(upload.form);
  if (!(form instanceof HTMLFormElement)) {
    failed(upload, words().full ?? "", null, true);
    return;
  }
  const answer = await post(form.action, upload);
  if (!answer) {
    failed(upload, words().failed ?? "", null, true);
    return;
  }
  const drawn = new DOMParser().parseFromString(answer.responseText, "text/html");
  if (answer.status < 300) {
    show(drawn);
    if (upload.smaller) failed(upload, `${words().sent}. ${words().smaller}`, null, false);
    else drop(upload);
    say(`${upload.file.name}: ${words().sent}`);
    return;
  }
  const reason = drawn.querySelector<HTMLElement>("[data-reason]");
  const tooMany = ["image_too_many_pixels", "image_progressive"].includes(reason?.dataset.reason ?? "");
  if (tooMany && !upload.smaller && (await makeSmaller(upload))) {
    await send(upload);
    return;
  }
  if (!reason) document.getElementById("alert")?.replaceChildren(...drawn.body.children);
  failed(upload, reason ? "" : (words().failed ?? ""), reason, !reason);
}

/** Sends a file; nothing when the network is gone. */
function post(action: string, upload: Upload): Promise<XMLHttpRequest | null> {
  const bar = document.createElement("progress");
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute("aria-label", `${words().progress}: ${upload.file.name}`);
  report(upload, words().sending ?? "", bar);
  const body = new FormData();
  body.append("picture", upload.file);
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open("POST", action);
    for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) bar.value = event.loaded / event.total;
    });
    request.addEventListener("load", () => done(request));
    for (const end of ["error", "abort", "timeout"]) request.addEventListener(end, () => done(null));
    request.send(body);
  });
}

/** Whether somewhere in an element something is typed that the page did not come with. */
function edited(item: Element): boolean {
  for (const field of item.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "input:not([type=file], [type=hidden]), textarea",
  )) {
    if (field.value !== field.defaultValue) return true;
  }
  return [...item.querySelectorAll("option")].some(
    (option) => option.selected && !option.defaultSelected && option.index > 0,
  );
}

/** The item of the list as it is to be: one with text of its own keeps its forms. */
function merge(item: Element): Element {
  const now = document.getElementById(item.id);
  if (!now) return item;
  const [more, moreNow] = [item.querySelector("details"), now.querySelector("details")];
  if (more && moreNow) more.open = moreNow.open;
  if (!edited(now) && !moreNow?.contains(document.activeElement)) return item;
  const head = item.querySelector("[data-head]");
  if (head) now.querySelector("[data-head]")?.replaceWith(head);
  for (const image of more?.querySelectorAll("img[id]") ?? []) {
    document.getElementById(image.id)?.setAttribute("src", image.getAttribute("src") ?? "");
  }
  return now;
}

/** Shows the section as the server has drawn it. */
export function show(drawn: Document) {
  const [now, then] = [section(), drawn.getElementById("pictures")];
  if (!now || !then) return;
  const focused = document.activeElement?.id ?? "";
  const owner = document.activeElement?.closest("li.picture")?.id ?? "";
  const items = [...then.querySelectorAll("#picture-list > li")].map(merge);
  const list = now.querySelector("#picture-list");
  const fresh = then.querySelector("#picture-list");
  if (list) list.replaceChildren(...items);
  else if (fresh) now.querySelector("#picture-add")?.before(fresh);
  const add = drawn.querySelector("#picture-add")?.firstElementChild;
  if (add) now.querySelector("#picture-add")?.firstElementChild?.replaceWith(add);
  for (const beside of drawn.querySelectorAll("body > [hx-swap-oob]"))
    document.getElementById(beside.id)?.replaceWith(beside);
  htmx.process(now);
  prepare();
  const target = document.getElementById(focused) ?? document.getElementById(owner)?.querySelector("summary");
  if (focused && target !== document.activeElement) target?.focus();
}

function prepare() {
  const input = document.getElementById("pictures-file");
  if (input instanceof HTMLInputElement) input.multiple = input.form?.dataset.upload !== "1";
  prepareStages();
}

const uploading = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLFormElement>("form[data-upload]") : null;

document.addEventListener("change", (event) => {
  const form = uploading(event.target);
  const input = form?.querySelector<HTMLInputElement>("input[type=file]");
  if (!form || !input?.files) return;
  const files = [...input.files];
  input.value = "";
  take(files, form.id);
});

document.addEventListener("submit", (event) => {
  if (uploading(event.target)) {
    event.preventDefault();
    return;
  }
  const form = event.target as HTMLFormElement;
  if (!form.matches("[data-picture-form]")) return;
  event.preventDefault();
  const body = new URLSearchParams();
  if (event.submitter instanceof HTMLButtonElement) body.set(event.submitter.name, event.submitter.value);
  void fetch(form.action, { method: "POST", body, headers: headers() })
    .then(async (answer) => {
      const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (answer.ok) show(drawn);
      else document.getElementById("alert")?.replaceChildren(...drawn.body.children);
    })
    .catch(() => say(words().failed ?? ""));
});

const files = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

document.addEventListener("dragover", (event) => {
  const now = section();
  if (!now || !files(event) || (event.target as Element).closest?.("input[type=file]")) return;
  event.preventDefault(); // a file dropped outside the section must not replace the page
  now.classList.toggle("dropping", now.contains(event.target as Node));
});
document.addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) section()?.classList.remove("dropping");
});
document.addEventListener("drop", (event) => {
  const now = section();
  if (!now || !files(event) || (event.target as Element).closest?.("input[type=file]")) return;
  event.preventDefault();
  now.classList.remove("dropping");
  if (now.contains(event.target as Node)) take(event.dataTransfer?.files ?? [], "pictures-form");
});

document.addEventListener("paste", (event) => {
  const pasted = [...(event.clipboardData?.files ?? [])].filter((file) => file.type.startsWith("image/"));
  const typing = event.target instanceof Element && event.target.closest("input, textarea") !== null;
  if (!document.getElementById("picture-add") || pasted.length === 0) return;
  if (typing && event.clipboardData?.types.includes("text/plain")) return;
  event.preventDefault();
  take(pasted, "pictures-form");
});

window.addEventListener("beforeunload", (event) => {
  if (busy) event.preventDefault();
});

prepare();
