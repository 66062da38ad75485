// "Near me": asks the browser for the position, and lists the events around it. The position is
// rounded to about a kilometre before it leaves the browser.
import { go } from "./live";
import { announce } from "./swap";

const around = "10000"; // metres

function show() {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-near]")) {
    button.hidden = !("geolocation" in navigator);
  }
}

function locate(button: HTMLButtonElement) {
  const { failed = "", wait = "" } = button.dataset;
  announce(wait);
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      const filter = new URLSearchParams(location.search);
      for (const name of ["city", "last_event_start_at", "last_event_date_uuid", "offset", "bbox"]) {
        filter.delete(name);
      }
      filter.set("lon", coords.longitude.toFixed(2));
      filter.set("lat", coords.latitude.toFixed(2));
      filter.set("radius", filter.get("radius") || around);
      void go(`${location.pathname}?${filter}`);
    },
    () => {
      announce(failed);
      button.title = failed;
      button.lastChild!.textContent = failed;
    },
    { maximumAge: 600_000, timeout: 10_000 },
  );
}

document.addEventListener("click", (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>("[data-near]");
  if (button) {
    locate(button);
  }
});
document.addEventListener("litfass:swapped", show);
show();
