package joinfile

// Help is the help text about files of joins.
const Help = `A file of joins has a row for each player who joins, with the time and the place. It is CSV or
JSON lines, either plain or compressed (.gz, .zst), or Parquet. --map, --time-zone, --date and
--days are flags of the commands that read such a file.

Columns     time, latitude and longitude, in any order and letter case. The names timestamp,
            datetime, ts, lat, lon, lng and long are known too. Map other names with --map
            time=joined_at,latitude=y. Without a header, the columns must be time, latitude,
            longitude, in that order.
Optional    player_id, party_id, continent, country, session_length (s), friends (a list of
            player_ids), ip, rtt:<datacenter> (measured RTT in ms), and attributes of your own
Times       with a date: ISO 8601 or SQL (2026-03-14T15:04:05Z, 2026-03-14 15:04:05.250+01), or
            seconds or milliseconds since 1970. Without a date: 15:04:05[.fff], or seconds since
            midnight. Times without an offset are in --time-zone (default UTC).
Separators  The columns are separated by commas, tabs or semicolons (decimal commas allowed). The
            items of a list are separated by semicolons, or by | if semicolons separate the
            columns.
JSON lines  one object per line. Refer to a nested field as location.lat, for example in
            --map latitude=location.lat.
Days        Several days are replayed one after another, starting at midnight (in --time-zone) of
            the first day. The run covers all of them unless --duration is given. --date selects
            one day. If the file puts the joins of N days into one day, use --days N.`
