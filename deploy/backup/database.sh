# Read by backup.sh and restore.sh. It sets database to DATABASE_URL without the password, which
# goes into PGPASSWORD: every user of a machine can read the arguments of its processes.

: "${DATABASE_URL:?is not set}"

for program in pg_dump pg_restore psql sha256sum; do
  if ! command -v "$program" > /dev/null; then
    echo "$program is missing on PATH" >&2
    exit 2
  fi
done

# decoded prints a part of a URL without its percent-encoding.
decoded() {
  printf '%s' "$1" | LC_ALL=C awk '{
    while (match($0, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
      code = tolower(substr($0, RSTART + 1, 2))
      high = index("0123456789abcdef", substr(code, 1, 1)) - 1
      low = index("0123456789abcdef", substr(code, 2, 1)) - 1
      printf "%s%c", substr($0, 1, RSTART - 1), high * 16 + low
      $0 = substr($0, RSTART + 3)
    }
    printf "%s", $0
  }'
}

# address prints the address of a folder as BLOB_URL has it.
address() {
  printf 'file://'
  printf '%s' "$1" | sed 's/%/%25/g; s/?/%3F/g; s/#/%23/g'
}

database=$DATABASE_URL
case $DATABASE_URL in
  *password=*)
    echo "DATABASE_URL has its password among the parameters: write postgres://user:password@host/database" >&2
    exit 2
    ;;
  postgres://* | postgresql://*)
    after=${DATABASE_URL#*://}
    authority=${after%%[/?#]*}
    case $authority in
      *:*@*)
        login=${authority%@*}
        PGPASSWORD=$(decoded "${login#*:}")
        export PGPASSWORD
        database=${DATABASE_URL%%://*}://${login%%:*}@${after#"$login@"}
        ;;
    esac
    ;;
esac
