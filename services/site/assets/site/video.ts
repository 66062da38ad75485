// The link to a video with a player is replaced by the player when it is clicked. Nothing of the
// video's host is loaded before; without scripts the link leads there.
for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-player]")) {
  link.addEventListener("click", (click) => {
    if (click.ctrlKey || click.metaKey || click.shiftKey) {
      return; // it stays a link
    }
    click.preventDefault();
    const frame = document.createElement("iframe");
    frame.className = "video-frame";
    frame.title = link.dataset.playerTitle!;
    frame.allow = "fullscreen; picture-in-picture; encrypted-media";
    frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-popups allow-presentation");
    frame.referrerPolicy = "strict-origin-when-cross-origin"; // players refuse pages that they do not know
    frame.src = link.dataset.player!;
    link.replaceWith(frame);
    frame.focus();
  });
}
