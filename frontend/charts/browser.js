// The chart runtime of the page: `inlayCharts.mount(element, optionJson, { redraw, onClick })`.

import { getMap, init, registerMap, setPlatformAPI } from './core.js';
import { isInter, textWidth } from './measure.js';
import { prepare } from './prepare.js';
import { tooltip } from './tooltip.js';

const COMMON = new Set(['line', 'bar', 'pie', 'scatter']);
/** The duration of transitions, in milliseconds. */
const MOTION = 180;
/** The longest that a chart waits for the browser to have nothing else to do, in milliseconds. */
const IDLE = 2000;
/** A lower element does not scroll its chart, in CSS pixels. */
const LEAST_SCROLLED = 64;
/** Milliseconds without a change of size before the server is asked for another picture. */
const REST = 150;

const context = document.createElement('canvas').getContext('2d');
setPlatformAPI({
  measureText(line, font) {
    if (isInter(font) || !context) return { width: textWidth(line, font) };
    context.font = font ?? '';
    return context.measureText(line);
  },
});

const still = () => globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;
const isRare = (spec) => spec.series.some((series) => !COMMON.has(series.type)) || spec.visualMap || spec.geo || spec.calendar;
const hasMark = (spec) => spec.series.some((series) => series.markLine);
/** What must be equal for a transition from the old option to the new one. Otherwise the chart is drawn from scratch. */
const shape = (spec) =>
  JSON.stringify([spec.$land, spec.color, spec.series.map(({ id, type, stack, markLine }) => [id, type, stack, !!markLine])]);

/**
 * Identifies a mark. A heatmap's cell only has the name of its column, since its row is on the other axis; a day of a calendar
 * has no name.
 */
const clickOf = (mark, { calendar, yAxis }) => {
  const values = [mark.value].flat();
  const row = mark.seriesType === 'heatmap' && !calendar ? [yAxis].flat()[0]?.data?.[values[1]] : undefined;
  return {
    series: String(row ?? mark.seriesName ?? ''),
    name: String((calendar ? values[0] : mark.name) ?? '').replaceAll('\u200b', ''),
    /** The mark's position on a time axis. */
    moment: values.find((at) => typeof at === 'number' && at > 1e10),
  };
};

/** Charts whose server picture is as good for now. They are drawn in their order, each when there is nothing else to do. */
const later = new Set();
const idle = globalThis.requestIdleCallback ?? ((call) => setTimeout(call, 1));
let asked = false;

function drawLater(draw) {
  later.add(draw);
  if (asked) return;
  asked = true;
  const one = () => {
    const [next] = later;
    later.delete(next);
    next?.();
    asked = later.size > 0;
    if (asked) idle(one, { timeout: IDLE });
  };
  idle(one, { timeout: IDLE });
}

class Handle {
  #element;
  #root;
  #chart;
  #wanted;
  #spec;
  #shape = '';
  #onClick;
  #redraw;
  #observer;
  #size = [0, 0];
  #gone = false;
  #settle;
  /** Draws the chart, if the server's picture stays until there is nothing else to do. */
  #later;
  /** Loads what this chart needs and draws it. Undefined if nothing waits for it. */
  #waiting;
  /** Whether the viewer came near the chart. From then on the browser draws it. */
  #near = false;
  /** Whether the server's picture shows other rows than the chart has. */
  #stale = false;
  #timer;

  /** @param {HTMLElement} element @param {string | object} json @param {{ onClick?: Function, redraw?: (width: number, height: number) => Promise<string | undefined> }} [calls] */
  constructor(element, json, { onClick, redraw } = {}) {
    this.#element = element;
    this.#onClick = onClick;
    this.#redraw = redraw;
    this.update(json);
    this.#observer = new ResizeObserver(() => this.resize());
    this.#observer.observe(element);
    const near = () => this.#approach();
    const figure = element.closest('figure') ?? element;
    for (const kind of ['pointerenter', 'focusin']) figure.addEventListener(kind, near, { once: true });
  }

  /** Shows another option. */
  update(json) {
    const spec = typeof json === 'string' ? JSON.parse(json) : json;
    const first = !this.#wanted;
    this.#wanted = spec;
    this.#waiting = undefined;
    this.#atOnce();
    // The old picture stays until the parts of ECharts that this chart needs are loaded.
    const parts = [
      spec.$land ? () => import('./land.js') : undefined,
      isRare(spec) ? () => import('./more.js') : undefined,
      hasMark(spec) ? () => import('./mark.js') : undefined,
    ];
    if (!parts.some(Boolean)) return first && !this.#near && this.#fits() ? this.#showLater(spec) : this.#show(spec);
    const load = () => this.#load(spec, parts);
    if (this.#near || this.#chart || !this.#redraw) return load();
    // The server's picture stays until the viewer comes near, so that a page without interaction loads no chart library.
    this.#waiting = load;
    this.#stale = !first;
    void this.#ask();
  }

  #approach() {
    this.#near = true;
    this.#later?.();
    this.#waiting?.();
    this.#waiting = undefined;
  }

  /** Asks the server for a picture of the current chart, unless the present one is current. */
  async #ask() {
    const [width, height] = this.#measure();
    if (width === 0 || height === 0 || (!this.#stale && this.#fits())) return;
    const spec = this.#wanted;
    this.#element.classList.toggle('stale', this.#stale);
    const picture = await this.#redraw?.(width, height).catch(() => undefined);
    if (!this.#waiting || this.#wanted !== spec) return;
    if (!picture) return this.#approach();
    this.#stale = false;
    this.#element.classList.remove('stale');
    this.#element.innerHTML = picture;
  }

  /** Whether the element shows a server picture of about the displayed size. */
  #fits() {
    /** @type {SVGSVGElement | null} */
    const picture = this.#element.querySelector('svg[viewBox]');
    const box = picture?.viewBox.baseVal;
    const [width, height] = this.#measure();
    const near = (drawn, shown) => Math.abs(drawn - shown) <= shown * 0.05;
    return !!box && near(box.width, width) && near(box.height, height);
  }

  #load(spec, parts) {
    Promise.all(parts.map((part) => part?.())).then(
      ([land]) => this.#show(spec, land?.settle),
      // Without it the page keeps its picture. The next update tries again.
      (problem) => console.warn('A part of the chart library did not load.', problem),
    );
  }

  #show(spec, settle) {
    if (this.#gone || this.#wanted !== spec) return;
    this.#spec = spec;
    this.#settle = settle;
    this.#draw();
  }

  #showLater(spec) {
    const draw = () => {
      this.#atOnce();
      this.#show(spec);
    };
    this.#later = draw;
    drawLater(draw);
  }

  /** Nothing is drawn later any more. */
  #atOnce() {
    later.delete(this.#later);
    this.#later = undefined;
  }

  /** Fits the chart to its element. The page need not call this, since the element is observed. */
  resize() {
    const [width, height] = this.#measure();
    if (this.#waiting) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#waiting && this.#ask(), REST);
      return;
    }
    if (this.#later) return this.#fits() ? undefined : this.#later();
    if (!this.#chart || width === 0 || height === 0) return this.#draw();
    if (width === this.#size[0] && height === this.#size[1]) return;
    this.#draw();
  }

  /** The picture as SVG text, for `Download image`. */
  svg() {
    const [width, height] = this.#measure();
    return (
      this.#chart?.getZr().painter.renderToString({ useViewBox: true, cssAnimation: false, cssEmphasis: false }) ??
      this.#element.innerHTML.replace('width="100%" height="100%"', `width="${width}" height="${height}"`)
    );
  }

  /** Removes the chart from the element. */
  dispose() {
    this.#gone = true;
    this.#waiting = undefined;
    this.#atOnce();
    clearTimeout(this.#timer);
    this.#observer?.disconnect();
    this.#chart?.dispose();
    this.#root?.remove();
    this.#chart = undefined;
  }

  #measure() {
    return [Math.round(this.#element.clientWidth), Math.round(this.#element.clientHeight)];
  }

  #draw() {
    const [width, shown] = this.#measure();
    // An element without a layout is drawn once its size is known.
    if (this.#gone || !this.#spec || width === 0 || shown === 0) return;
    const spec = this.#spec;
    const height = shown < LEAST_SCROLLED ? shown : Math.max(shown, spec.$tall ?? 0);
    const option = prepare(spec, width, height, tooltip);
    this.#scroll(height > shown && option.tooltip);
    this.#settle?.({ getMap, registerMap }, option, spec, width);
    // The library shows a hand over every mark.
    if (!this.#onClick) for (const series of option.series) series.cursor = 'default';
    const first = !this.#chart;
    const next = shape(spec);
    const fits = this.#chart?.getWidth() === width && this.#chart.getHeight() === height;
    const moves = fits && next === this.#shape && !still();
    Object.assign(option, { animation: moves, animationDuration: 0, animationDurationUpdate: MOTION, animationEasingUpdate: 'cubicOut' });
    this.#element.classList.remove('stale');
    if (first) this.#begin(width, height);
    else if (!fits) this.#chart.resize({ width, height, silent: true });
    this.#chart.setOption(option, { notMerge: !moves, replaceMerge: moves ? ['xAxis', 'yAxis', 'legend', 'visualMap'] : undefined });
    this.#size = [width, shown];
    this.#shape = next;
    if (first) this.#take();
    // On paper the chart has another width than on screen, so it is scaled as a whole; of one that scrolls, the beginning.
    const svg = this.#root.querySelector('svg');
    svg?.setAttribute('viewBox', `0 0 ${width} ${height}`);
    svg?.setAttribute('preserveAspectRatio', height > shown ? 'xMidYMin slice' : 'xMidYMid');
  }

  /** Lets the element scroll a chart that is higher. Its tooltip stays in sight: above the pointer, or below it at the top. */
  #scroll(tip) {
    const element = this.#element;
    element.style.overflowY = tip ? 'auto' : '';
    if (!tip) return element.removeAttribute('tabindex');
    element.tabIndex = 0;
    tip.position = ([x, y], _marks, _node, _mark, { contentSize }) => {
      const above = y - contentSize[1] - 12;
      return [x + 12, above < element.scrollTop ? y + 12 : above];
    };
  }

  #begin(width, height) {
    this.#root = document.createElement('div');
    Object.assign(this.#root.style, { position: 'absolute', inset: '0', visibility: 'hidden' });
    if (getComputedStyle(this.#element).position === 'static') this.#element.style.position = 'relative';
    this.#element.append(this.#root);
    this.#chart = init(this.#root, null, { renderer: 'svg', width, height });
    this.#chart.on('click', (mark) => this.#onClick?.(clickOf(mark, this.#spec)));
  }

  /** Replaces the server's drawing by the chart, in one step. */
  #take() {
    this.#chart.getZr().flush();
    this.#root.style.visibility = '';
    this.#element.replaceChildren(this.#root);
  }
}

/** Draws a chart into an element that has a size. A server picture in it is replaced without flicker. */
export function mount(element, json, options) {
  return new Handle(element, json, options);
}

globalThis.inlayCharts = { mount };
