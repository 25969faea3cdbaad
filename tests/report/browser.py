# SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium, driven over a pipe by the DevTools protocol, with Python's standard library alone."""
import base64
import json
import os
import select
import subprocess
import tempfile
import time

PROGRAM = "chromium"


class Browser:
    """A context manager: a browser with one page. `messages` collects what the page says on its console."""

    def __init__(self, timeout=120):
        self.timeout = timeout  # s, for one command
        self.messages = []

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="psmformer-chromium-", ignore_cleanup_errors=True)
        to_browser, self.commands = os.pipe()
        self.replies, from_browser = os.pipe()

        def connect():
            # The browser reads from 3 and writes to 4. Copies above these first, since either may be one of them.
            source, sink = os.dup2(to_browser, 20), os.dup2(from_browser, 21)
            os.dup2(source, 3)
            os.dup2(sink, 4)

        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-extensions", f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe"],
            close_fds=False, preexec_fn=connect, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.rest = b""
        self.number = 0
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.commands)
        os.close(self.replies)
        self.profile.cleanup()

    def receive(self, until):
        """The next message; TimeoutError when there is none until that time."""
        while b"\0" not in self.rest:
            if not select.select([self.replies], [], [], max(0.0, until - time.monotonic()))[0]:
                raise TimeoutError(f"{PROGRAM} does not answer")
            piece = os.read(self.replies, 1 << 20)
            if not piece:
                raise RuntimeError(f"{PROGRAM} has ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def note(self, message):
        """Keeps what concerns the console and the network."""
        parameters = message.get("params", {})
        if message.get("method") == "Runtime.consoleAPICalled":
            self.messages.append(f"{parameters['type']}: {[a.get('value', a.get('description')) for a in parameters['args']]}")
        elif message.get("method") == "Runtime.exceptionThrown":
            self.messages.append(f"exception: {parameters['exceptionDetails']}")
        elif message.get("method") == "Log.entryAdded":
            self.messages.append(f"{parameters['entry']['level']}: {parameters['entry']['text']}")
        elif message.get("method") == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith(("file:", "data:", "about:")):
            self.messages.append(f"request: {parameters['request']['url']}")

    def call(self, method, **parameters):
        """One command of the protocol and its result."""
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.commands, json.dumps(command).encode() + b"\0")
        until = time.monotonic() + self.timeout
        while True:
            message = self.receive(until)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.note(message)

    def evaluate(self, expression):
        """The value of a JavaScript expression."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["text"])
        return result["result"].get("value")

    def open(self, path, width=1200, height=900, scheme="light"):
        """Loads a file, and waits until it is drawn."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.emulate(scheme)
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        until = time.monotonic() + self.timeout
        while not self.evaluate("document.readyState === 'complete' && location.protocol === 'file:'"):
            if time.monotonic() > until:
                raise TimeoutError(f"{path} is not loaded")
            time.sleep(0.05)
        self.settle()

    def emulate(self, scheme):
        """'light' or 'dark', as the page learns it from prefers-color-scheme."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.settle()

    def settle(self):
        """Waits for two frames."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def screenshot(self, path, full=True):
        """A PNG of the whole page, or of what is seen."""
        image = self.call("Page.captureScreenshot", captureBeyondViewport=full)
        with open(path, "wb") as file:
            file.write(base64.b64decode(image["data"]))

    def pdf(self):
        """The page as printed on A4, as bytes."""
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])
