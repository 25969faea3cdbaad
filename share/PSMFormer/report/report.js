// SPDX-License-Identifier: BSD-3-Clause
// Draws the report from the JSON in the page. Text of the data only ever becomes text, never markup.
"use strict";
(() => {
  const { element, count, fixed, of, colour, figure, chart, line, mark, histogramFigure, draw } = figures;
  const data = JSON.parse(document.getElementById("data").textContent);
  const decoys = data.counts !== undefined;

  // ---- head
  const parameters = data.parameters;
  // Comet writes "# comet_version 2019.01 rev. 5".
  const engineOf = (run) => [run.engine, run.version.replace(/^#\s*\w+\s+/, "")].filter(Boolean).join(" ");
  const engines = [...new Set(data.runs.map(engineOf))];
  document.getElementById("facts").textContent = [
    `${of(data.hits.hits, "hit")} of ${of(data.hits.identifications, "identification")}` +
      (engines.length ? ` by ${engines.join(", ")}` : ""),
    `${count(data.hits.scored)} scored` + (parameters.model ? ` by the model ${parameters.model}` : ""),
    ...(decoys ? [`the best hits are ${of(data.competitors.targets, "target")} and ${of(data.competitors.decoys, "decoy")}`] : []),
  ].join("; ") + ".";
  document.getElementById("runs").hidden = document.getElementById("runs").textContent.trim() === "·";

  const messages = document.getElementById("messages");
  if (data.missing && !data.warnings.some((text) => text.includes(data.missing))) {
    messages.append(element("p", `There are no q-values and no counts: ${data.missing}. Search a database with targets and decoys ` +
      "and run PeptideIndexer before PSMFormer to get them.", "notice"));
  }
  const unscored = Object.entries(data.hits.unscored).map(([reason, n]) => `${reason} ${count(n)}`);
  if (unscored.length) messages.append(element("p", `Hits that could not be scored: ${unscored.join(", ")}.`, "notice"));
  for (const text of data.warnings) messages.append(element("p", text, "notice"));
  for (const text of data.notes) messages.append(element("p", text, "notice quiet"));
  messages.hidden = !messages.hasChildNodes();

  if (decoys) {
    const body = document.querySelector("#counts tbody");
    const row = (label, numbers, className) => {
      const line = element("tr", undefined, className);
      const head = element("th", label);
      head.scope = "row";
      line.append(head, ...numbers.map((text) => element("td", text)));
      body.append(line);
    };
    const four = (entry) => [entry.d_t[0], entry.plus_one[0], entry.d_t[1], entry.plus_one[1]];
    data.counts.forEach((entry, k) =>
      row(entry.label, four(entry).map(count), k === data.counts.length - 1 ? "main" : ""));
    if (data.accepted.curves.length > 1) {
      const before = four(data.counts[0]);
      row("difference", four(data.counts[data.counts.length - 1]).map((n, k) =>
        (n > before[k] ? "+" : n < before[k] ? "\u2212" : "\u00b1") + count(Math.abs(n - before[k]))), "change");
    }
    document.getElementById("counts").hidden = false;
  }

  // ---- charts
  const total = (histogram) => histogram.series.reduce((sum, s) => sum + s.n, 0);
  const nothing = (id, title, why) => figure(id, title, "n = 0", "", why);
  const TARGETS_AND_DECOYS = [{ name: "blue", filled: true }, { name: "orange", filled: true, dash: [5, 3] }];

  data.scores.forEach((histogram, k) => {
    const id = k === data.scores.length - 1 ? "score-after" : "score-before";
    const title = `Score of ${histogram.label}`;
    if (total(histogram) === 0) {
      nothing(id, title, "No hit has a score.");
      return;
    }
    const words = decoys
      ? "Best hit of each identification. Hits right of the dashed line are accepted at 1\u00a0% FDR (D / T)" +
        (histogram.threshold === null ? "; here none is." : ".")
      : "Best hit of each identification.";
    histogramFigure(id, title, `n = ${count(total(histogram))}`, words, histogram,
      histogram.axis === "PSMFormer:score" ? "PSMFormer:score (no unit)" : `${histogram.axis} (no unit)`, "", "PSMs per bin", TARGETS_AND_DECOYS,
      () => mark(histogram.threshold, "1\u00a0% FDR"));
  });

  function lineStyles(entries) {
    return entries.map((_, k) => (k === entries.length - 1 ? { name: "blue" } : { name: "green", dash: [6, 3] }));
  }

  if (decoys) {
    const { step, curves } = data.accepted;
    const highest = Math.max(1, ...curves.flatMap((c) => [...c.d_t, ...c.plus_one]));
    for (const [key, formula] of [["d_t", "D / T"], ["plus_one", "(D + 1) / T"]]) {
      const q = curves[0][key].map((_, k) => 100 * k * step);
      figure(`accepted-${key}`, `PSMs against q-value, ${formula}`, `n = ${count(data.competitors.all)}`,
        key === "d_t" ? "Target PSMs with at most this q-value, the estimate that FalseDiscoveryRate and IDFilter apply."
          : "The same with the estimate that controls the FDR; it needs 1 / q accepted targets before it can reach q.",
        { head: ["q-value (%)", ...curves.map((c) => c.label)], rows: q.map((x, k) => [x.toFixed(2), ...curves.map((c) => count(c[key][k]))]) },
        (place, width) => chart(place, width, {
          x: { values: q, axis: "q-value (%)", text: (k) => `${q[k].toFixed(2)} %` }, y: "accepted target PSMs", stepped: true,
          series: curves.map((c, k) => line(c.label, c[key], lineStyles(curves)[k].name,
            { dash: lineStyles(curves)[k].dash, paths: uPlot.paths.stepped({ align: 1 }) })),
          scales: { x: { range: [0, 100 * step * (q.length - 1)] }, y: { range: [0, highest * 1.06] } },
          hooks: mark(1, "1\u00a0%"),
        }));
    }
    peptideFigure(100 * step);
    errorFigure();
  }

  function peptideFigure(step) {
    const psms = data.accepted.curves[data.accepted.curves.length - 1].plus_one;
    const { n, plus_one: peptides } = data.peptides;
    const q = peptides.map((_, k) => k * step);
    const at = (percent) => count(peptides[Math.round(percent / step)]);
    figure("peptides", "Peptides against q-value", `n = ${count(n)}`,
      `Target peptidoforms (sequence with modifications) with at most this PSMFormer:peptide_q-value, (D + 1) / T: ${at(1)} at 1\u00a0% FDR, ${at(5)} at 5\u00a0%. ` +
        "The best PSM of each competes, first with its decoy where the two are known.",
      { head: ["q-value (%)", "peptidoforms", "PSMs"], rows: q.map((x, k) => [x.toFixed(2), count(peptides[k]), count(psms[k])]) },
      (place, width) => chart(place, width, {
        x: { values: q, axis: "q-value (%)", text: (k) => `${q[k].toFixed(2)} %` }, y: "accepted targets", stepped: true,
        series: [line("PSMs", psms, "grey", { dash: [6, 3], paths: uPlot.paths.stepped({ align: 1 }) }),
          line("peptidoforms", peptides, "blue", { paths: uPlot.paths.stepped({ align: 1 }) })],
        scales: { x: { range: [0, step * (q.length - 1)] }, y: { range: [0, Math.max(1, ...psms, ...peptides) * 1.06] } },
        hooks: mark(1, "1\u00a0%"),
      }));
  }

  /** q-value and PEP of the best hits, in per cent, against their score. */
  function errorFigure() {
    const title = "PEP and q-value against score";
    if (data.errors === null) {
      nothing("errors", title, "Each run has PEPs and q-values of its own (per_run).");
      return;
    }
    if (data.errors.score.length === 0) {
      nothing("errors", title, "No hit has a score.");
      return;
    }
    const rising = (values, factor) => values.map((v) => factor * v).reverse();
    const score = rising(data.errors.score, 1);
    const q = rising(data.errors.q_value, 100);
    const pep = rising(data.errors.posterior_error, 100);
    const percent = (v) => `${v.toFixed(3)} %`;
    const value = (u, v) => (v === null || v === undefined ? "" : percent(v));
    const last = data.errors.at_threshold;
    figure("errors", title, `n = ${count(data.competitors.all)}`,
      "PEP is the probability that this very PSM is wrong, the q-value the share of wrong ones among all that score as well or better. " +
        (last === null ? "No PSM has a PSMFormer:q-value of 1\u00a0% or less." : `Targets with a PSMFormer:q-value of at most 1\u00a0% have a PEP of at most ${(100 * last).toFixed(1)} %.`),
      { head: ["PSMFormer:score", "q-value", "PEP"], rows: score.map((x, k) => [fixed(x, 1e-4), percent(q[k]), percent(pep[k])]) },
      (place, width) => chart(place, width, {
        x: { values: score, axis: "PSMFormer:score (no unit)", text: (k) => fixed(score[k], 1e-4) }, y: "error (%)",
        series: [line("q-value", q, "green", { dash: [6, 3], value }), line("PEP", pep, "blue", { value })],
        scales: { x: { range: score.length > 1 ? [score[0], score[score.length - 1]] : [score[0] - 1, score[0] + 1] }, y: { range: [0, 106] } },
      }));
  }

  {
    const histogram = data.retention;
    const all = histogram.series[0];
    all.name = decoys ? "all identifications" : "scored";
    if (all.n === 0) {
      nothing("retention", "PSMs over retention time", "No identification has a retention time.");
    } else {
      const accepted = histogram.series[histogram.series.length - 1];
      const styles = histogram.series.map((_, k) => (k === 0 ? { name: "grey", filled: true }
        : k === histogram.series.length - 1 ? { name: "blue" } : { name: "green", dash: [6, 3] }));
      if (!decoys) styles[0] = { name: "blue", filled: true };
      histogramFigure("retention", decoys ? "Identified PSMs over retention time" : "PSMs over retention time",
        decoys ? `n = ${count(accepted.n)} of ${count(all.n)}` : `n = ${count(all.n)}`,
        decoys ? "Target PSMs accepted at 1\u00a0% FDR (D / T) among all identifications with a score." : "Best hit of each identification.",
        histogram, "retention time (min)", "min", "PSMs per bin", styles);
    }
  }

  /** The range of targets among which 95 % of cases lie when `n` decoys stand for as many false targets. */
  const chance = (n) => [-1, 1].map((sign) => Math.max(0, n + sign * 1.96 * Math.sqrt(2 * n)));

  if (decoys) {
    data.calibration.forEach((curve, k, all) => {
      const last = k === all.length - 1;
      // One y for each x: of the points with equally many decoys the highest.
      const targets = new Map(curve.decoys.map((n, i) => [n, curve.targets[i]]));
      const x = [...targets.keys()];
      const band = x.map(chance);
      const highest = x[x.length - 1];
      const shade = (u) => {
        const { ctx, bbox } = u;
        const place = (n, y) => [u.valToPos(n, "x", true), u.valToPos(y, "y", true)];
        ctx.save();
        ctx.beginPath();
        ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
        ctx.clip();
        ctx.beginPath();
        x.forEach((n, i) => ctx.lineTo(...place(n, band[i][1])));
        [...x].reverse().forEach((n, i) => ctx.lineTo(...place(n, band[x.length - 1 - i][0])));
        ctx.fillStyle = colour("band");
        ctx.fill();
        ctx.restore();
      };
      figure(last ? "calibration-after" : "calibration-before", `Calibration of ${curve.label}`,
        `n = ${count(highest + curve.targets[curve.targets.length - 1])}`,
        k > 0 ? "The same after rescoring."
          : "Counted from the lowest score up, where hits are false. The slope is the ratio of false targets to decoys, which q-values take " +
            "to be 1 (grey: 95\u00a0% of what chance allows then). A flatter curve says that they are too large, a steeper one that they are " +
            "too small; a bend before correct hits turn it upwards, that decoys score otherwise than false targets. This tests what q-values " +
            "assume; it does not measure the FDR.",
        { head: ["decoys", "targets"], rows: curve.decoys.map((n, i) => [count(n), count(curve.targets[i])]) },
        (place, width) => chart(place, width, {
          x: { values: x, axis: "decoys up to a score", text: (i) => of(x[i], "decoy") }, y: "targets up to it",
          series: [
            { label: "95\u00a0% of chance", counts: band.map(([low]) => low), stroke: colour("grey"), width: 0, points: { show: false },
              value: (u, v, s, i) => (i === null || i === undefined ? "" : `${count(Math.ceil(band[i][0]))} to ${count(Math.floor(band[i][1]))}`) },
            line("targets", [...targets.values()], last ? "blue" : "green", { width: 2.2 })],
          scales: { x: { range: [0, Math.max(1, highest)] }, y: { range: [0, Math.max(5, 1.6 * highest)] } },
          hooks: { drawClear: [shade] },
        }));
    });
  }

  const ERRORS = [
    ["precursor", "Precursor error", "precursor error", "Measured against calculated mass, after the isotope offset."],
    ["fragment", "Fragment error", "median fragment error", "Median over the matched ions of a PSM."],
  ];
  for (const [key, title, label, words] of ERRORS) {
    const histogram = data[key];
    if (!histogram || total(histogram) === 0) {
      nothing(key, title, "The hits have no such error, or their runs have tolerances of different units.");
      continue;
    }
    const unit = histogram.unit;
    const first = histogram.series[0];
    const middle = histogram.median === null ? "" : ` Median of the ${decoys ? "accepted" : "hits"}: ${fixed(histogram.median, histogram.width / 10)} ${unit}.`;
    if (decoys) first.name = "accepted at 1\u00a0% FDR";
    const n = decoys ? `n = ${count(first.n)} accepted, ${of(histogram.series[1].n, "decoy")}` : `n = ${count(first.n)}`;
    histogramFigure(key, title, n, words + middle, histogram, `${label} (${unit})`, unit, "PSMs per bin",
      TARGETS_AND_DECOYS);
  }

  // ---- parameters
  const pairs = document.querySelector("#parameters tbody");
  const pair = (name, value) => {
    const row = element("tr");
    const head = element("th", name);
    head.scope = "row";
    row.append(head, element("td", value));
    pairs.append(row);
  };
  data.runs.forEach((run, k) => {
    const which = data.runs.length > 1 ? ` ${k + 1}` : "";
    pair(`search${which}`, engineOf(run) + (run.database ? `, database ${run.database}` : ""));
  });
  for (const [name, value] of Object.entries(parameters)) pair(name.replace(/_/g, " "), value);
  document.getElementById("parameters").hidden = !pairs.hasChildNodes();

  draw();
})();
