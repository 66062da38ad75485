package feed

import (
	"bufio"
	"bytes"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	markup "github.com/yuin/goldmark/renderer/html"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"litfass/pkg/contracts/value"
)

// markdown reads CommonMark with bare links. HTML in a text is text (RULES.md, Entries).
var markdown = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(without(parser.DefaultBlockParsers(), parser.NewHTMLBlockParser())...),
		parser.WithInlineParsers(without(parser.DefaultInlineParsers(), parser.NewRawHTMLParser())...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)),
	goldmark.WithExtensions(extension.Linkify, extension.Strikethrough),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(links{}, 1))),
)

func without(parsers []util.PrioritizedValue, one any) []util.PrioritizedValue {
	return slices.DeleteFunc(parsers, func(p util.PrioritizedValue) bool { return p.Value == one })
}

// links renders links to the web only, and the texts of images: a feed loads nothing from hosts
// that organizers name.
type links struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (links) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindImage, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		address := webAddress(n)
		switch {
		case address == "":
		case entering:
			_, _ = w.WriteString(`<a href="` + html.EscapeString(address) + `">`)
		default:
			_, _ = w.WriteString("</a>")
		}
		return ast.WalkContinue, nil
	})
}

// webAddress returns the address of a link, an absolute one of the web; else "".
func webAddress(n ast.Node) string {
	if l, is := n.(*ast.Link); is {
		return link(value.Text(l.Destination))
	}
	return ""
}

// asHTML returns a text in Markdown as HTML.
func asHTML(source string) string {
	var b bytes.Buffer
	if err := markdown.Convert([]byte(clean(source)), &b); err != nil {
		return "<p>" + html.EscapeString(source) + "</p>"
	}
	return strings.TrimSpace(b.String())
}

// asText returns a text in Markdown as plain text: paragraphs, lists with their marks, and the
// addresses of links.
func asText(source string) string {
	data := []byte(clean(source))
	var b strings.Builder
	_ = ast.Walk(markdown.Parser().Parse(gmtext.NewReader(data)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			writeStart(&b, n, data)
		} else {
			writeEnd(&b, n)
		}
		return ast.WalkContinue, nil // the functions above return no error
	})
	return strings.TrimSpace(b.String())
}

// writeStart writes the beginning of a node: its mark, or the text that it holds.
func writeStart(b *strings.Builder, n ast.Node, source []byte) {
	switch n := n.(type) {
	case *ast.ListItem:
		list, _ := n.Parent().(*ast.List)
		if mark := "- "; list == nil || !list.IsOrdered() {
			b.WriteString(mark)
			return
		}
		number := list.Start
		for before := n.PreviousSibling(); before != nil; before = before.PreviousSibling() {
			number++
		}
		b.WriteString(strconv.Itoa(number) + ". ")
	case *ast.Text:
		b.WriteString(unescape(n.Segment.Value(source)))
		if n.SoftLineBreak() || n.HardLineBreak() {
			b.WriteByte('\n')
		}
	case *ast.AutoLink:
		b.Write(n.Label(source))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			b.Write(line.Value(source))
		}
	}
}

// writeEnd writes the end of a node: the address of a link, and the lines after a block.
func writeEnd(b *strings.Builder, n ast.Node) {
	address := webAddress(n)
	switch {
	case address != "" && !strings.HasSuffix(b.String(), address):
		b.WriteString(" (" + address + ")")
	case n.Type() == ast.TypeBlock:
		lines := "\n\n"
		if _, inList := n.Parent().(*ast.ListItem); inList || n.Kind() == ast.KindListItem {
			lines = "\n"
		}
		written := len(strings.TrimRight(b.String(), "\n"))
		if missing := len(lines) - (b.Len() - written); missing > 0 {
			b.WriteString(lines[:missing])
		}
	}
}

// unescape returns the characters that a part of the source stands for.
func unescape(part []byte) string {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	markup.DefaultWriter.Write(w, part)
	_ = w.Flush() // a buffer takes everything
	return html.UnescapeString(b.String())
}
