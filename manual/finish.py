"""Makes the pages fit to be read from a folder, without a server and without a network, and checks them: every link and
anchor leads somewhere, and nothing is loaded from elsewhere.

    python manual/finish.py SITE
"""

import json
import sys
from html.parser import HTMLParser
from pathlib import Path

HERE = Path(__file__).resolve().parent
# What a page fetches by itself; an `a` waits until it is clicked.
LOADS = {"script": "src", "link": "href", "img": "src", "object": "data", "iframe": "src"}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        read = dict(attributes)
        self.anchors |= {read[key] for key in ("id", "name") if read.get(key)}
        if tag == "a" and read.get("href"):
            self.links.append(read["href"])
        if read.get(LOADS.get(tag, "")):
            self.loads.append(read[LOADS[tag]])


def away(link):
    return link.startswith("//") or ":" in link.split("/", 1)[0].split("#", 1)[0]


def search(site):
    """The search of MkDocs needs a server; the index as a script does not."""
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    code = (HERE / "search.js").read_text(encoding="utf-8")
    (site / "search" / "main.js").write_text(f"var INDEX = {json.dumps(index)};\n{code}", encoding="utf-8")


def complaints(site):
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site)
        for link in page.loads:
            if away(link):
                yield f"{name} loads {link}"
        for link in page.links + page.loads:
            if away(link):
                continue
            file, _, anchor = link.partition("#")
            target = (path.parent / file.partition("?")[0]).resolve() if file else path
            if not target.is_file():
                yield f"{name} leads to {link}, which is not there"
            elif anchor and target in pages and anchor not in pages[target].anchors:
                yield f"{name} leads to {link}, an anchor that is not there"
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        if "url(http" in text or "url(//" in text or "@import" in text:
            yield f"{path.relative_to(site)} loads from elsewhere"


def main():
    site = Path(sys.argv[1]).resolve()
    # A page for servers, with links from their root.
    (site / "404.html").unlink(missing_ok=True)
    search(site)
    wrong = list(complaints(site))
    if wrong:
        sys.exit("\n".join(wrong))


main()
