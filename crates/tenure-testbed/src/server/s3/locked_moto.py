"""moto's S3, one request at a time: locked_moto.py PORT [JOURNAL [BUCKET POLICY]]

moto looks at a condition and writes in two steps, with nothing between requests that overlap. A store whose every promise rests
on conditional writes needs a server that keeps them, so a lock is held from the first byte of a request to the last of its answer.

It keeps its objects in memory, and a server may not forget what it acknowledged. With a journal, every write that succeeded is
appended to it before its answer goes out; started again, the server carries them all out once more, in their order.

It lets anybody in. With a bucket and a policy, only two users, who sign every request: one has the rights that the policy grants,
the other only those of them by which nothing changes. Started again, it knows both by the same keys.
"""

import io
import json
import os
import pickle
import sys
import threading

from moto import settings
from moto.core import DEFAULT_ACCOUNT_ID
from moto.iam import iam_backends
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.s3 import s3_backends
from werkzeug.serving import WSGIRequestHandler, run_simple
from werkzeug.test import create_environ

WRITES = ("PUT", "POST", "DELETE")

moto = DomainDispatcherApplication(create_backend_app)
one_at_a_time = threading.Lock()


def asked(environ, start_response):
    # The body of the answer is made here, inside the lock, however lazily moto would make it.
    answer = moto(environ, start_response)
    try:
        return list(answer)
    finally:
        if hasattr(answer, "close"):
            answer.close()


class Journal:
    def __init__(self, path):
        self.file = open(path, "a+b")

    def replay(self):
        self.file.seek(0)
        while True:
            try:
                headers, body = pickle.load(self.file)
            except (EOFError, pickle.UnpicklingError):
                return  # What was cut off by a kill was never answered.
            asked({**create_environ(), **headers, "wsgi.input": io.BytesIO(body)}, lambda *_: None)

    def asked(self, environ, start_response):
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        headers = {name: value for name, value in environ.items() if isinstance(value, str)}
        statuses = []

        def heard(status, *rest):
            statuses.append(status)
            return start_response(status, *rest)

        answer = asked({**environ, "wsgi.input": io.BytesIO(body)}, heard)
        if statuses[-1].startswith("2"):
            pickle.dump((headers, body), self.file)
            self.file.flush()
        return answer


def reading(policy):
    policy = json.loads(policy)
    for rule in policy["Statement"]:
        said = rule["Action"] if isinstance(rule["Action"], list) else [rule["Action"]]
        rule["Action"] = [right for right in said if right.startswith(("s3:Get", "s3:List"))]
    return json.dumps(policy)


def add_user(name, policy):
    iam, path = iam_backends[DEFAULT_ACCOUNT_ID]["aws"], f"key-{name}"
    iam.create_user("us-east-1", name)
    iam.put_user_policy(name, "rights", policy)
    key = iam.create_access_key(name)
    if os.path.exists(path):
        with open(path) as file:
            key.access_key_id, key.secret_access_key = file.read().split(" ")
    with open(path, "w") as file:
        file.write(f"{key.access_key_id} {key.secret_access_key}")


journal = Journal(sys.argv[2]) if len(sys.argv) > 2 else None
if len(sys.argv) > 3:
    bucket, policy = sys.argv[3:]
    s3_backends[DEFAULT_ACCOUNT_ID]["aws"].create_bucket(bucket, "us-east-1")
    add_user("guest", policy)
    add_user("onlooker", reading(policy))
if journal:
    journal.replay()
if len(sys.argv) > 3:
    settings.INITIAL_NO_AUTH_ACTION_COUNT = 0


def application(environ, start_response):
    with one_at_a_time:
        if journal and environ["REQUEST_METHOD"] in WRITES:
            return journal.asked(environ, start_response)
        return asked(environ, start_response)


class Handler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"  # Connections are kept, as a real server keeps them.
    disable_nagle_algorithm = True

    def log_request(self, *_):
        pass


for name in os.environ.get("BUCKETS", "").split():
    s3_backends[DEFAULT_ACCOUNT_ID]["aws"].create_bucket(name, "us-east-1")

# In a container others must reach it; anywhere else it is nobody's business.
run_simple(os.environ.get("LISTEN_ON", "127.0.0.1"), int(sys.argv[1]), application, threaded=True, request_handler=Handler)
