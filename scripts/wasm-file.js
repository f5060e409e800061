// Reads and writes the parts of a wasm file that the scripts of the pages change. Binary format: WebAssembly 2.0, chapter 5.

/** The ids of sections. */
export const [CUSTOM, IMPORTS, EXPORTS, CODE] = [0, 2, 7, 10];

/** Reads a wasm file or a part of it, from `at` on. */
export class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    return this.bytes[this.at++];
  }

  /** Reads an unsigned LEB128 number. */
  number() {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  name() {
    return Buffer.from(this.take(this.number())).toString();
  }

  limits() {
    const has = this.byte();
    this.number();
    if (has & 1) this.number();
  }

  /** The raw bytes of an import's description. */
  description() {
    const from = this.at;
    const kind = this.byte();
    if (kind === 0) this.number();
    else if (kind === 1) this.take(1) && this.limits();
    else if (kind === 2) this.limits();
    else if (kind === 3) this.take(2);
    else throw new Error(`an import of kind ${kind}, which this script does not know`);
    return this.bytes.subarray(from, this.at);
  }
}

/** A number as unsigned LEB128. */
export function number(value) {
  const bytes = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** A text behind its length. */
export const name = (text) => Buffer.concat([number(Buffer.byteLength(text)), Buffer.from(text)]);
/** Encoded items behind their number. */
export const list = (items) => Buffer.concat([number(items.length), ...items]);

/** A section: its id, its length, its content. */
export const section = (id, made) => Buffer.concat([Buffer.from([id]), number(made.length), made]);

/** The sections of a wasm file, in their order. */
export function* sections(wasm) {
  const reader = new Reader(wasm, 8);
  while (reader.at < wasm.length) yield { id: reader.byte(), body: new Reader(reader.take(reader.number())) };
}
