"use strict";
(() => {
  const $ = (q, e) => Array.from((e || document).querySelectorAll(q));

  /* ---- tables ---- */

  const value = (cell) => {
    if (!cell) return "";
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    const text = cell.textContent.trim();
    const plain = text.replace(/,/g, "");
    return plain !== "" && Number.isFinite(Number(plain)) ? Number(plain) : text;
  };

  /* Numbers before texts, empty ones last whatever the direction; ties stay. */
  const compare = (a, b, sign) => {
    const none = (v) => v === "" || v === "\u2013";
    if (none(a) || none(b)) return none(a) - none(b);
    if (typeof a !== typeof b) return sign * (typeof a === "number" ? -1 : 1);
    if (typeof a === "number") return sign * (a - b);
    return sign * (a < b ? -1 : a > b ? 1 : 0);
  };

  const sort = (table, column) => {
    const heads = $("thead th", table), head = heads[column];
    const first = head.classList.contains("num") ? "descending" : "ascending";
    const other = first === "ascending" ? "descending" : "ascending";
    const to = head.getAttribute("aria-sort") === first ? other : first;
    const sign = to === "ascending" ? 1 : -1;
    const body = table.tBodies[0];
    const rows = Array.from(body.rows).filter((r) => !r.classList.contains("sum"));
    const keys = rows.map((row, i) => ({ row, i, v: value(row.cells[column]) }));

    heads.forEach((h) => h.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", to);
    keys.sort((a, b) => compare(a.v, b.v, sign) || a.i - b.i);
    const last = $("tr.sum", body)[0] || null;
    keys.forEach((k) => body.insertBefore(k.row, last));
  };

  $("table.sortable").forEach((table) =>
    $("thead th", table).forEach((head, i) =>
      $("button", head).forEach((b) => b.addEventListener("click", () => sort(table, i)))));

  /* Rows that have every word; groups without rows go with them. */
  const filter = (tools) => {
    const table = document.getElementById(tools.dataset.table);
    const search = $("input[type=search]", tools)[0];
    const words = search ? search.value.toLowerCase().split(/\s+/) : [];
    const zeros = $("input[type=checkbox]", tools)[0];
    let shown = 0, all = 0;

    Array.from(table.tBodies).forEach((body) => {
      let any = false;
      Array.from(body.rows).forEach((row) => {
        if (row.querySelector("th[scope=rowgroup]")) return;
        const text = row.textContent.toLowerCase();
        const hidden = !words.every((w) => text.includes(w)) ||
          (zeros && !zeros.checked && row.dataset.zero !== undefined);
        row.hidden = hidden;
        any = any || !hidden;
        all++;
        shown += !hidden;
      });
      $("th[scope=rowgroup]", body).forEach((h) => { h.parentElement.hidden = !any; });
    });
    $("output", tools).forEach((o) => { o.textContent = `${shown} of ${all}`; });
  };

  $(".tools").forEach((tools) => {
    tools.hidden = false;
    $("input", tools).forEach((i) => i.addEventListener("input", () => filter(tools)));
    filter(tools);
  });

  /* ---- what lies under the pointer ---- */

  const tip = document.getElementById("tip");
  const short = (v) => typeof v !== "number" ? String(v) :
    Number.isInteger(v) ? v.toLocaleString("en-US") : String(Number(v.toPrecision(4)));

  const steps = (d, x) => {
    const i = Math.floor((x - d.x[0]) / (d.x[1] - d.x[0]) * d.n);
    if (i < 0 || i >= d.n) return null;
    const head = d.names ? `${d.what} ${d.names[i]}` :
      `${d.what} ${short(d.from + i * d.step)} to ${short(d.from + (i + 1) * d.step)}`;
    return { at: d.x[0] + (i + 0.5) / d.n * (d.x[1] - d.x[0]), head,
      lines: d.series.map((s) => `${s[0]}: ${short(s[2][i])} ${s[1]}`) };
  };

  const grid = (d, x, y) => {
    const i = Math.floor((x - d.x[0]) / (d.x[1] - d.x[0]) * d.n);
    const r = Math.floor((y - d.y[0]) / (d.y[1] - d.y[0]) * d.rows.length);
    if (i < 0 || i >= d.n || r < 0 || r >= d.rows.length) return null;
    const where = d.names ? `${d.what} ${d.names[i]}` :
      `${d.what} ${short(d.from + i * d.step)} to ${short(d.from + (i + 1) * d.step)}`;
    const v = d.v[r][i];
    return { head: `${d.row} ${d.rows[r]}`,
      lines: [where, v === null ? "no value" : `${short(v)} ${d.unit}`] };
  };

  const nearest = (d, x, y) => {
    let best = null, least = 30 * 30;
    d.points.forEach((p) => {
      const far = (p[0] - x) ** 2 + (p[1] - y) ** 2;
      if (far < least) { least = far; best = p; }
    });
    return best && { at: best[0], head: best[2], lines: best.slice(3) };
  };

  const show = (svg, event) => {
    const d = svg.hover || (svg.hover = JSON.parse(
      document.getElementById(svg.dataset.hover).textContent));
    const box = svg.getBoundingClientRect(), view = svg.viewBox.baseVal;
    const x = (event.clientX - box.left) / box.width * view.width;
    const y = (event.clientY - box.top) / box.height * view.height;
    const found = { steps, grid, nearest }[d.kind](d, x, y);
    let line = svg.querySelector(".cursor");

    tip.hidden = !found;
    if (line) line.remove();
    if (!found) return;
    tip.replaceChildren();
    const head = document.createElement("b");
    head.textContent = found.head;
    tip.append(head, ...found.lines.map((l) => `\n${l}`));
    if (found.at !== undefined && d.kind === "steps") {
      line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.setAttribute("class", "cursor");
      line.setAttribute("d", `M${found.at} ${d.y[0]}V${d.y[1]}`);
      svg.append(line);
    }
    const right = event.pageX + 16 + tip.offsetWidth >
      window.scrollX + document.documentElement.clientWidth;
    tip.style.left = `${right ? event.pageX - 16 - tip.offsetWidth : event.pageX + 16}px`;
    tip.style.top = `${event.pageY + 14}px`;
  };

  $("svg[data-hover]").forEach((svg) => {
    svg.addEventListener("pointermove", (e) => show(svg, e));
    svg.addEventListener("pointerleave", () => {
      tip.hidden = true;
      $(".cursor", svg).forEach((l) => l.remove());
    });
  });

  /* ---- does it work? #selftest clicks, points and types, and says what came of it ---- */

  const selftest = () => {
    const wrong = [];
    const check = (ok, what) => { if (!ok) wrong.push(what); };
    const order = (table, column) => Array.from(table.tBodies[0].rows)
      .filter((r) => !r.classList.contains("sum")).map((r) => value(r.cells[column]));
    const empty = (x) => x === "" || x === "\u2013";
    const sorted = (v, up) => v.every((x, i) => {
      const before = v[i - 1];
      if (i === 0 || empty(x)) return true;
      if (empty(before)) return false;
      if (typeof before !== typeof x) return (typeof before === "number") === up;
      return up ? before <= x : before >= x;
    });
    const tables = $("table.sortable"), charts = $("svg[data-hover]");
    let clicks = 0;

    tables.forEach((table) => {
      const heads = $("thead th", table);
      heads.forEach((head, i) => {
        const before = order(table, i).map(String).sort().join("\n");
        ["first", "second"].forEach((time) => {
          $("button", head)[0].click();
          clicks++;
          const to = head.getAttribute("aria-sort");
          const v = order(table, i);
          check(to === "ascending" || to === "descending", `${table.id}: no direction`);
          check(sorted(v, to === "ascending"), `${table.id}: column ${i} ${time}`);
          check(v.map(String).sort().join("\n") === before, `${table.id}: rows changed`);
          check(heads.filter((h) => h.hasAttribute("aria-sort")).length === 1,
            `${table.id}: two directions`);
        });
      });
    });
    charts.forEach((svg) => {
      const box = svg.getBoundingClientRect();
      let told = 0;
      for (let i = 1; i < 60; i++) {
        for (const y of [0.3, 0.5, 0.7]) {
          show(svg, { clientX: box.left + box.width * i / 60, pageX: 0, pageY: 0,
            clientY: box.top + box.height * y });
          told += !tip.hidden && tip.textContent.length > 0;
        }
      }
      check(told > 0, `${svg.dataset.hover}: silent`);
      check(!/undefined|NaN/.test(tip.textContent), `${svg.dataset.hover}: ${tip.textContent}`);
      svg.dispatchEvent(new Event("pointerleave"));
    });
    $("svg").forEach((svg) => {
      const box = svg.getBoundingClientRect();
      $("text", svg).forEach((word) => {
        const r = word.getBoundingClientRect();
        check(r.left >= box.left - 1 && r.right <= box.right + 1 && r.top >= box.top - 2 &&
          r.bottom <= box.bottom + 2,
          `${svg.getAttribute("aria-label")}: "${word.textContent}" is cut`);
      });
    });
    const root = document.documentElement;
    check(root.scrollWidth <= root.clientWidth, "the page is wider than its window");
    $(".tools").forEach((tools) => {
      const search = $("input[type=search]", tools)[0], said = () => $("output", tools)[0].textContent;
      const before = said();
      search.value = "no such words here";
      search.dispatchEvent(new Event("input"));
      check(said().startsWith("0 of "), `${tools.dataset.table}: filter`);
      search.value = "";
      search.dispatchEvent(new Event("input"));
      check(said() === before, `${tools.dataset.table}: filter undone`);
    });
    const result = document.createElement("p");
    result.id = "selftest";
    result.textContent = wrong.length ? `selftest failed: ${wrong.join("; ")}` :
      `selftest passed: ${tables.length} tables, ${clicks} clicks, ${charts.length} charts`;
    document.body.append(result);
  };
  if (location.hash === "#selftest") selftest();
})();
