package joinfile

// Help is the help text about files of joins.
const Help = `Files of joins are CSV or JSON lines, plain, .gz or .zst, or Parquet.

Times       15:04:05[.fff] or seconds since midnight; with a date: ISO 8601 and SQL
            (2026-03-14T15:04:05Z, 2026-03-14 15:04:05.250+01), seconds or milliseconds
            since 1970. Times without an offset are in --time-zone (UTC).
Columns     time, latitude and longitude, in any order and case, also as timestamp,
            datetime, ts, lat, lon, lng, long; --map names others: --map
            time=joined_at,latitude=y. Then any of player_id, party_id, continent, country,
            session_length, friends, ip, rtt:<datacenter> (measured ms), and attributes of
            your own. Without a header a row is time,latitude,longitude.
Separators  commas, tabs, or semicolons with decimal commas (52,52). Items of a list have
            semicolons between them; in a file with semicolons, | between them.
JSON lines  an object in each line; a member of an object inside is called location.lat.
Days        A file of several days is replayed in turn from its first midnight in
            --time-zone, and the run covers all of them unless --duration is given. --date
            picks one day. --days N says that the file merges N sample days into one.`
