package data

// joinsHelp is the help text about files of joins.
const joinsHelp = `A file of joins has a row for each player who joins, with the time and the place. It is CSV or
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
Rows        A row is the start of a session, in which the player searches again by chance after each
            match, or one search of a log, if the file has 1.5 or more rows per player_id and day.
            The key dataset.rows (sessions or searches) decides it for any file.
Places      Instead of a latitude and longitude, a row can have a country: an ISO 3166 code of two
            or three letters, or an English name. It is then placed in a town of the country, drawn
            by the number of people. With a city or region (state, province), the town is there if
            it has 100,000 people, and in the country otherwise. Regions are those of GeoNames, by
            name; in the United States and the United Kingdom, also by code. The members of a party
            live in one town, and so does a player in all rows. The columns may also be named
            country_code, country_name, state, city_name and so on.
Addresses   The column ip (or ip_address, client_ip, player_ip) is only read with --geoip FILE, a
            MaxMind DB file of cities or countries. It places players without coordinates. Addresses
            that are not in the file need a country. Addresses are never kept or shown. If ip has
            texts that are no addresses, they tell which players share a household.
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
