// A link within [data-share] is opened in the visitor's own way of sharing, or its address is
// copied where the browser has none; without scripts it leads to the page to share.
async function copy(address: string, share: HTMLElement) {
  await navigator.clipboard.writeText(address);
  share.querySelector("[role=status]")!.textContent = share.dataset.shareCopied!;
}

for (const share of document.querySelectorAll<HTMLElement>("[data-share]")) {
  const link = share.querySelector("a")!;
  link.addEventListener("click", (click) => {
    if (click.ctrlKey || click.metaKey || click.shiftKey || (!navigator.share && !navigator.clipboard)) {
      return; // it stays a link
    }
    click.preventDefault();
    const shown = navigator.share
      ? navigator.share({ title: share.dataset.shareTitle, url: link.href })
      : copy(link.href, share);
    shown.catch((error: Error) => {
      if (error.name !== "AbortError") {
        location.href = link.href;
      }
    });
  });
}
