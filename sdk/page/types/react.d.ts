import type { CSSProperties, ForwardRefExoticComponent, RefAttributes } from 'react';
import type { Embed, Options } from './inlay.js';

export interface InlayProps extends Options {
  className?: string;
  style?: CSSProperties;
}

/** An embed as a component; its `ref` is the `Embed`. */
export const Inlay: ForwardRefExoticComponent<InlayProps & RefAttributes<Embed>>;
