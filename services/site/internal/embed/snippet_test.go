package embed

import (
	"net/url"
	"strings"
	"testing"
)

func snippet() Snippet {
	return Snippet{
		Public:  "https://litfass.example",
		Filter:  url.Values{"city": {"Kiel"}, "categories": {"1", "2"}, "limit": {"5"}, `x onload="a"`: {"1"}, "title": {`"><script>'\`}},
		Heading: `Kiel's "best" <b>`, View: "week", Lang: "de", Theme: "dark", Rows: 4,
	}
}

// TestTheElementIsWritten with nothing of a value outside of its quotes.
func TestTheElementIsWritten(t *testing.T) {
	want := `<script src="https://litfass.example/widget.v1.js" async></script>
<litfass-events categories="1,2" city="Kiel" limit="5" title="&#34;&gt;&lt;script&gt;&#39;\" view="week"` +
		` heading="Kiel&#39;s &#34;best&#34; &lt;b&gt;" theme="dark" lang="de" rows="4" style="display: block; min-height: 408px">
  <a href="https://litfass.example/?categories=1&amp;categories=2&amp;city=Kiel&amp;lang=de&amp;title=%22%3E%3Cscript%3E%27%5C">All &amp; more</a>
</litfass-events>
`
	if got := snippet().Element("All & more"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want = `<script src="https://litfass.example/widget.v1.js" async></script>
<litfass-events>
  <a href="https://litfass.example/">All events</a>
</litfass-events>
`
	if got := (Snippet{Public: "https://litfass.example"}).Element("All events"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTheFrameIsWritten(t *testing.T) {
	want := `<iframe data-litfass src="https://litfass.example/embed?categories=1&amp;categories=2&amp;city=Kiel&amp;heading=Kiel%27s+%22best%22+%3Cb%3E` +
		`&amp;lang=de&amp;limit=5&amp;theme=dark&amp;title=%22%3E%3Cscript%3E%27%5C&amp;view=week" title="Kiel&#39;s &#34;best&#34; &lt;b&gt;"` +
		` loading="lazy" style="width: 100%; height: 600px; border: 0"></iframe>
<script src="https://litfass.example/widget.v1.js" async></script>
`
	if got := snippet().IFrame("All events"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestTheIncludeIsOnePHPText: no value ends a text of the program.
func TestTheIncludeIsOnePHPText(t *testing.T) {
	got := snippet().Include(`L'été \ <b>`)
	if !strings.HasSuffix(got, `&amp;title=%22%3E%3Cscript%3E%27%5C">L&#39;été \\ &lt;b&gt;</a>' ?>`+"\n") || strings.Count(got, "'") != 4 {
		t.Errorf("got %s", got)
	}
	if !strings.HasPrefix(got, "<?= @file_get_contents('"+snippet().Fragment()+"') ?: '<a href=") {
		t.Errorf("got %s", got)
	}
}
