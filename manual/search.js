// Search in pages that lie in a folder: no server, no worker, nothing to fetch. `manual/finish.py` puts the index before this.
(function () {
  var field = document.getElementById("mkdocs-search-query");
  var out = document.getElementById("mkdocs-search-results");
  if (!field) return;

  // Every word must be there; a heading that has it comes first.
  function search(query) {
    var words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    return INDEX.map(function (section) {
      var title = section.title.toLowerCase(), text = section.text.toLowerCase(), score = 0;
      for (var i = 0; i < words.length; i++) {
        if (title.indexOf(words[i]) >= 0) score += title === words[i] ? 20 : 10;
        else if (text.indexOf(words[i]) >= 0) score += 1;
        else return { score: 0 };
      }
      return { score: score, section: section, at: Math.max(0, text.indexOf(words[0]) - 80) };
    })
      .filter(function (found) { return found.score; })
      .sort(function (a, b) { return b.score - a.score; });
  }

  function show() {
    var found = search(field.value);
    out.textContent = found.length ? "" : field.value ? "Nothing found" : "";
    found.slice(0, 50).forEach(function (hit) {
      var article = document.createElement("article"), head = document.createElement("h3");
      var link = document.createElement("a"), text = document.createElement("p");
      link.href = base_url + "/" + hit.section.location;
      link.textContent = hit.section.title;
      text.textContent = hit.section.text.substr(hit.at, 240);
      head.appendChild(link);
      article.appendChild(head);
      article.appendChild(text);
      out.appendChild(article);
    });
  }

  var asked = /[?&]q=([^&]*)/.exec(window.location.search);
  if (asked) field.value = decodeURIComponent(asked[1].replace(/\+/g, "%20"));
  field.addEventListener("input", show);
  show();
})();
