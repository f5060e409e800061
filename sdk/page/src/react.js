// A React component. The page stays open while properties change, as far as possible: filters are sent, parameters reopen the
// page, another page or user creates a new embed.
import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from 'react';
import { mount } from './inlay.js';

const EVENTS = /** @type {const} */ (['onReady', 'onLoaded', 'onFilters', 'onSession', 'onHeight', 'onError']);
/** The properties that identify the page. */
const PLACE = /** @type {const} */ ([
  'url',
  'embedUrl',
  'application',
  'dashboard',
  'project',
  'workspace',
  'autoHeight',
  'height',
  'title',
]);

/** @import { Embed } from '../types/inlay.js' */
/** @import { InlayProps } from '../types/react.js' */

/** Runs an effect on every change after the first. @param {() => void} change @param {string | undefined} value */
function useChange(change, value) {
  const before = useRef(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the work is another function at each drawing, and no reason to begin.
  useEffect(() => {
    if (before.current !== value) change();
    before.current = value;
  }, [value]);
}

/** @param {InlayProps} props @param {import('react').ForwardedRef<Embed>} ref */
function Framed(props, ref) {
  const { className, style } = props;
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const embed = useRef(/** @type {Embed | null} */ (null));
  // Functions are often recreated for each rendering: the newest one is called, without mounting again.
  const newest = useRef(props);
  newest.current = props;
  const user = useRef(/** @type {unknown} */ (props.user ?? props.fetchToken));
  if (props.user !== undefined) user.current = props.user;

  // biome-ignore lint/correctness/useExhaustiveDependencies: what it reads is the newest by its reference; these are the reasons to mount anew.
  useEffect(() => {
    const { className, style, ...options } = newest.current;
    const events = EVENTS.map((name) => [name, (/** @type {any} */ event) => newest.current[name]?.(event)]);
    embed.current = mount(/** @type {HTMLDivElement} */ (box.current), {
      ...options,
      ...Object.fromEntries(events),
      user: user.current,
      fetchToken: (call) => newest.current.fetchToken(call),
    });
    return () => {
      embed.current?.destroy();
      embed.current = null;
    };
  }, [JSON.stringify(PLACE.map((name) => props[name])), user.current]);
  useChange(() => embed.current?.setFilters(props.filters ?? {}), JSON.stringify(props.filters));
  useChange(() => embed.current?.setParams(props.params ?? {}), JSON.stringify(props.params));
  useImperativeHandle(
    ref,
    () =>
      /** @type {Embed} */ ({
        get frame() {
          return /** @type {Embed} */ (embed.current).frame;
        },
        setFilters: (filters) => embed.current?.setFilters(filters),
        setParams: (params) => embed.current?.setParams(params),
        refresh: () => embed.current?.refresh(),
        destroy: () => embed.current?.destroy(),
      }),
    [],
  );
  return createElement('div', { ref: box, className, style });
}

/** An embed as a component. */
export const Inlay = forwardRef(Framed);
