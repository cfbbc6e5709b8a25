#!/bin/sh
# Writes what an API server for tests and its clients need: certificates, tokens, and a kubeconfig for each of its two users.
#
#   kubernetes-access.sh FOLDER SEEN ADDRESS
#
# FOLDER is where to write, SEEN the same folder as clients see it, ADDRESS the host and port where they reach the server.
set -eu
folder=$1 seen=$2 address=$3
mkdir -p "$folder"
cd "$folder"

openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=tenure-test -keyout authority.key -out authority.crt 2>&1
openssl req -newkey rsa:2048 -nodes -subj /CN=kube-apiserver -keyout server.key -out server.csr 2>&1
printf 'basicConstraints=CA:FALSE\nsubjectAltName=IP:%s,DNS:localhost\n' "${address%:*}" >server.ext
openssl x509 -req -in server.csr -CA authority.crt -CAkey authority.key -CAcreateserial -days 3650 -extfile server.ext -out server.crt 2>&1

# Token, user, number, group: `admin` may do anything, `alice` nothing until a test gives her a role.
printf 'admin-token,admin,1,system:masters\nalice-token,alice,2\n' >tokens.csv
for user in admin alice; do
  cat >"$user.kubeconfig" <<CONFIG
apiVersion: v1
kind: Config
clusters:
- name: test
  cluster: {server: "https://$address", certificate-authority: "$seen/authority.crt"}
users:
- name: $user
  user: {token: $user-token}
contexts:
- name: test
  context: {cluster: test, user: $user}
current-context: test
CONFIG
done

# The server may run as anybody, and kubectl keeps its cache here.
chmod 0644 ./*
chmod 0777 .
