// SPDX-License-Identifier: BSD-3-Clause
// Figures of the report: a title, a uPlot chart, a caption and the numbers as a table. Text only ever becomes text, never markup.
"use strict";
const figures = (() => {
  const plots = [];
  const builders = [];

  // ---- small helpers
  const element = (name, text, className) => {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    if (className) node.className = className;
    return node;
  };
  const count = (n) => n.toLocaleString("en-US");
  /** Decimals that a step such as 0.25 needs. */
  const digits = (step) => [0, 1, 2, 3, 4, 5, 6, 7].find((n) => Math.abs(step * 10 ** n - Math.round(step * 10 ** n)) < 1e-6) ?? 8;
  const fixed = (value, step) => value.toFixed(digits(step)).replace("-", "\u2212");
  const of = (n, what) => `${count(n)} ${what}${n === 1 ? "" : "s"}`;

  let printing = false;
  const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");
  const colour = (name) => {
    const scheme = darkScheme.matches && !printing ? "dark" : "light";
    return getComputedStyle(document.documentElement).getPropertyValue(`--${scheme}-${name}`).trim();
  };

  const font = (size) => `${size}px system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif`;

  /** A figure: title with n, chart, caption, table of the numbers. `draw(place, width)` returns a uPlot. */
  function figure(id, title, n, caption, table, draw) {
    const node = element("figure", undefined, id === "retention" ? "wide" : "");
    node.id = id;
    const heading = element("h2", `${title} `);
    heading.append(element("span", n, "n"));
    const place = element("div");
    node.append(heading, place, element("figcaption", caption, "caption"));
    if (draw) {
      place.setAttribute("role", "img");
      place.setAttribute("aria-label", `${title}, ${n}. The numbers are in the table below.`);
      builders.push(() => draw(place, printing ? (node.className === "wide" ? 685 : 328) : Math.max(260, node.clientWidth)));
      const details = element("details");
      details.append(element("summary", "Numbers"), scrollTable(table));
      node.append(details);
    } else {
      place.append(element("div", table, "empty"));
    }
    document.getElementById("charts").append(node);
  }

  function scrollTable({ head, rows }) {
    const table = element("table");
    const top = element("tr");
    top.append(...head.map((text) => {
      const cell = element("th", text);
      cell.scope = "col";
      return cell;
    }));
    table.createTHead().append(top);
    const body = table.createTBody();
    for (const cells of rows) {
      const line = element("tr");
      line.append(...cells.map((text) => element("td", text)));
      body.append(line);
    }
    const scroll = element("div", undefined, "scroll");
    scroll.tabIndex = 0;
    scroll.append(table);
    return scroll;
  }

  function axis(label) {
    return {
      label, font: font(11), labelFont: font(12), labelSize: 22, size: 24, gap: 4,
      values: (u, splits, index, space, step) => splits.map((v) => (v === null ? "" : fixed(v, step))),
      stroke: colour("soft"), grid: { stroke: colour("line"), width: 1 }, ticks: { show: false },
    };
  }

  /** x: values, axis label, and a text by index for what is pointed at; y: axis label; stepped: a value holds up to the next x. */
  function chart(place, width, { x, y, series, scales, hooks, stepped }) {
    const pointed = (u, s, k, at) => Math.max(0, Math.min(k - (stepped && at < x.values[k] ? 1 : 0), x.values.length - (stepped ? 2 : 1)));
    const options = {
      width, height: Math.round(Math.min(270, width * 0.58)), padding: [12, 20, 0, 0],
      scales: { x: { time: false, ...(scales && scales.x) }, y: { range: (u, low, high) => [0, Math.max(1, high) * 1.06], ...(scales && scales.y) } },
      axes: [axis(x.axis), { ...axis(y), size: 50, values: (u, splits) => splits.map((n) => (Number.isInteger(n) ? count(n) : "")) }],
      series: [{ label: "at", value: (u, v, s, k) => (k === null || k === undefined ? "" : x.text(k)) }, ...series],
      cursor: { points: { size: 6 }, drag: { x: false, y: false }, dataIdx: pointed },
      legend: { live: true },
      hooks: hooks || {},
    };
    plots.push(new uPlot(options, [x.values, ...series.map((s) => s.counts)], place));
  }

  const line = (label, counts, name, more) => ({
    label, counts, stroke: colour(name), width: 2, points: { show: false },
    value: (u, v) => (v === null || v === undefined ? "" : count(v)), ...more,
  });

  /** Vertical line with a word at its head. */
  function mark(at, word) {
    return {
      draw: [(u) => {
        if (at === null || at === undefined) return;
        const x = Math.round(u.valToPos(at, "x", true));
        const ratio = uPlot.pxRatio;
        const { top, height, left, width } = u.bbox;
        u.ctx.save();
        u.ctx.strokeStyle = u.ctx.fillStyle = colour("ink");
        u.ctx.lineWidth = ratio;
        u.ctx.setLineDash([3 * ratio, 3 * ratio]);
        u.ctx.beginPath();
        u.ctx.moveTo(x, top);
        u.ctx.lineTo(x, top + height);
        u.ctx.stroke();
        u.ctx.font = font(Math.round(11 * ratio));
        u.ctx.textAlign = x > left + width * 0.8 ? "right" : "left";
        u.ctx.textBaseline = "top";
        u.ctx.fillText(word, x + (u.ctx.textAlign === "left" ? 5 : -5) * ratio, top);
        u.ctx.restore();
      }],
    };
  }

  function histogramTable(histogram, unit) {
    const step = histogram.width;
    return {
      head: [`from${unit}`, `to${unit}`, ...histogram.series.map((s) => s.name)],
      rows: histogram.series[0].y.map((_, k) => [
        fixed(histogram.low + k * step, step), fixed(histogram.low + (k + 1) * step, step),
        ...histogram.series.map((s) => count(s.y[k]))]),
    };
  }

  const outsideText = (histogram) => {
    const parts = histogram.series.filter((s) => s.outside > 0).map((s) => `${s.name} ${count(s.outside)}`);
    return parts.length ? ` Outside the axis: ${parts.join(", ")}.` : "";
  };

  /** Stepped outlines of the bins; `styles` by series. */
  function histogramFigure(id, title, n, caption, histogram, xLabel, unit, yLabel, styles, hooks) {
    const step = histogram.width;
    const edges = [...histogram.series[0].y, 0].map((_, k) => histogram.low + k * step);
    figure(id, title, n, caption + outsideText(histogram), histogramTable(histogram, unit ? ` (${unit})` : ""), (place, width) => {
      const stepped = uPlot.paths.stepped({ align: 1 });
      const series = histogram.series.map((s, k) => {
        const { name, filled, dash } = styles[k];
        return line(`${s.name} (${count(s.n)})`, [...s.y, 0], name,
          { paths: stepped, fill: filled ? colour(name) + "2e" : undefined, dash, width: filled ? 1.5 : 2 });
      });
      chart(place, width, {
        x: {
          values: edges, axis: xLabel,
          text: (k) => (k + 1 < edges.length ? `${fixed(edges[k], step)} to ${fixed(edges[k + 1], step)} ${unit}` : ""),
        },
        y: yLabel, series, stepped: true, hooks: hooks && hooks(), scales: { x: { range: [edges[0], edges[edges.length - 1]] } },
      });
    });
  }

  // ---- drawing, again when the scheme, the width or the medium changes
  function draw() {
    plots.splice(0).forEach((plot) => plot.destroy());
    builders.forEach((build) => build());
  }
  darkScheme.addEventListener("change", draw);
  let pending = 0;
  let drawnWidth = document.documentElement.clientWidth;
  window.addEventListener("resize", () => {
    if (printing || drawnWidth === document.documentElement.clientWidth) return;
    drawnWidth = document.documentElement.clientWidth;
    clearTimeout(pending);
    pending = setTimeout(draw, 120);
  });
  window.addEventListener("beforeprint", () => { printing = true; draw(); });
  window.addEventListener("afterprint", () => { printing = false; draw(); });

  return { element, count, fixed, of, colour, figure, chart, line, mark, histogramFigure, draw };
})();
