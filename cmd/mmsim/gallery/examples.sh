# Creates the files that the examples in README.md and in the help use. If a new example uses
# another file, create it here, or show its content in README.md in a code block.
mmsim init .
mmsim init --template accelbyte accelbyte
mmsim init --template roblox roblox
cp accelbyte/ruleset.json roblox/scoring.json .
mkdir more march
cp cases/close-enough.json more/case.json
cp mmsim.yaml today.yaml
sed 's/play_again: 0.75/play_again: 0.7/' mmsim.yaml > proposal.yaml

# Days.
mmsim dataset gen --out day.csv
mmsim dataset convert day.csv day.csv.gz
mmsim dataset convert day.csv telemetry.csv.zst
{ echo time,latitude,longitude,build; echo 00:00:01,52.5,13.4,1.4; } > in.csv

# A day of a production matchmaker: 288 matches of two players, one every five minutes.
cp mmsim.yaml base.yaml
mkdir events
awk 'BEGIN {
  print "ticket_id,player_id,requested_at,ended,result,match_id,match_ended,latitude,longitude" >"tickets.csv"
  print "player_id,latitude,longitude" >"players.csv"
  print "match_id,ended" >"matches.csv"
  for (m = 0; m < 288; m++) {
    day = "2026-03-14T"
    at = sprintf("%s%02d:%02d:0", day, int(m / 12), 5 * m % 60)
    end = sprintf("%s%02d:%02d:50Z", day, int(m / 12), 5 * m % 60 + 4)
    print "m" m "," end >"matches.csv"
    tickets = ""
    for (k = 1; k <= 2; k++) {
      id = 2 * m + k
      print "t" id ",p" id "," at k "Z," at "9Z,matched,m" m "," end ",52.5,13.4" >"tickets.csv"
      print "p" id ",52.5,13.4" >"players.csv"
      tickets = tickets (k > 1 ? "," : "") "{\"ticketId\":\"t" id "\",\"startTime\":\"" at k "Z\",\"players\":[{\"playerId\":\"p" id "\"}]}"
    }
    print "{\"id\":\"e" m "\",\"time\":\"" at "9Z\",\"resources\":[\"arn:aws:gamelift:eu-central-1:1:matchmakingconfiguration/ranked\"],\"detail\":{\"type\":\"MatchmakingSucceeded\",\"matchId\":\"m" m "\",\"tickets\":[" tickets "]}}" >"events/1.jsonl"
  }
}'
gzip events/1.jsonl

# Datacenters, measurements and maps.
cat > datacenters.csv <<'END'
id,name,latitude,longitude
1,frankfurt,50.11,8.68
2,london,51.50,-0.12
3,saopaulo,-23.55,-46.63
4,sydney,-33.86,151.21
5,ashburn,39.04,-77.49
END
{
  echo time,datacenter,latitude,longitude,rtt_ms
  for n in 1 2 3 4 5; do
    for cell in frankfurt,52.52,13.40,12 london,40.71,-74.01,75 saopaulo,-12.05,-77.04,90 sydney,-33.87,151.21,5 ashburn,40.71,-74.01,9; do
      echo "2026-03-0${n}T12:00:00Z,$cell"
    done
  done
} > march/pings.csv
gzip -c march/pings.csv > pings.csv.gz
cp pings.csv.gz old.gz
mmsim latency build --datacenters datacenters.csv --out maps pings.csv.gz
for folder in maps-february maps-march old new; do cp -r maps $folder; done
cp maps/latency_london.bin .

# Specifications and results.
cat > grid.yaml <<'END'
runs: 1
settings: {states.ideal.rtt: [30ms, 50ms, 70ms]}
END
cp grid.yaml play-again.yaml
cat > tune.yaml <<'END'
settings: {states.ideal.rtt: {from: 30ms, to: 70ms}}
minimise: rtt_ms.mean
budget: {runs: 12}
END
cat > site.yaml <<'END'
config: mmsim.yaml
count: 5
candidates: 1
runs: 1
constraints: {rtt_ms.share_le_100: {min: 80%}}
END
for n in 1 2 3; do mmsim sweep grid.yaml --shard $n/3 --out shards/$n; done
mmsim run --quiet
mmsim run --quiet --config mmsim.yaml --capture 20:15:00=case.json
mmsim run --quiet --config mmsim.yaml --runs 2 --out baseline
mmsim run --quiet --config mmsim.yaml --runs 2 --out results/before
mmsim run --quiet --config proposal.yaml --runs 2 --out results/after

# A custom matchmaker.
cat >mm.py <<'END'
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    print(json.dumps({"hello": 1} if "hello" in message else {}), flush=True)
END

# Profiles for an Open Match match function.
cat >profiles.yaml <<'END'
profiles:
  - name: newcomers
    pools:
      low: {doubles: {mmr: {max: 1500}}}
END
cat >queues.json <<'JSON'
{"MatchMakingQueues": [{"Name": "Ranked", "MinMatchSize": 2, "MaxMatchSize": 2}, {"Name": "Casual", "MinMatchSize": 4, "MaxMatchSize": 8}]}
JSON
