// The script of every page: each part looks for the elements that name it, and does nothing on a
// page without them. Every form also works without it.
import "htmx.org";
import "./parts/again";
import "./parts/auto";
import "./parts/copy";
import "./parts/filter";
import "./parts/unsaved/background";
import "./parts/unsaved/submitted";
import "./parts/unsaved/retry";
import "./parts/unsaved/tabs";
import "./parts/gather";
import "./parts/lists";
import "./parts/live";
import "./parts/menu";
import "./parts/images";
import "./parts/place";
import "./parts/unanswered";
import "./parts/events";

document.documentElement.classList.add("scripts");
