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

var (
	//go:embed web/page.css
	ownStyle string
	//go:embed web/decision.css
	decisionOwnStyle string
)

// uPlot draws the curves that a reader can zoom and read values from.
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

var (
	pageStyle     = template.CSS(uplotStyle + ownStyle)
	decisionStyle = template.CSS(ownStyle + decisionOwnStyle)
)

// pageScripts returns the scripts of the page: uPlot, and ours as one script that shares
// no name with it. The lines at the limits of RTTs have the names of these limits.
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

// livePolicy lets the live page ask the place that it comes from, and the page of the
// result, which it opens and which inherits this policy, run its scripts.
func livePolicy(limits *grade.RTTs) string {
	return policy(append(pageScripts(limits), liveScript)...) + "; connect-src 'self'"
}

// policy lets a page run its own scripts and nothing else: no script inside a name from a
// data file, and no access to a network.
func policy(scripts ...template.JS) string {
	var hashes strings.Builder
	for _, script := range scripts {
		sum := sha256.Sum256([]byte(script))
		hashes.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
	}
	return "default-src 'none'; script-src" + hashes.String() +
		"; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
}
