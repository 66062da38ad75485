#!/bin/sh
# Replaces the content of the database with a backup, and adds the images that are missing:
#
#   DATABASE_URL=postgres://... BLOB_URL=... NATS_URL=nats://operator:...@... sh deploy/backup/restore.sh /var/backups/litfass/20270305T020000Z
#
# Stop every admin first; query services and projectors may go on. The database must exist. It needs
# what backup.sh needs, pg_restore of the server's version, and NATS. Start admin afterwards: it publishes everything again.
set -eu

backup=${1:?usage: restore.sh BACKUP}
: "${NATS_URL:?is not set}"
. "$(dirname "$0")/database.sh"
admin=${ADMIN:-admin}
ask() { psql --quiet --no-psqlrc --tuples-only --no-align --set=ON_ERROR_STOP=1 --command="$1" "$database"; }

backup=$(CDPATH='' cd "$backup" && pwd)
if ! (cd "$backup" && sha256sum --quiet --check SHA256SUMS && grep -q ' \./litfass\.dump$' SHA256SUMS); then
  echo "the backup is damaged or incomplete, the database is as it was" >&2
  exit 1
fi
sessions() {
  ask "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND backend_type = 'client backend'"
}
others=$(sessions)
for _ in 1 2 3 4 5; do # the session of a program that has just ended may still be there
  [ "$others" = 0 ] && break
  sleep 1
  others=$(sessions)
done
if [ "$others" != 0 ]; then
  echo "$others other sessions use the database: stop every admin first" >&2
  exit 1
fi

# All or nothing: without COMMIT, which only a complete dump is followed by, nothing has happened.
result=$({
  echo "SET client_min_messages = warning; SET lock_timeout = '10s'; BEGIN;"
  echo 'DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public;'
  pg_restore --no-owner --no-privileges --file=- "$backup/litfass.dump" && printf '%s\n' 'COMMIT;' '\echo restored'
} | psql --quiet --no-psqlrc --output=/dev/null --set=ON_ERROR_STOP=1 "$database") || true
if [ "$result" != restored ]; then
  echo "the dump was not restored, the database is as it was" >&2
  exit 1
fi

if [ -n "${BLOB_URL:-}" ] && [ -d "$backup/pictures" ]; then
  $admin pictures restore "$(address "$backup/pictures")"
fi
$admin migrate
$admin restored
