#!/bin/sh
# Creates the certificate of the database, once: ca.pem in the folder CA, with which the nodes check that they talk to
# their database, and server.pem and server.key in the folder KEY, which only the account postgres can read. The key of
# the CA is not kept, so nothing else can be signed with it.
# Usage: certificates.sh CA KEY NAME
set -eu
ca=$1 key=$2 name=$3
[ ! -f "$ca/ca.pem" ] || exit 0
umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
new="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc"
openssl req -x509 $new -keyout ca.key -out ca.pem -days 3650 -subj "/CN=Hub database"
openssl req $new -keyout server.key -out server.csr -subj "/CN=$name"
echo "subjectAltName=DNS:$name" > extensions
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 3650 -extfile extensions
install -m 600 -o postgres server.pem server.key "$key"
install -m 644 ca.pem "$ca"
