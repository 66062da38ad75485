#!/bin/sh
# Looks for known vulnerabilities in code that the modules call: audit.sh GOVULNCHECK MODULE...
#
# Exit code 0: none; 3: there are some; 4: the database of vulnerabilities cannot be reached, and
# nothing is known; 1: anything else failed. GOVULNDB names another database, a mirror for example.
set -u
program=$1
shift
found=0
for module in "$@"; do
  echo "module $module"
  output=$("$program" ${GOVULNDB:+-db "$GOVULNDB"} -C "$module" ./... 2>&1)
  status=$?
  case $status in
    0) ;;
    3) printf '%s\n' "$output"; found=3 ;;
    *)
      printf '%s\n' "$output" >&2
      case $output in
        *'fetching vulnerabilities'*)
          echo "The database of vulnerabilities cannot be reached: nothing was audited." >&2
          exit 4 ;;
      esac
      exit 1 ;;
  esac
done
[ $found != 0 ] || echo "no known vulnerability is called"
exit $found
