// The search of mkdocs asks a server for its index. This one is a script, so that it works from disk.
"use strict";
(function () {
  const results = document.getElementById("mkdocs-search-results"), box = document.getElementById("mkdocs-search-query");
  if (!results || !box) return;
  const search = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const scored = window.COMBIN_DOCS.map(part => {
      const title = part.title.toLowerCase(), text = part.text.toLowerCase();
      const fits = words.length && words.every(word => title.includes(word) || text.includes(word));
      return [fits ? words.filter(word => title.includes(word)).length + 1 : 0, part];
    }).filter(([score]) => score).sort(([one], [other]) => other - one).slice(0, 40);
    results.replaceChildren(...scored.map(([, part]) => {
      const article = document.createElement("article"), head = document.createElement("h3");
      const link = document.createElement("a"), text = document.createElement("p");
      link.href = part.location;
      link.textContent = part.title;
      const at = Math.max(0, part.text.toLowerCase().indexOf(words[0]) - 60);
      text.textContent = part.text.slice(at, at + 200);
      head.append(link);
      article.append(head, text);
      return article;
    }));
    if (!scored.length) results.textContent = results.dataset.noResultsText;
  };
  const index = document.createElement("script");
  index.src = base_url + "/search/index.js";
  index.addEventListener("load", () => {
    box.value = new URLSearchParams(location.search).get("q") ?? "";
    box.addEventListener("input", search);
    search();
  });
  document.head.append(index);
})();
