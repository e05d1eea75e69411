package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"strings"

	"mmsim/reports/grade"
)

//go:embed web/*.html
var pageTexts embed.FS

//go:embed web/page.css
var ownStyle string

// uPlot draws interactive curves: the reader can zoom in and point at values.
var (
	//go:embed web/uplot/uPlot.iife.min.js
	uplotScript string
	//go:embed web/uplot/uPlot.min.css
	uplotStyle string
	//go:embed web/uplot/LICENSE
	uplotLicence string
)

var (
	//go:embed web/words.js
	wordsScript string
	//go:embed web/tables.js
	tablesScript string
	//go:embed web/charts.js
	chartsScript string
	//go:embed web/worldmap.js
	worldmapScript string
	//go:embed web/lapse.js
	lapseScript string
	//go:embed web/page.js
	pageScript string
	//go:embed web/live.js
	liveOwnScript string
)

var pageStyle = template.CSS(uplotStyle + ownStyle)

// pageScripts returns the scripts of the page: uPlot, and all our own scripts joined into one with
// its own scope. In charts, the lines at the RTT limits get the names of these limits.
func pageScripts(limits *grade.RTTs) []template.JS {
	charts := strings.NewReplacer("'ideal'", "'"+limits.GoodName+"'", "'expand'", "'"+limits.FairName+"'").Replace(chartsScript)
	return []template.JS{
		template.JS("/*\n" + uplotLicence + "*/\n" + uplotScript),
		enclosed(wordsScript, tablesScript, charts, worldmapScript, lapseScript, pageScript),
	}
}

// liveScript is the script of the live page.
var liveScript = enclosed(wordsScript, worldmapScript, lapseScript, liveOwnScript)

func enclosed(parts ...string) template.JS {
	return template.JS("(() => {\n'use strict';\n" + strings.Join(parts, "") + "})();\n")
}

// livePolicy returns the Content-Security-Policy of the live page, which may send requests to its
// own server. The policy also allows the scripts of report.html: the live page opens that page
// from a blob URL, and such a page inherits the policy.
func livePolicy(limits *grade.RTTs) string {
	return policy(append(pageScripts(limits), liveScript)...) + "; connect-src 'self'"
}

// policy returns a Content-Security-Policy that allows only these scripts. It blocks scripts in
// names from data files, and all network access.
func policy(scripts ...template.JS) string {
	var hashes strings.Builder
	for _, script := range scripts {
		sum := sha256.Sum256([]byte(script))
		hashes.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
	}
	return "default-src 'none'; script-src" + hashes.String() +
		"; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
}
