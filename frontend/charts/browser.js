// The chart runtime of the page: `inlayCharts.mount(element, optionJson, { locale, onClick })`.

import { getMap, init, registerMap, setPlatformAPI } from "./core.js";
import { isInter, textWidth } from "./measure.js";
import { prepare } from "./prepare.js";
import { tooltip } from "./tooltip.js";

const COMMON = new Set(["line", "bar", "pie", "scatter"]);
/** Milliseconds: quick enough to follow, slow enough to see. */
const MOTION = 180;

const context = document.createElement("canvas").getContext("2d");
setPlatformAPI({
  measureText(line, font) {
    if (isInter(font) || !context) return { width: textWidth(line, font) };
    context.font = font;
    return context.measureText(line);
  },
});

const still = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
const isRare = (spec) => spec.series.some((series) => !COMMON.has(series.type)) || spec.visualMap || spec.geo || spec.calendar;
const hasMark = (spec) => spec.series.some((series) => series.markLine);
/** What has to be the same for a chart to move from its old state to the new one instead of being drawn anew. */
const shape = (spec) => JSON.stringify([spec.$land, spec.color, spec.series.map(({ id, type, stack, markLine }) => [id, type, stack, !!markLine])]);

const clickOf = (mark) => ({
  series: mark.seriesName ?? "",
  name: String(mark.name ?? "").replaceAll("\u200b", ""),
  value: mark.value,
  dataIndex: mark.dataIndex,
});

class Handle {
  #element;
  #root;
  #chart;
  #wanted;
  #spec;
  #shape = "";
  #onClick;
  #observer;
  #size = [0, 0];
  #gone = false;
  #settle;
  /** Loads what a picture of the server waits for; undefined when nothing waits. */
  #waiting;

  constructor(element, json, { onClick } = {}) {
    this.#element = element;
    this.#onClick = onClick;
    this.update(json);
    this.#observer = new ResizeObserver(() => this.resize());
    this.#observer.observe(element);
  }

  /** Shows another option. */
  update(json) {
    const spec = typeof json === "string" ? JSON.parse(json) : json;
    this.#wanted = spec;
    this.#waiting = undefined;
    // What the server drew, or the old picture, stays until the parts of ECharts that this chart needs are there.
    const parts = [
      spec.$land && (() => import("./land.js")),
      isRare(spec) && (() => import("./more.js")),
      hasMark(spec) && (() => import("./mark.js")),
    ];
    if (!parts.some(Boolean)) return this.#show(spec);
    const first = !this.#observer;
    const load = () => this.#load(spec, parts);
    if (first && this.#fits()) this.#wait(load);
    else load();
  }

  /** Leaves the server's picture until somebody comes near it: its parts of ECharts are then loaded, not before. */
  #wait(load) {
    const figure = this.#element.closest("figure") ?? this.#element;
    const stop = new AbortController();
    this.#waiting = () => {
      this.#waiting = undefined;
      stop.abort();
      load();
    };
    for (const kind of ["pointerenter", "focusin"]) figure.addEventListener(kind, () => this.#waiting?.(), { signal: stop.signal });
  }

  /** Whether the server drew a picture here of about the size that it is shown at. */
  #fits() {
    const box = this.#element.querySelector("svg[viewBox]")?.viewBox.baseVal;
    const [width, height] = this.#measure();
    const near = (drawn, shown) => Math.abs(drawn - shown) <= shown * 0.12;
    return !!box && near(box.width, width) && near(box.height, height);
  }

  #load(spec, parts) {
    Promise.all(parts.map((part) => part && part())).then(
      ([land]) => this.#show(spec, land?.settle),
      // Without it the page keeps the picture that it has; the next update tries again.
      (problem) => console.warn("A part of the chart library did not load.", problem),
    );
  }

  #show(spec, settle) {
    if (this.#gone || this.#wanted !== spec) return;
    this.#spec = spec;
    this.#settle = settle;
    this.#draw();
  }

  /** Fits the chart to its element. The page need not call this: the element is watched. */
  resize() {
    const [width, height] = this.#measure();
    if (this.#waiting && width > 0 && !this.#fits()) return this.#waiting();
    if (!this.#chart || width === 0 || height === 0) return this.#draw();
    if (width === this.#size[0] && height === this.#size[1]) return;
    this.#chart.resize({ width, height, silent: true });
    this.#draw();
  }

  /** The picture as SVG text, for `Download image`. */
  svg() {
    return this.#chart?.getZr().painter.renderToString({ useViewBox: true, cssAnimation: false, cssEmphasis: false }) ?? "";
  }

  /** Ends it; the element keeps nothing of it. */
  dispose() {
    this.#gone = true;
    this.#waiting = undefined;
    this.#observer?.disconnect();
    this.#chart?.dispose();
    this.#root?.remove();
    this.#chart = undefined;
  }

  #measure() {
    return [Math.round(this.#element.clientWidth), Math.round(this.#element.clientHeight)];
  }

  #draw() {
    const [width, height] = this.#measure();
    // An element that is not laid out yet is drawn when its size is known.
    if (this.#gone || !this.#spec || width === 0 || height === 0) return;
    const spec = this.#spec;
    const option = prepare(spec, width, height, tooltip);
    this.#settle?.({ getMap, registerMap }, option, spec);
    const first = !this.#chart;
    const next = shape(spec);
    const moves = !first && next === this.#shape && this.#size[0] === width && this.#size[1] === height && !still();
    Object.assign(option, { animation: moves, animationDuration: 0, animationDurationUpdate: MOTION, animationEasingUpdate: "cubicOut" });
    if (first) this.#begin(width, height);
    this.#chart.setOption(option, { notMerge: !moves, replaceMerge: moves ? ["xAxis", "yAxis", "legend", "visualMap"] : undefined });
    this.#size = [width, height];
    this.#shape = next;
    if (first) this.#take();
  }

  #begin(width, height) {
    this.#root = document.createElement("div");
    Object.assign(this.#root.style, { position: "absolute", inset: "0", visibility: "hidden" });
    if (getComputedStyle(this.#element).position === "static") this.#element.style.position = "relative";
    this.#element.append(this.#root);
    this.#chart = init(this.#root, null, { renderer: "svg", width, height });
    this.#chart.on("click", (mark) => this.#onClick?.(clickOf(mark)));
  }

  /** Puts the drawn chart in the place of what the server drew, in one step. */
  #take() {
    this.#chart.getZr().flush();
    this.#root.style.visibility = "";
    this.#element.replaceChildren(this.#root);
  }
}

/** Draws a chart into an element that has a size; a picture that the server drew there is replaced without a flash. */
export function mount(element, json, options) {
  return new Handle(element, json, options);
}

globalThis.inlayCharts = { mount };
