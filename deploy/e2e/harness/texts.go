package harness

import (
	"strings"
	"time"
)

// Line is a line of a catalog file.
type Line map[string]any

// Day returns the day a number of days from now. Tests use none that a midnight during their run
// could make past.
func Day(n int) string { return time.Now().In(Berlin).AddDate(0, 0, n).Format(time.DateOnly) }

// Payloads try to run a script that sets the global "planted", by every way from a text into a
// page.
const Payloads = `<script>planted=1</script><img src=x onerror=planted=1><svg/onload=planted=1></title></textarea></style>` +
	`</script><script>planted=1</script>"'><b autofocus onfocus=planted=1 tabindex=0>{{planted=1}}${planted=1}&lt;script&gt;`

// Markdown tries the same by its own ways.
const Markdown = "[link](javascript:planted=1) [upper](JaVaScRiPt:planted=1) [data](data:text/html,<script>planted=1</script>) " +
	"![picture](x\"onerror=\"planted=1) <javascript:planted=1> [tab](java&#9;script:planted=1)\n\n" +
	"<iframe srcdoc=\"<script>parent.planted=1</script>\"></iframe>\n\n```\n</code></pre>" + Payloads + "\n```\n\n# " + Payloads + "\n\n"

// Long are words without a place to break; names are shorter than texts.
var (
	Long     = strings.Repeat("Ω", 2000)
	LongName = strings.Repeat("W", 300)
)

// Turned is text from right to left with marks that turn what follows it.
const Turned = "مهرجان \u202eالموسيقى\u202c \u2067שלום עולם\u2069 👩‍👩‍👧‍👦🏳️‍🌈 Z̸̲̊a̷l̸g̷o"
