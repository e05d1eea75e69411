package joinfile

// Help is the help text about files of joins.
const Help = `A file of joins has a row for each player who joins, with the time and the place. It is CSV or
JSON, either plain or compressed (.gz, .zst), or Parquet. The flags --map, --time-zone,
--time-format, --date and --days set keys of the configuration. In a command without these flags,
use --set, such as --set dataset.time_zone=Europe/Berlin. The file - is standard input.

Columns     A file needs the columns time, latitude and longitude, in any order and letter case.
            The time may also be named timestamp, datetime or ts; the latitude lat; the longitude
            lon, lng or long. For other names, use --map time=joined_at,latitude=y. Without a
            header, the columns must be time, latitude and longitude, in that order.
Optional    The columns player_id, party_id, continent, country, session_length (in seconds),
            friends (a list of player_ids), ip and rtt:<datacenter> (measured RTT in ms) are
            optional. Any other column is an attribute of the player.
Times       A time with a date is ISO 8601 or SQL (2026-03-14T15:04:05Z or
            2026-03-14 15:04:05.250+01), 14.03.2026 15:04:05, 3/14/2026 3:04 PM, or seconds,
            milliseconds, microseconds or nanoseconds since 1970. A time without a date is
            15:04:05[.fff], or seconds since midnight. A time without a UTC offset is in
            --time-zone (default UTC). Numbers may also be Excel's serial dates (46095.5) or
            fractions of a day (0.5). The whole file decides what numbers are, and whether the day
            or the month is first in dates with slashes; --time-format day/month, month/day,
            seconds or excel says it. "mmsim dataset info" shows how the times were read.
Separators  The columns are separated by commas, tabs or semicolons. The items of a list are
            separated by semicolons. If semicolons separate the columns, the items are separated
            by |, and numbers may have decimal commas.
JSON        Each line is an object, or the file is an array of objects. A nested field has a name
            such as location.lat, for example in --map latitude=location.lat.
Missing     An empty cell, \N or null is a missing value. A first column without a name, which
            pandas writes, is left out.
Days        Several days are replayed one after another, starting at midnight (in --time-zone) of
            the first day. A run covers all days unless you set --duration. --date selects one day.
            If the file puts the joins of N days into one day, use --days N.`
