// Globals that the tests and their pages set on the window.
interface Window {
  /** The messages that a host's page received. */
  messages: { origin: string; data: Record<string, unknown> }[];
  /** The calls of the page script's functions. */
  heard: { name: string; [field: string]: unknown }[];
  /** How many listeners the page script has. */
  listeners: number;
  /** The longest pause of the main thread, in milliseconds. */
  longest: number;
  /** When a page became interactive, in milliseconds since 1970. */
  interactiveAt: number;
  /** How many messages a page has read that does nothing else. */
  read: number;
  /** How far elements moved without input. */
  moved: number;
  shifts: { startTime: number; value: number; moved: string[] }[];
  redrawn: unknown[];
  /** The last tab stop. */
  keyboardStop: { element: Element; here: { told: string; isMain?: boolean }; rings: { ring: string }[] } | undefined;
  /** Whether hostile text was executed. */
  caught: unknown;
}

/** An entry of `layout-shift`, which the standard types lack. */
interface PerformanceEntry {
  value: number;
  sources: { node: Element | null }[];
}

/** Globals of the hosts' pages in the SDK's tests. */
declare const embed: import('../../sdk/page/types/inlay.js').Embed;
declare const embeds: import('../../sdk/page/types/inlay.js').Embed[];
declare const Inlay: typeof import('../../sdk/page/types/inlay.js');
declare const messages: Window['messages'];
declare function set(properties: object): void;
