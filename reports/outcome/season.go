package outcome

// Season describes persons who come back: start + new = quit + end. Ratings count each person once.
type Season struct {
	Attribute       string           `json:"attribute"` // the attribute that has the ratings
	Persons         SeasonPersons    `json:"persons"`
	Visits          Count            `json:"visits" unit:"visits" words:"visits" meaning:"Days on which a person played, over all persons"`
	MatchesPerVisit Average          `json:"matches_per_visit" unit:"matches" better:"higher" base:"visits" words:"finished matches per visit" meaning:"Finished matches of a person on a day on which it played"`
	AgainChance     Share            `json:"again_chance" base:"visits" words:"mean chance to play again" meaning:"Mean chance of a ticket to play again after a match, with the effects in season.again_by"`
	QuitChance      Share            `json:"quit_chance" base:"visits" words:"mean chance to quit" meaning:"Mean chance of a ticket to quit after a day, with the effects in season.quit_by"`
	Stay            SeasonStay       `json:"stay" better:"higher" base:"persons.start" words:"*" meaning:"*"`
	Rating          SeasonRating     `json:"rating" base:"visits"`
	Prediction      SeasonPrediction `json:"prediction"`
	Fairness        SeasonFairness   `json:"fairness"`
	ByDay           []SeasonDay      `json:"by_day" keys:"days" words:"on day <key> (from 0)" meaning:"on one day"` // whole days only
	BySkillDecile   []SeasonDecile   `json:"by_skill_decile" keys:"tenths" words:"in skill decile <key> (from 0)" meaning:"in one tenth of the persons of day 0 by skill"`
	ByMatches       SeasonGroups     `json:"by_matches" keys:"finished matches" words:"with <key> finished matches" meaning:"with a certain number of finished matches"`
}

type SeasonPersons struct {
	Start   Count `json:"start" unit:"persons" words:"persons at the start" meaning:"Persons whom the rows of the data stand for on day 0"`
	New     Count `json:"new" unit:"persons" words:"new persons" meaning:"Persons who joined for the first time on a later day"`
	Quit    Count `json:"quit" unit:"persons" words:"persons who quit" meaning:"Persons who quit for ever"`
	End     Count `json:"end" unit:"persons" words:"persons at the end" meaning:"Persons who have not quit by the end"`
	Skipped Count `json:"skipped" unit:"persons" words:"skipped visits" meaning:"Visits that a person skipped because it was still online since its last one"`
}

type SeasonStay struct {
	D1  Share `json:"d1" better:"*" words:"share of persons who stay a day *" meaning:"Share of persons who have not quit 1 day after their first day, of those whose first day is at least 1 day before the end *"`
	D7  Share `json:"d7" better:"*" words:"share of persons who stay 7 days *" meaning:"Share of persons who have not quit 7 days after their first day, of those whose first day is at least 7 days before the end *"`
	D14 Share `json:"d14" better:"*" words:"share of persons who stay 14 days *" meaning:"Share of persons who have not quit 14 days after their first day, of those whose first day is at least 14 days before the end *"`
	D28 Share `json:"d28" better:"*" words:"share of persons who stay 28 days *" meaning:"Share of persons who have not quit 28 days after their first day, of those whose first day is at least 28 days before the end *"`
}

type SeasonRating struct {
	Mean         Value `json:"mean" unit:"rating" words:"mean rating" meaning:"Mean rating at the end, over persons who have finished a match and not quit"`
	SD           Value `json:"sd" unit:"rating" range:"from 0" words:"SD of the rating" meaning:"Standard deviation of the rating at the end"`
	SkillSD      Value `json:"skill_sd" unit:"skill" range:"from 0" words:"SD of the skill" meaning:"Standard deviation of the hidden skill of the same persons"`
	Correlation  Value `json:"correlation" better:"higher" words:"correlation of rating and skill" meaning:"Pearson's correlation of rating and hidden skill at the end"`
	Error        Value `json:"error" unit:"skill" better:"lower" range:"from 0" words:"error of the rating" meaning:"Root mean square difference between a person's skill and its least-squares line on the rating, at the end"`
	Slope        Value `json:"slope" words:"slope of the rating" meaning:"Least-squares slope of the rating on the skill; with elo and glicko2, 1 means that differences in rating mean what they promise, and more that the scale is stretched"`
	SlopePerfect Value `json:"slope_perfect" words:"slope of a perfect rating" meaning:"Slope with which differences in rating would promise the true chances to win, for teams of the mean size; 400 / season.scale with elo and glicko2"`
}

// SeasonPrediction compares results with predictions. The favourite is the team that the ratings prefer.
type SeasonPrediction struct {
	Matches            Count `json:"matches" unit:"matches" words:"finished matches of two teams" meaning:"Finished matches of two teams"`
	FavouritePredicted Share `json:"favourite_predicted" base:"matches" words:"predicted wins of favourites" meaning:"Mean chance to win that the ratings gave to the favourite, the team that they prefer"`
	FavouriteWins      Share `json:"favourite_wins" base:"matches" words:"wins of favourites" meaning:"Share of matches that the favourite won; a match without a favourite counts as half a win"`
	LogLoss            Value `json:"log_loss" unit:"nats" better:"lower" base:"matches" range:"from 0" words:"log loss of predictions" meaning:"Mean of minus the natural logarithm of the chance that the ratings gave to the winner"`
	CalibrationError   Share `json:"calibration_error" better:"lower" base:"matches" words:"calibration error of predictions" meaning:"Mean difference between the favourites' predicted and real share of wins, by predicted chance in steps of 5 points, weighted by matches"`
}

type SeasonFairness struct {
	FavouriteChance Share `json:"favourite_chance" better:"lower" base:"prediction.matches" words:"true chance of the better team" meaning:"Mean true chance to win of the team with the higher hidden skill"`
	Share4555       Share `json:"share_45_55" better:"higher" base:"prediction.matches" words:"share of matches within 45 to 55 %" meaning:"Share of matches in which the better team has a true chance of at most 55 %"`
	ShareBelow40    Share `json:"share_below_40" better:"lower" base:"prediction.matches" words:"share of matches beyond 40 to 60 %" meaning:"Share of matches in which the better team has a true chance above 60 %"`
}

type SeasonDay struct {
	Visits      Count `json:"visits" unit:"visits" words:"visits *" meaning:"Persons who joined *"`
	New         Count `json:"new" unit:"persons" words:"new persons *" meaning:"Persons who joined for the first time *, after day 0"`
	Quit        Count `json:"quit" unit:"persons" words:"persons who quit *" meaning:"Persons who quit *"`
	RatingMean  Value `json:"rating_mean" unit:"rating" base:"season.visits" words:"mean rating *" meaning:"Mean rating at the end of the day, over persons who have finished a match and not quit"`
	RatingSD    Value `json:"rating_sd" unit:"rating" base:"season.visits" range:"from 0" words:"SD of the rating *" meaning:"Standard deviation of the rating at the end of the day"`
	RatingError Value `json:"rating_error" unit:"skill" better:"lower" base:"season.visits" range:"from 0" words:"error of the rating *" meaning:"As season.rating.error, at the end of the day"`
}

type SeasonDecile struct {
	From            Value   `json:"from" words:"lowest skill *" meaning:"Lowest skill of the persons *"`
	To              Value   `json:"to" words:"highest skill *" meaning:"Highest skill of the persons *"`
	Persons         Count   `json:"persons" unit:"persons" words:"persons *" meaning:"Persons *"`
	WinShare        Share   `json:"win_share" base:"persons" words:"share of matches won *" meaning:"Share of finished matches in which the person's team came first, *"`
	StayD1          Share   `json:"stay_d1" better:"higher" base:"persons" words:"share of persons who stay a day *" meaning:"As season.stay.d1, of persons *"`
	StayD7          Share   `json:"stay_d7" better:"higher" base:"persons" words:"share of persons who stay 7 days *" meaning:"As season.stay.d7, of persons *"`
	StayD14         Share   `json:"stay_d14" better:"higher" base:"persons" words:"share of persons who stay 14 days *" meaning:"As season.stay.d14, of persons *"`
	MatchesPerVisit Average `json:"matches_per_visit" unit:"matches" better:"higher" base:"persons" words:"finished matches per visit *" meaning:"Finished matches per visit of persons *"`
	WaitMean        Seconds `json:"wait_mean_s" better:"lower" base:"persons" words:"mean wait *" meaning:"Mean wait of searches that found a match, of persons *"`
	RTTMean         Millis  `json:"rtt_mean_ms" better:"lower" base:"persons" words:"mean RTT *" meaning:"Mean RTT in matches of persons *"`
	FavouriteChance Share   `json:"favourite_chance" better:"lower" base:"persons" words:"true chance of the better team *" meaning:"Mean true chance of the better team in matches of persons *"`
}

type SeasonGroup struct {
	Name        string `json:"-"`
	Persons     Count  `json:"persons" unit:"persons" words:"persons *" meaning:"Persons at the end *"`
	RatingError Value  `json:"rating_error" unit:"skill" better:"lower" base:"persons" range:"from 0" words:"error of the rating *" meaning:"As season.rating.error, of persons *"`
}

// SeasonGroups have the names ExperienceKeys.
type SeasonGroups = Object[SeasonGroup]

var ExperienceKeys = [...]string{"0_9", "10_19", "20_49", "50_99", "100"}
