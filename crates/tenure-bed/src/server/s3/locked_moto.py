"""moto's S3, one request at a time: locked_moto.py PORT

moto looks at a condition and writes in two steps, with nothing between requests that overlap. A store whose every promise rests
on conditional writes needs a server that keeps them, so a lock is held from the first byte of a request to the last of its answer.
"""

import sys
import threading

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, run_simple

moto = DomainDispatcherApplication(create_backend_app)
one_at_a_time = threading.Lock()


def application(environ, start_response):
    # The body of the answer is made here, inside the lock, however lazily moto would make it.
    with one_at_a_time:
        answer = moto(environ, start_response)
        try:
            return list(answer)
        finally:
            if hasattr(answer, "close"):
                answer.close()


class Handler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"  # Connections are kept, as a real server keeps them.
    disable_nagle_algorithm = True

    def log_request(self, *_):
        pass


run_simple("127.0.0.1", int(sys.argv[1]), application, threaded=True, request_handler=Handler)
