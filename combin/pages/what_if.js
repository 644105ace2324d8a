"use strict";
// The what-if: pays are edited, figures follow, every one of them an exact fraction of two BigInts.
(() => {
  const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };
  const ratio = (n, d = 1n) => {
    if (d < 0n) [n, d] = [-n, -d];
    const g = gcd(n, d) || 1n;
    return { n: n / g, d: d / g };
  };
  const ZERO = ratio(0n), ONE = ratio(1n);
  const add = (a, b) => ratio(a.n * b.d + b.n * a.d, a.d * b.d);
  const sub = (a, b) => ratio(a.n * b.d - b.n * a.d, a.d * b.d);
  const mul = (a, b) => ratio(a.n * b.n, a.d * b.d);
  const div = (a, b) => ratio(a.n * b.d, a.d * b.n);
  const above = (a, b) => a.n * b.d > b.n * a.d;
  const exact = (a) => (a.d === 1n ? `${a.n}` : `${a.n}/${a.d}`);

  // A number as combin reads it: digits with or without groups, decimals, a fraction.
  const number = (text) => {
    const [whole, part = ""] = text.replaceAll(",", "").split(".");
    return ratio(BigInt(whole + part), 10n ** BigInt(part.length));
  };
  const fraction = (text) => {
    const [n, d = "1"] = text.split("/");
    return div(n.startsWith("-") ? mul(number(n.slice(1)), ratio(-1n)) : number(n), number(d));
  };

  // Rounded half to even at so many decimals.
  const decimal = (a, places) => {
    const scale = 10n ** BigInt(places);
    const negative = a.n < 0n;
    const n = (negative ? -a.n : a.n) * scale;
    let q = n / a.d;
    const twice = 2n * (n % a.d);
    if (twice > a.d || (twice === a.d && q % 2n === 1n)) q += 1n;
    const digits = q.toString().padStart(places + 1, "0");
    const cut = digits.length - places;
    return (negative && q ? "-" : "") + digits.slice(0, cut) + (places ? "." + digits.slice(cut) : "");
  };
  const isqrt = (v) => {
    if (v < 2n) return v;
    let x = 1n << BigInt((v.toString(2).length + 1) >> 1);
    for (;;) {
      const y = (x + v / x) >> 1n;
      if (y >= x) return x;
      x = y;
    }
  };
  // The square root cut at twelve decimals.
  const root = (a) => {
    const scale = 10n ** 12n;
    return ratio(isqrt(a.n * a.d * scale * scale), a.d * scale);
  };

  const NUMBER = "((?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?)";
  const ODDS = new RegExp(`^${NUMBER} (to|for) ${NUMBER}$`);
  const DOLLARS = new RegExp(`^\\$${NUMBER}$`);
  const SHARE = new RegExp(`^${NUMBER}(?:%| percent) of (?:the )?([a-z][a-z0-9 '_-]*)$`);
  const EMPTY = { odds: ZERO, dollars: ZERO, shares: [], named: [], stakeBack: false };
  const plus = (a, b) => ({
    odds: add(a.odds, b.odds), dollars: add(a.dollars, b.dollars), shares: [...a.shares, ...b.shares],
    named: [...a.named, ...b.named], stakeBack: a.stakeBack || b.stakeBack,
  });
  const term = (text) => {
    let found;
    if (text === "push") return { ...EMPTY, stakeBack: true };
    if ((found = ODDS.exec(text))) {
      const per = number(found[3]);
      if (!per.n) throw new Error("odds are stated against a stake: 1 to 1");
      return { ...EMPTY, odds: div(number(found[1]), per), stakeBack: found[2] === "to" };
    }
    if ((found = DOLLARS.exec(text))) return { ...EMPTY, dollars: number(found[1]) };
    if ((found = SHARE.exec(text))) {
      const name = found[2].replaceAll("'", "").replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
      return { ...EMPTY, shares: [[name, div(number(found[1]), ratio(100n))]] };
    }
    throw new Error(`“${text}” is not a pay: write 300 to 1, 50 for 1, 2.5 to 1, $250 or push`);
  };
  const words = (text) => text.trim().replace(/\s+/g, " ");
  const given = (pay) => ({
    odds: fraction(pay.odds), dollars: fraction(pay.dollars), stakeBack: pay.stakeBack,
    shares: pay.shares.map(([name, part]) => [name, fraction(part)]),
    named: pay.named.map(([name, part]) => [name, fraction(part)]),
  });
  // The document's own words are known; anything else is read here.
  const parse = (text, line) =>
    words(text) === words(line.text) ? given(line.pay)
      : words(text).toLowerCase().split(" + ").map(term).reduce(plus);

  const valued = (values, name) => {
    if (!(name in values)) throw new Error(`these pays know no ${name}`);
    if (values[name] === null) throw new Error(`give a value to ${name}`);
    return values[name];
  };
  const returned = (pay, values, prizeReturnsStake) => {
    let total = add(pay.odds, pay.stakeBack ? ONE : ZERO);
    if (pay.dollars.n || pay.shares.length) {
      let prize = pay.dollars;
      for (const [name, part] of pay.shares) prize = add(prize, mul(part, valued(values, name)));
      const stake = valued(values, "stake");
      if (stake.n <= 0n) throw new Error("a stake is above 0");
      total = add(total, div(prize, stake));
      if (prizeReturnsStake && !pay.stakeBack) total = add(total, ONE);
    }
    for (const [name, part] of pay.named) total = add(total, mul(part, valued(values, name)));
    return total;
  };

  // Figures of a paytable whose lines pay ``texts`` at ``values`` (texts by name, or null).
  const figures = (data, texts, values) => {
    const known = Object.create(null);
    for (const [name, text] of Object.entries(values)) {
      if (text !== null && !/^\d[\d,]*(\.\d+)?(\/\d+)?$/.test(text)) throw new Error(`${name}: “${text}” is not a number`);
      known[name] = text === null ? null : fraction(text);
    }
    const pays = data.lines.map((line, i) => parse(texts[i], line));
    const total = BigInt(data.total);
    let mean = ZERO, second = ZERO, hits = 0n;
    const contributions = [];
    for (const outcome of data.outcomes) {
      const weight = BigInt(outcome.weight);
      const chance = ratio(weight, total);
      const pay = outcome.lines.map((i) => pays[i]).reduce(plus, EMPTY);
      const amount = returned(pay, known, outcome.lines.length > 0 && data.prizeReturnsStake);
      const part = mul(chance, amount);
      mean = add(mean, part);
      second = add(second, mul(part, amount));
      contributions.push(part);
      if (pay.dollars.n || pay.shares.length || pay.named.length || above(amount, ONE)) hits += weight;
    }
    const variance = sub(second, mul(mean, mean));
    return {
      return: mean, edge: sub(ONE, mean), hit: ratio(hits, total), variance, deviation: root(variance), contributions,
    };
  };

  const quoted = (text) => JSON.stringify(text).replace(/\x7f/g, "\\u007f");
  // The edited paytable as a file for combin.
  const toml = (data, texts) => {
    const lines = data.lines.map((line, i) => `${quoted(line.outcome)} = ${quoted(words(texts[i]))}`);
    return [...data.notes.map((n) => `# ${n}`), `${data.head}[wager.paytable.${data.name}]`, ...lines, ""].join("\n");
  };

  globalThis.combinWhatIf = { figures, toml, exact, decimal };
  if (typeof document === "undefined") return;

  const element = (tag, props = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), props);
    made.append(...children);
    return made;
  };
  const percent = (a) => `${decimal(mul(a, ratio(100n)), 4)} %`;
  const change = (show, now, first) => {
    const by = sub(now, first);
    return by.n ? `${by.n > 0n ? "+" : ""}${show(by)}` : "";
  };
  const ROWS = [
    ["return", "return to player", percent], ["edge", "house edge", percent], ["hit", "hit frequency", percent],
    ["deviation", "standard deviation", (a) => decimal(a, 8)],
  ];

  const build = (source) => {
    const data = JSON.parse(source.textContent);
    const input = (value, label) => element("input", { value, spellcheck: false, autocomplete: "off", ariaLabel: label });
    const pays = data.lines.map((line) => input(line.text, line.outcome));
    const names = Object.keys(data.values).filter((name) =>
      name === "stake" ? data.lines.some(({ pay }) => pay.dollars !== "0" || pay.shares.length)
        : data.lines.some(({ pay }) => [...pay.shares, ...pay.named].some(([known]) => known === name)));
    const values = names.map((name) => input(data.values[name] ?? "", name));
    const cells = ROWS.map(() => [element("td", { className: "n" }), element("td", { className: "n" })]);
    const note = element("p", { className: "note", role: "status" });
    const read = () => ({
      texts: pays.map((p) => p.value),
      values: { ...data.values, ...Object.fromEntries(names.map((n, i) => [n, values[i].value.trim() || null])) },
    });
    const first = (() => {
      try { return figures(data, data.lines.map((l) => l.text), data.values); } catch { return null; }
    })();
    const update = () => {
      const { texts, values: set } = read();
      pays.forEach((p, i) => p.classList.toggle("edited", words(p.value) !== words(data.lines[i].text)));
      try {
        const now = figures(data, texts, set);
        ROWS.forEach(([key, , show], i) => {
          cells[i][0].textContent = show(now[key]);
          cells[i][1].textContent = first ? change(show, now[key], first[key]) : "";
        });
        note.textContent = `return = ${exact(now.return)}`;
        note.classList.remove("bad");
      } catch (error) {
        cells.flat().forEach((c) => { c.textContent = ""; });
        note.textContent = error.message;
        note.classList.add("bad");
      }
    };
    const button = (words, act) => element("button", { type: "button", onclick: act }, words);
    const file = element("textarea", { readOnly: true, hidden: true, rows: data.lines.length + 4, ariaLabel: "TOML" });
    const form = element("form", { className: "what-if", onsubmit: () => false },
      element("div", { className: "pays" }, ...[...data.lines.map((l) => l.outcome), ...names].map((name, i) =>
        element("label", {}, element("span", {}, name), i < pays.length ? pays[i] : values[i - pays.length]))),
      element("table", {}, element("thead", {}, element("tr", {}, ...["figure", "now", "change"].map((h, i) =>
        element("th", { className: i ? "n" : "" }, h)))), element("tbody", {}, ...ROWS.map(([, name], i) =>
        element("tr", {}, element("th", { scope: "row" }, name), ...cells[i])))),
      note,
      element("div", { className: "buttons" },
        button("Reset", () => {
          pays.forEach((p, i) => { p.value = data.lines[i].text; });
          values.forEach((v, i) => { v.value = data.values[names[i]] ?? ""; });
          file.hidden = true;
          update();
        }),
        button("Copy as TOML", async (event) => {
          file.value = toml(data, read().texts);
          try {
            await navigator.clipboard.writeText(file.value);
            event.target.textContent = "Copied";
            setTimeout(() => { event.target.textContent = "Copy as TOML"; }, 1500);
          } catch { /* a page from a file may have no clipboard: the text is there to be copied */ }
          file.hidden = false;
          file.select();
        })),
      file);
    form.addEventListener("input", update);
    source.after(form);
    update();
  };
  for (const source of document.querySelectorAll("script.what-if")) {
    source.closest("section").hidden = false;
    build(source);
  }
})();
