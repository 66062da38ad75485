#!/bin/sh
# Looks for known vulnerabilities in the packages of npm: npmaudit.sh LOCKFILE...
#
# Exit code 0: none; 3: there are some; 4: the registry answers no audit of a lock file, and nothing is
# known of its packages.
set -u
status=0
for lock in "$@"; do
  folder=$(dirname "$lock")
  output=$(cd "$folder" && npm audit --package-lock-only --json 2>/dev/null)
  found=$?
  case $output in
    *'"auditReportVersion"'*)
      [ $found = 0 ] || { echo "$folder: vulnerable packages"; (cd "$folder" && npm audit --package-lock-only); status=3; } ;;
    *)
      echo "$folder: the registry answers no audit, nothing is known of its packages" >&2
      [ $status != 0 ] || status=4 ;;
  esac
done
[ $status != 0 ] || echo "no known vulnerability in the packages of npm"
exit $status
