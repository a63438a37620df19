#!/bin/sh
# Runs once, when PostgreSQL has created its cluster. The nodes get a role that owns one database and may do nothing else,
# and only over TLS; the superuser can be used only inside the container of the database.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv password POSTGRES_PASSWORD
CREATE ROLE hub LOGIN PASSWORD :'password' NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
CREATE DATABASE hub OWNER hub ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE hub, postgres FROM PUBLIC;
ALTER ROLE CURRENT_USER PASSWORD NULL;
SQL
cat > "$PGDATA/pg_hba.conf" <<'HBA'
local   all all     trust
hostssl hub hub all scram-sha-256
HBA
