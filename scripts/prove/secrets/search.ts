import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Data that a secret could have leaked into. */
export interface Evidence {
  readonly where: string;
  readonly bytes: Buffer;
}

export interface Secret {
  /** Describes the secret and its use. */
  readonly name: string;
  /** The part that must not occur anywhere. */
  readonly text: string;
}

/** The form in which a secret was found. */
export type Encoding = 'utf8' | 'lower case' | 'utf16' | 'base64' | 'hex' | 'a part of it';

interface Needle {
  readonly encoding: Encoding;
  readonly bytes: Buffer;
}

/** Long enough to exclude coincidences, short enough to find a truncated secret. */
const PART_CHARACTERS = 12;

/** Returns every form of `text` to search for. */
function needles(text: string): Needle[] {
  const utf16 = Buffer.from(text, 'utf16le');
  const hex = Buffer.from(text).toString('hex');
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += PART_CHARACTERS - 1) {
    const part = text.slice(start, start + PART_CHARACTERS);
    if (part.length === PART_CHARACTERS) parts.push(part);
  }
  return [
    { encoding: 'utf8', bytes: Buffer.from(text) },
    // The form that words have in the search index.
    { encoding: 'lower case', bytes: Buffer.from(text.toLowerCase()) },
    { encoding: 'utf16', bytes: utf16 },
    { encoding: 'utf16', bytes: Buffer.from(utf16).swap16() },
    { encoding: 'hex', bytes: Buffer.from(hex) },
    { encoding: 'hex', bytes: Buffer.from(hex.toUpperCase()) },
    ...base64Forms(text).map((form): Needle => ({ encoding: 'base64', bytes: Buffer.from(form) })),
    ...parts.map((part): Needle => ({ encoding: 'a part of it', bytes: Buffer.from(part) })),
  ];
}

/** Returns the base64 form at each of the three possible offsets, since three bytes become four characters. */
function base64Forms(text: string): string[] {
  const forms = [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + text).toString('base64');
    // The characters at both ends also contain bits of their neighbors.
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + text.length) * 8) / 6));
  });
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** Describes where each secret was found and in which form, once per location. */
export function search(secrets: readonly Secret[], evidence: readonly Evidence[]): string[] {
  const index = new NeedleIndex(secrets.map(({ text }) => needles(text)));
  return evidence.flatMap(({ where, bytes }) =>
    [...index.findIn(bytes)]
      .sort(([one], [other]) => one - other)
      .map(([secret, encoding]) => `the secret of "${secrets[secret]?.name}" is in ${where} (${encoding})`),
  );
}

const BEGINNING_BYTES = 4;
const FILTER_BITS = 20;

interface Sought extends Needle {
  /** The index of the secret, and the index of the needle among those of its secret. */
  readonly secret: number;
  readonly rank: number;
}

/**
 * Searches for thousands of needles in one pass. The first four bytes of each are in a table, and a small filter in
 * front of the table skips almost every position.
 */
class NeedleIndex {
  readonly #byBeginning = new Map<number, Sought[]>();
  readonly #filter = new Uint8Array(1 << FILTER_BITS);

  constructor(needlesOf: readonly (readonly Needle[])[]) {
    for (const [secret, all] of needlesOf.entries()) {
      for (const [rank, needle] of all.entries()) this.#add({ ...needle, secret, rank });
    }
  }

  #add(sought: Sought): void {
    const beginning = sought.bytes.readUInt32BE(0);
    this.#filter[slotOf(beginning)] = 1;
    const others = this.#byBeginning.get(beginning);
    if (others) others.push(sought);
    else this.#byBeginning.set(beginning, [sought]);
  }

  /** Returns the secrets in these bytes, each in the first of its forms that matches. */
  findIn(bytes: Buffer): Map<number, Encoding> {
    const found = new Map<number, Sought>();
    let beginning = 0;
    for (let end = 0; end < bytes.length; end += 1) {
      beginning = ((beginning << 8) | (bytes[end] ?? 0)) >>> 0;
      if (end < BEGINNING_BYTES - 1 || this.#filter[slotOf(beginning)] === 0) continue;
      for (const sought of this.#byBeginning.get(beginning) ?? []) {
        const best = found.get(sought.secret);
        if (best && best.rank <= sought.rank) continue;
        if (standsAt(sought.bytes, bytes, end - BEGINNING_BYTES + 1)) found.set(sought.secret, sought);
      }
    }
    return new Map([...found].map(([secret, { encoding }]) => [secret, encoding]));
  }
}

function standsAt(needle: Buffer, bytes: Buffer, start: number): boolean {
  return needle.compare(bytes, start, Math.min(start + needle.length, bytes.length)) === 0;
}

/**
 * Hashes by multiplying with the golden ratio (Knuth, The Art of Computer Programming, 6.4), which distributes the
 * upper bits well.
 */
function slotOf(beginning: number): number {
  return Math.imul(beginning, 0x9e3779b1) >>> (32 - FILTER_BITS);
}

/** Returns everything in a folder, at any depth. Sockets and other special files have no content. */
export function filesIn(folder: string, when: string): Evidence[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const path = join(folder, name);
    const entry = lstatSync(path);
    const bytes = entry.isFile() ? readFileSync(path) : Buffer.alloc(0);
    // A name can leak a secret, too.
    return [{ where: `${name} (${when})`, bytes: Buffer.concat([Buffer.from(`${name}\0`), bytes]) }];
  });
}
