package playfab

// readings describes how this package reads PlayFab's documentation where it says nothing or
// contradicts itself.
const readings = `PlayFab publishes how its matchmaking works, but not its source code. Where the
documentation says nothing or contradicts itself, mmsim does what this list says. A doubtful point
with a large effect has a setting, and results name its value.

Waiting time
  - Tickets with different waits: an expansion goes by the longest wait of the tickets compared
    (matcher.expansion_basis: longest). A rule becomes optional once all of them have waited
    SecondsUntilOptional (matcher.optional_basis: all).
  - The n-th step of an expansion begins when the wait reaches n times SecondsBetweenExpansions, a
    rule becomes optional when the wait reaches SecondsUntilOptional, and a ticket gives up when its
    wait reaches the limit.
  - The first element of an override list holds from second 0, and the rule's own value is ignored.
    After the end of the list, its last element holds.
  - null in an override list, or false in EnabledOverrides, switches the rule off for that time. For
    MatchTotalRules, null in either of the two lists switches off the whole rule.
  - MinOverrides and MaxOverrides may have different lengths: each keeps its last element. If only
    one of the two is given, the rule's own value holds for the other bound.
  - A linear expansion of SetIntersectionRules lowers MinIntersectionSize by Delta, at least down to
    0. (The API's text says that Delta is added, which could only tighten the rule.) Limit, which
    the documentation lists and the API lacks, stops it, with a warning.
  - SecondsUntilOptional: 0 makes a rule optional at once. It then only affects the order.

Rules
  - Bounds are inclusive: a Difference of 200 lets 1500 and 1700 meet. (One page says "less than",
    another one rejects only what is above the maximum.) A tolerance of 1e-9 absorbs rounding.
  - Texts are equal only in the same letter case.
  - A rule about pairs holds for every pair of tickets in a match. A ticket without a value under
    MatchAny meets any other ticket, but does not let two others meet whose values differ.
  - SetIntersectionRules count the elements that all tickets of the match share.
  - A ticket of several players: a text must be the same for all of them, a list is the intersection
    of their lists, a total is the sum, and MergeFunction combines numbers (Average if absent).
  - A missing value adds 0 to a MatchTotal. A JSON null is a missing value.
  - If AttributeNotSpecifiedBehavior is absent, a default value is used if the rule has one.
    Otherwise the attribute is required.
  - MatchTotalRules check Max whenever a ticket joins and Min only for the complete match.
  - A region that a player did not measure is not available to the match.
  - TeamDifferenceRules compare averages over the players of each team, not over its tickets.
  - TeamTicketSizeSimilarityRule: a party is large if it has at least half of the players of the
    largest team. Either all teams have a large party or none has.

Order and groups
  - Backfills are first, then tickets in order of age. Equal ages: in the order of submission.
  - The candidates of a ticket are ranked once, by their distance from it: the sum of Weight times
    distance. Equal distances: the longer wait is first.
  - Distances are at most 1, also of a rule that is optional. A Difference counts by the threshold
    in force. A Difference of 0 has distance 0 if the values are equal, or else 1. A ticket without
    a value has distance 0.
  - A group is filled up to MaxMatchSize before a smaller one is accepted. A match needs at least
    two tickets, even if one party alone has MinMatchSize players.
  - If a group is no match, its last ticket is replaced by the next candidate. The number of these
    steps per ticket is limited (matcher.budget), and results count the searches that reached it.
  - Teams: any division into teams that satisfies all rules is found. The most even sizes are
    preferred, then the most even averages.
  - The regions of a match are in the order of the worst latency of its players, then of the mean
    latency, then of the name.

Queues and tickets
  - Names of teams are compared exactly, with a warning if two differ only in letter case.
  - A party that is larger than every team is refused when it is submitted.
  - Unknown members of the JSON are ignored with a warning (matcher.strict makes them errors).
  - Partitions under load are off (matcher.partition_above). Their sizes and thresholds are not
    published.
  - A simulated day makes a pass at every tick (clock.tick). The service's rhythm is not published.
`
