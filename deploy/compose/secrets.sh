#!/bin/sh
# Prints new secrets as an environment file, for compose (--env-file) and for
# a Kubernetes secret (--from-env-file):
#
#   sh deploy/compose/secrets.sh > deploy/.env
#
# SIGNING_KEY_SECRETS encrypts the keys that sign tokens, CONSOLE_SECRETS the logins that browsers
# keep in the console's cookie. MEILI_READ_KEY is the key that the
# projector creates for the query services: the engine derives it from the master key and this
# fixed name. The passwords of the users of NATS begin with a letter: its server reads digits as a
# number. The other settings, such as MAIL_URL, are described in ../docs/configuration.md.
set -eu
read_key_name=a10ed200-89e6-569b-98a3-28895916bd8b
master_key=$(openssl rand -hex 24)
echo "POSTGRES_PASSWORD=$(openssl rand -hex 24)"
echo "SIGNING_KEY_SECRETS=$(openssl rand -base64 32)"
echo "CONSOLE_SECRETS=$(openssl rand -base64 32)"
echo "MEILI_MASTER_KEY=$master_key"
for user in ADMIN PROJECTOR QUERY OPERATOR; do echo "NATS_${user}_PASSWORD=p$(openssl rand -hex 24)"; done
echo "SITE_API_KEY=$(openssl rand -hex 32)"
echo "MEILI_READ_KEY=$(printf %s "$read_key_name" | openssl dgst -sha256 -hmac "$master_key" -r | cut -d' ' -f1)"
