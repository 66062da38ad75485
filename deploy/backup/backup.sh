#!/bin/sh
# Writes a backup of the database and the pictures into a new folder below the given one:
#
#   DATABASE_URL=postgres://... BLOB_URL=... sh deploy/backup/backup.sh /var/backups/litfass
#
# It needs pg_dump, pg_restore and psql of the server's version or a newer one, and the program
# admin, which ADMIN may name together with arguments. BACKUP_KEEP backups are kept, 14 unless it is
# set. SIGNING_KEY_SECRETS are not in a backup: keep them elsewhere. Stream and index are derived.
set -eu

folder=${1:?usage: backup.sh FOLDER}
. "$(dirname "$0")/database.sh"
admin=${ADMIN:-admin}
keep=${BACKUP_KEEP:-14}
case $keep in '' | *[!0-9]* | 0) echo "BACKUP_KEEP $keep is not a number above 0" >&2; exit 2 ;; esac

umask 077 # a backup has personal data
mkdir -p "$folder"
folder=$(CDPATH='' cd "$folder" && pwd)
stamp() { date -u +%Y%m%dT%H%M%SZ; }
name=$(stamp)
if [ -e "$folder/$name" ]; then # of the same second
  sleep 1
  name=$(stamp)
fi
partial=$folder/$name.partial
backups() { find "$folder" -mindepth 1 -maxdepth 1 -type d -name '????????T??????Z' | sort; }
last=$(backups | tail -n 1)

mkdir "$partial"
trap 'rm -rf "$partial"' EXIT
trap 'exit 1' HUP INT TERM

# The remains of killed runs: no run takes a day.
find "$folder" -mindepth 1 -maxdepth 1 -type d -name '????????T??????Z.partial' -mtime +0 -exec rm -rf {} +

# The database first: every picture that it names was stored before.
pg_dump --format=custom --no-unlogged-table-data --no-owner --no-privileges --file="$partial/litfass.dump" "$database"
pg_restore --file=/dev/null "$partial/litfass.dump" # all of it can be read

# Pictures never change, so that a backup shares those of the one before.
if [ -n "${BLOB_URL:-}" ]; then
  if [ -n "$last" ] && [ -d "$last/pictures" ]; then
    cp -al "$last/pictures" "$partial/pictures"
  fi
  $admin pictures backup --prune "$(address "$partial/pictures")"
fi

(cd "$partial" && find . -type f ! -name SHA256SUMS -exec sha256sum {} + > SHA256SUMS)
sync -f "$partial"
mv "$partial" "$folder/$name"
trap - EXIT
sync "$folder"
psql --quiet --no-psqlrc --output=/dev/null --set=ON_ERROR_STOP=1 \
  --command="SELECT setval('backed_up_at', extract(epoch FROM now())::bigint)" "$database"
echo "$folder/$name"

backups | head -n "-$keep" | while read -r old; do rm -rf "$old"; done
