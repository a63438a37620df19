import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Something that a secret could have got into. */
export interface Evidence {
  readonly where: string;
  readonly bytes: Buffer;
}

export interface Secret {
  /** What it was used for. */
  readonly name: string;
  /** The part that must be nowhere. */
  readonly text: string;
}

/** What a found secret looked like. */
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
  return secrets.flatMap(({ name, text }) => {
    const looked = needles(text);
    return evidence.flatMap(({ where, bytes }) => {
      const found = looked.find((needle) => bytes.includes(needle.bytes));
      return found ? [`the key of "${name}" is in ${where} (${found.encoding})`] : [];
    });
  });
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
