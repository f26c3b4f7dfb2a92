"""Opens pages of the viewer in a headless Chromium and runs viewer_check.js in each.

    viewer.py BROWSER SCRATCH PAGE BODIES [PAGE BODIES ...]

Speaks the browser's own protocol through two pipes, so that nothing but Python is needed. Leaves a picture of each page in
SCRATCH.
"""

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

CHECK = Path(__file__).with_name("viewer_check.js").read_text(encoding="utf-8")
LIMIT = 90  # s; a page takes two or three on an idle machine


class Browser:
    """A browser and the one page that it shows."""

    def __init__(self, program, scratch):
        theirs_in, self.out = os.pipe()
        self.inp, theirs_out = os.pipe()
        # The browser reads from descriptor 3 and writes to 4: the shell puts ours there.
        flags = ["--headless", "--no-sandbox", "--disable-dev-shm-usage", "--remote-debugging-pipe"]
        flags += ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]  # WebGL without a graphics card
        flags += ["--window-size=640,480", f"--user-data-dir={scratch}/profile", "about:blank"]
        redirect = f'exec timeout {LIMIT} "$@" 3<&{theirs_in} 4>&{theirs_out}'
        with open(f"{scratch}/log.txt", "wb") as log:
            command = ["sh", "-c", redirect, "sh", program, *flags]
            env = {**os.environ, "HOME": str(scratch)}
            self.process = subprocess.Popen(command, pass_fds=[theirs_in, theirs_out], stderr=log, stdout=log, env=env)
        os.close(theirs_in)
        os.close(theirs_out)
        self.number, self.session, self.rest = 0, None, b""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def ask(self, method, **params):
        """Sends a command and waits for its answer; what else arrives is passed over."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            *whole, self.rest = self.rest.split(b"\0")
            for i, text in enumerate(whole):
                answer = json.loads(text)
                if answer.get("id") == self.number:
                    self.rest = b"\0".join([*whole[i + 1 :], self.rest])
                    if "error" in answer:
                        raise RuntimeError(f"{method}: {answer['error']}")
                    return answer["result"]
            more = os.read(self.inp, 1 << 16)
            if not more:
                raise RuntimeError("the browser is gone, or took too long")
            self.rest += more

    def run(self, script):
        """The value of a script, waited for."""
        answer = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        return answer["result"].get("value", answer.get("exceptionDetails"))


def main(program, scratch, *pages):
    browser = Browser(program, scratch)
    failed = False
    for page, bodies in zip(pages[::2], pages[1::2]):
        browser.ask("Page.navigate", url=Path(page).resolve().as_uri())
        verdict = browser.run(CHECK)
        picture = browser.ask("Page.captureScreenshot")["data"]
        Path(scratch, Path(page).stem + ".png").write_bytes(base64.b64decode(picture))
        fine = verdict == f"{bodies} bodies"
        failed = failed or not fine
        print(f"{Path(page).name}: {verdict}{'' if fine else f', wanted {bodies} bodies'}", flush=True)
    browser.session = None
    browser.ask("Browser.close")
    browser.process.wait()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
