package present

import (
	"fmt"
	"strconv"
	"strings"

	"mmsim/reports/figure"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// seasonItems describes a season at the head of the page: how many persons there are, what the
// ratings have learned, how well they predict, and who stays.
func seasonItems(v *outcome.Season) []Item {
	items := []Item{
		Say("Season", fmt.Sprintf("%s, %s at the start, %s new, %s quit; with the retention that you set",
			words.Plural(len(v.ByDay), "day"), words.Plural(v.Persons.Start, "person"), words.Thousands(v.Persons.New), words.Thousands(v.Persons.Quit))),
		Say("Rating "+v.Attribute, ratingWords(v)),
		Say("Prediction", predictionWords(v)),
		Say("Still playing", stayWords(v)),
	}
	return filled(items)
}

// ratingWords says how well ratings order persons, and how the ratings drift.
func ratingWords(v *outcome.Season) string {
	r := &v.Rating
	if !(r.SD >= 0) {
		return ""
	}
	text := fmt.Sprintf("correlation %s with skill, error %s of an sd of %s", words.Digits(r.Correlation), words.Digits(r.Error), words.Digits(r.SkillSD))
	if len(v.ByDay) < 2 {
		return text
	}
	first, last := &v.ByDay[0], &v.ByDay[len(v.ByDay)-1]
	return text + fmt.Sprintf("; mean %s on day 1, %s on day %d, sd %s to %s",
		words.Digits(first.RatingMean), words.Digits(last.RatingMean), len(v.ByDay), words.Digits(first.RatingSD), words.Digits(last.RatingSD))
}

// predictionWords compares results with predictions, and says how fair matches are.
func predictionWords(v *outcome.Season) string {
	p, f := &v.Prediction, &v.Fairness
	if p.Matches == 0 {
		return ""
	}
	return fmt.Sprintf("favourites win %s, predicted %s; true chance %s, %s of matches within 45 to 55 %%",
		words.Percent(p.FavouriteWins), words.Percent(p.FavouritePredicted), words.Percent(f.FavouriteChance), words.Percent(f.Share4555))
}

// stayWords says how many persons stay, and which tenth of them stays least.
func stayWords(v *outcome.Season) string {
	var parts []string
	for _, stay := range []struct {
		share outcome.Share
		after string
	}{{v.Stay.D1, "1 day"}, {v.Stay.D7, "7"}, {v.Stay.D14, "14"}, {v.Stay.D28, "28"}} {
		if stay.share >= 0 {
			parts = append(parts, words.Percent(stay.share)+" after "+stay.after)
		}
	}
	text := strings.Join(parts, ", ")
	var least *outcome.SeasonDecile
	for i := range v.BySkillDecile {
		if d := &v.BySkillDecile[i]; d.StayD7 >= 0 && (least == nil || d.StayD7 < least.StayD7) {
			least = d
		}
	}
	if least == nil || least.From == least.To {
		return text
	}
	return text + fmt.Sprintf("; lowest with skill %s to %s: %s after 7", words.Digits(least.From), words.Digits(least.To), words.Percent(least.StayD7))
}

// RetentionModel says whose model of retention a season follows.
const RetentionModel = "Whether persons play again and whether they quit follows the chances in your configuration: it is your model of retention, not a finding about your players."

// seasonSection is the section about a season.
func seasonSection(v *outcome.Season) Section {
	notes := Tell(RetentionModel + " " +
		fmt.Sprintf("The mean chances that came out are %s to play again after a match and %s to quit after a day.", words.Percent(v.AgainChance), words.Percent(v.QuitChance)))
	notes = append(notes, Tell("A season leaves out much: skill is one number that never changes, there are no draws and no friends, and persons decide independently of each other.")...)
	return Section{ID: figure.SeasonSection, Title: "Season", Items: notes, More: Tables(seasonDaysTable(v), seasonSkillTable(v), seasonMatchesTable(v))}
}

func seasonDaysTable(v *outcome.Season) Table {
	t := Table{
		Title: "By day", Note: "Ratings are those at the end of the day, of persons who have finished a match and not quit.",
		Head: []string{"day", "visits", "new", "quit", "mean rating", "sd", "error"},
	}
	for i, d := range v.ByDay {
		t.Rows = append(t.Rows, []string{strconv.Itoa(i + 1), words.Thousands(d.Visits), words.Thousands(d.New), words.Thousands(d.Quit),
			words.Digits(d.RatingMean), words.Digits(d.RatingSD), words.Digits(d.RatingError)})
	}
	return t
}

func seasonSkillTable(v *outcome.Season) Table {
	return Table{
		Title: "By skill", Note: "Tenths of the persons of day 0 by hidden skill. The true chance is that of the better team in their matches.",
		Head: []string{"skill", "persons", "won", "stay 1 day", "stay 7", "stay 14", "matches per visit", "mean wait, s", "mean RTT, ms", "true chance"},
		Rows: words.Each(v.BySkillDecile, func(d outcome.SeasonDecile) []string {
			return []string{words.Digits(d.From) + " to " + words.Digits(d.To), words.Thousands(d.Persons), words.Percent(d.WinShare),
				words.Percent(d.StayD1), words.Percent(d.StayD7), words.Percent(d.StayD14), d.MatchesPerVisit.String(), d.WaitMean.String(), d.RTTMean.String(), words.Percent(d.FavouriteChance)}
		}),
	}
}

func seasonMatchesTable(v *outcome.Season) Table {
	t := Table{
		Title: "By finished matches", Note: "How close ratings come to skill: the root mean square difference from the line that fits skill to the rating best.",
		Head: []string{"matches", "persons", "error"},
	}
	for i := range v.ByMatches {
		g := &v.ByMatches[i]
		name := strings.Replace(g.Name, "_", " to ", 1)
		if i == len(v.ByMatches)-1 {
			name += " or more"
		}
		t.Rows = append(t.Rows, []string{name, words.Thousands(g.Persons), words.Digits(g.RatingError)})
	}
	return t
}
