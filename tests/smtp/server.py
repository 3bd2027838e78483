"""A mail server on loopback for tests: keeps what it is given, refuses on demand.

    server.py [--tls | --starttls] FOLDER [USER PASSWORD]

With --tls it speaks TLS from the first byte, with --starttls from the greeting on and
takes nothing before; its certificate and key are FOLDER/server.pem and FOLDER/server.key.
Prints its port. Every letter becomes a file in FOLDER, written whole. Addresses that
begin with "refused" are refused for good, those that begin with "later" for now. With
USER and PASSWORD nobody else may send. It ends with its standard input.
"""

import itertools
import os
import socket
import ssl
import sys

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

words = sys.argv[1:]
encryption = words.pop(0) if words[0].startswith("--") else None
folder = words[0]
account = tuple(part.encode() for part in words[1:3])
numbers = itertools.count(1)


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("refused"):
            return "550 5.1.1 no such mailbox here"
        if address.startswith("later"):
            return "451 4.7.1 greylisted, come again"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        name = os.path.join(folder, f"{next(numbers):05}")
        with open(name + ".part", "wb") as file:
            file.write(b"X-Recipients: " + ",".join(envelope.rcpt_tos).encode() + b"\r\n" + envelope.content)
        os.rename(name + ".part", name + ".eml")
        return "250 2.0.0 taken"


def authenticate(server, session, envelope, mechanism, data):
    return AuthResult(success=(data.login, data.password) == account, handled=False)


class AnyPort(Controller):
    """The port is the one that the system gives."""

    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        with socket.create_connection((self.hostname, self.port), 10) as first:
            if self.ssl_context:
                trusting = ssl._create_unverified_context()
                with trusting.wrap_socket(first) as encrypted:
                    encrypted.recv(1024)
            else:
                first.recv(1024)


options = {}
if account:
    options = {"authenticator": authenticate, "auth_required": True, "auth_require_tls": encryption == "--starttls"}
if encryption:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, "server.pem"), os.path.join(folder, "server.key"))
    options |= {"ssl_context": context} if encryption == "--tls" else {"tls_context": context, "require_starttls": True}
controller = AnyPort(Handler(), hostname="127.0.0.1", port=0, ready_timeout=60, **options)
controller.start()
print(controller.port, flush=True)
sys.stdin.read()
controller.stop()
