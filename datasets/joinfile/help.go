package joinfile

// Help is the help text about files of joins.
const Help = `Files of joins are CSV or JSON lines, plain, .gz or .zst, or Parquet.

Times       15:04:05[.fff] or seconds since midnight; with a date: ISO 8601 and SQL
            (2026-03-14T15:04:05Z, 2026-03-14 15:04:05.250+01), seconds or milliseconds
            since 1970. Times without an offset are in --time-zone (UTC).
Columns     time, latitude and longitude, in any order and case, also under the names
            timestamp, datetime, ts, lat, lon, lng and long; map other names with --map
            time=joined_at,latitude=y. Optional: player_id, party_id, continent, country,
            session_length, friends, ip, rtt:<datacenter> (measured, in ms), and attributes
            of your own. Without a header, a row is time,latitude,longitude.
Separators  commas, tabs, or semicolons with decimal commas (52,52). The items of a list are
            separated by semicolons or, in a file with semicolons, by |.
JSON lines  an object on each line; a member of a nested object is called location.lat.
Days        Several days are replayed one after another, from the first midnight in
            --time-zone, and the run covers them all unless --duration is given. --date
            selects one day. --days N means that the file merges N days into one.`
