#!/bin/sh
# Makes the secrets of compose.cluster.yaml, once: deploy/{sextant,valkey,postgres}.env, readable by their owner only.
set -eu
cd "$(dirname "$0")"
umask 077
for file in sextant.env valkey.env postgres.env; do
  if [ -e "$file" ]; then
    echo "$file is there already; nothing was changed" >&2
    exit 1
  fi
done
redis=$(openssl rand -hex 24)
database=$(openssl rand -hex 24)
cat >valkey.env <<END
VALKEY_PASSWORD=$redis
END
cat >postgres.env <<END
POSTGRES_USER=sextant
POSTGRES_DB=sextant
POSTGRES_PASSWORD=$database
END
cat >sextant.env <<END
SEXTANT_SECRET=$(openssl rand -hex 32)
SEXTANT_REDIS_URL=redis://:$redis@counters:6379
SEXTANT_REDIS_CACHE_URL=redis://:$redis@cache:6379
SEXTANT_DATABASE_URL=postgres://sextant:$database@postgres:5432/sextant
SEXTANT_METRICS_TOKEN=$(openssl rand -hex 24)
END
