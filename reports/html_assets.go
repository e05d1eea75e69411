package reports

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strings"
)

//go:embed web/page.html
var pageText string

//go:embed web/page.css
var ownStyle string

// uPlot draws the curves that can be read off and zoomed.
var (
	//go:embed web/uplot/uPlot.iife.min.js
	uplotScript string
	//go:embed web/uplot/uPlot.min.css
	uplotStyle string
	//go:embed web/uplot/LICENSE
	uplotLicence string
)

var (
	//go:embed web/tables.js
	tablesScript string
	//go:embed web/charts.js
	chartsScript string
	//go:embed web/lapse.js
	lapseScript string
	//go:embed web/worldmap.js
	worldmapScript string
	//go:embed web/page.js
	pageScript string
)

var pageStyle = template.CSS(uplotStyle + ownStyle)

// pageScripts are the scripts of the page: uPlot, and ours as one that shares no
// name with it.
var pageScripts = [...]template.JS{
	template.JS("/*\n" + uplotLicence + "*/\n" + uplotScript),
	template.JS("(() => {\n'use strict';\n" + tablesScript + chartsScript + worldmapScript + lapseScript + pageScript + "})();\n"),
}

// pagePolicy lets the page run its own scripts and nothing else: neither a script
// that a name from a data file might smuggle in, nor any access to a network.
var pagePolicy = func() string {
	var scripts strings.Builder
	for _, script := range pageScripts {
		sum := sha256.Sum256([]byte(script))
		scripts.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
	}
	return "default-src 'none'; script-src" + scripts.String() +
		"; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
}()
