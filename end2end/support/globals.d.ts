// What the tests and the pages that they make put on the window.
interface Window {
  /** What a host's page heard. */
  messages: { origin: string; data: Record<string, unknown> }[];
  /** What the page script's functions heard. */
  heard: { name: string; [field: string]: unknown }[];
  /** How many of the page script's listeners stand. */
  listeners: number;
  /** The longest pause of the main thread, in milliseconds. */
  longest: number;
  /** How far things moved by themselves. */
  moved: number;
  shifts: { startTime: number; value: number; moved: string[] }[];
  redrawn: unknown[];
  /** Where the keyboard's way stopped last. */
  keyboardStop: { element: Element; here: { told: string; isMain?: boolean }; rings: { ring: string }[] } | undefined;
  /** Whether hostile text ran. */
  caught: unknown;
}

/** An entry of `layout-shift`, of which the standard's types know nothing. */
interface PerformanceEntry {
  value: number;
  sources: { node: Element | null }[];
}

/** What the hosts' pages of the SDK's tests define. */
declare const embed: import('../../sdk/page/types/inlay.js').Embed;
declare const embeds: import('../../sdk/page/types/inlay.js').Embed[];
declare const Inlay: typeof import('../../sdk/page/types/inlay.js');
declare const messages: Window['messages'];
declare function set(properties: object): void;
