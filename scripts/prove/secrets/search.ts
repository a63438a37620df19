import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Something that a secret could have got into. */
export interface Evidence {
  readonly where: string;
  readonly bytes: Buffer;
}

export interface Secret {
  /** The use of the secret. */
  readonly name: string;
  /** The part that must be nowhere. */
  readonly text: string;
}

/** The form in which a secret was found. */
export type Encoding = 'utf8' | 'lower case' | 'utf16' | 'base64' | 'hex' | 'a part of it';

interface Needle {
  readonly encoding: Encoding;
  readonly bytes: Buffer;
}

/** Long enough to be found nowhere by chance, short enough to see a secret that was cut. */
const PART_CHARACTERS = 12;

/** Every form in which `text` is looked for. */
export function needles(text: string): Needle[] {
  const utf16 = Buffer.from(text, 'utf16le');
  const hex = Buffer.from(text).toString('hex');
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += PART_CHARACTERS - 1) {
    const part = text.slice(start, start + PART_CHARACTERS);
    if (part.length === PART_CHARACTERS) parts.push(part);
  }
  return [
    { encoding: 'utf8', bytes: Buffer.from(text) },
    // As the search index folds words.
    { encoding: 'lower case', bytes: Buffer.from(text.toLowerCase()) },
    { encoding: 'utf16', bytes: utf16 },
    { encoding: 'utf16', bytes: Buffer.from(utf16).swap16() },
    { encoding: 'hex', bytes: Buffer.from(hex) },
    { encoding: 'hex', bytes: Buffer.from(hex.toUpperCase()) },
    ...base64Forms(text).map((form): Needle => ({ encoding: 'base64', bytes: Buffer.from(form) })),
    ...parts.map((part): Needle => ({ encoding: 'a part of it', bytes: Buffer.from(part) })),
  ];
}

/** Three bytes become four characters, so the same text looks different at each of three places in what is encoded. */
function base64Forms(text: string): string[] {
  const forms = [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + text).toString('base64');
    // The characters at both ends hold bits of the neighbours too.
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + text.length) * 8) / 6));
  });
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** Says of each secret where it was found and how it looked there, once for each place. */
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
  /** The secret's place in the list, and the needle's among those of its secret. */
  readonly secret: number;
  readonly rank: number;
}

/**
 * Thousands of needles at once, in one pass over what is searched: the first four bytes of each are in a table, and a small
 * filter before it spares nearly every byte the look.
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

  /** The secrets in these bytes; of several forms the one that is first among its needles. */
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

/** Multiplied by the golden ratio (Knuth, The Art of Computer Programming, 6.4), the upper bits are well spread. */
function slotOf(beginning: number): number {
  return Math.imul(beginning, 0x9e3779b1) >>> (32 - FILTER_BITS);
}

/** All that lies in a folder, at any depth. Sockets and the like hold nothing. */
export function filesIn(folder: string, when: string): Evidence[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const path = join(folder, name);
    const entry = lstatSync(path);
    const bytes = entry.isFile() ? readFileSync(path) : Buffer.alloc(0);
    // A name can tell as much as a content.
    return [{ where: `${name} (${when})`, bytes: Buffer.concat([Buffer.from(`${name}\0`), bytes]) }];
  });
}
