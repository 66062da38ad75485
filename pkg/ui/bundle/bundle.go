// Package bundle builds the assets of a service's pages: it bundles scripts and styles, and
// writes the result where the service embeds it. Libraries come from npm by their lock file. A file
// whose content has not changed is not written again, so that a Go build after it has nothing to
// do.
package bundle

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// File is a file of a bundle.
type File struct {
	Name    string // that pages ask for, such as "site.css"; "" for a part that only others load
	Path    string // in the bundle's folder, such as "site-3KJ2QVNA.css"
	Content []byte
}

// versioned matches a script for other websites: it keeps its name, which they link.
var versioned = regexp.MustCompile(`\.v\d+\.ts$`)

// bundle makes the scripts and styles of a folder, whose addresses begin with prefix. Each .ts and
// .css directly in it is the entry of a file; those in folders below are their parts. Any other
// file there, such as an image, is published as it is.
func bundle(assets, prefix string) ([]File, error) {
	entries, err := os.ReadDir(assets)
	if err != nil {
		return nil, err
	}
	var pages, others, widgets []string
	for _, entry := range entries {
		name := entry.Name()
		switch extension := filepath.Ext(name); {
		case entry.IsDir(), strings.HasPrefix(name, "."), extension == ".json":
		case versioned.MatchString(name):
			widgets = append(widgets, name)
		case extension == ".ts", extension == ".css":
			pages = append(pages, name)
		default:
			others = append(others, name)
		}
	}
	files, err := build(assets, prefix, pages, forPages)
	if err != nil {
		return nil, err
	}
	alone, err := build(assets, prefix, widgets, forOtherWebsites)
	if err != nil {
		return nil, err
	}
	copied, err := published(assets, others)
	return append(append(files, alone...), copied...), err
}

// forPages makes modules that share their common parts, and are named by their content.
func forPages(options *api.BuildOptions) {
	options.Format, options.Splitting = api.FormatESModule, true
	options.EntryNames, options.ChunkNames, options.AssetNames = "[name]-[hash]", "part-[hash]", "[name]-[hash]"
}

// forOtherWebsites makes scripts that are complete in one file and leave no names in the page.
func forOtherWebsites(options *api.BuildOptions) { options.Format = api.FormatIIFE }

// Widget makes one script for other websites, complete in one file.
func Widget(assets, name string) (File, error) {
	files, err := build(assets, "", []string{name}, forOtherWebsites)
	if err != nil {
		return File{}, err
	}
	return files[0], nil
}

// build bundles the entries of a folder.
func build(assets, prefix string, entries []string, configure func(*api.BuildOptions)) ([]File, error) {
	options := api.BuildOptions{
		AbsWorkingDir: assets, EntryPoints: entries, Outdir: assets, PublicPath: strings.TrimSuffix(prefix, "/"),
		Bundle: true, Target: api.ES2022, Platform: api.PlatformBrowser, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsInline,
		Loader: map[string]api.Loader{
			".png": api.LoaderFile, ".svg": api.LoaderFile, ".webp": api.LoaderFile, ".woff2": api.LoaderFile,
		},
		TsconfigRaw: "{}", // the tree's is for the type checker
		LogLevel:    api.LogLevelSilent,
	}
	configure(&options)
	result := api.Build(options)
	if len(result.Errors) > 0 {
		lines := api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return nil, fmt.Errorf("the assets do not build:\n%s", strings.TrimSpace(strings.Join(lines, "")))
	}
	names := entryNames(entries)
	var files []File
	for _, output := range result.OutputFiles {
		path := filepath.Base(output.Path)
		files = append(files, File{Name: names[unhashed(path)], Path: path, Content: output.Contents})
	}
	return files, nil
}

// entryNames returns the names of the bundled entries: a .ts becomes a .js.
func entryNames(entries []string) map[string]string {
	names := map[string]string{}
	for _, entry := range entries {
		name := strings.TrimSuffix(entry, ".ts")
		if name != entry {
			name += ".js"
		}
		names[name] = name
	}
	return names
}

// hashed matches the hash in a name.
var hashed = regexp.MustCompile(`-[0-9A-Z]{8}(\.[a-z0-9]+)$`)

// unhashed returns a name without its hash.
func unhashed(path string) string { return hashed.ReplaceAllString(path, "$1") }

// published returns files that are not bundled, under names by their content.
func published(folder string, names []string) ([]File, error) {
	var files []File
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		files = append(files, Named(name, content))
	}
	return files, nil
}
