import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type IssuedKey, RANDOM_CHARACTERS } from '@hub/contract';

/** The prefixes before the random part of every token. */
const PREFIX = /^hub_(live|pat|ses|lnk)_/;

/** Data that a secret could have leaked into. */
interface Evidence {
  readonly where: string;
  readonly bytes: Buffer;
}

interface Secret {
  /** Describes the secret and its use. */
  readonly name: string;
  /** The part that must not occur anywhere. */
  readonly text: string;
}

/** All secrets created in this run, and everything they could have leaked into. */
export class Hunt {
  readonly #secrets: Secret[] = [];
  readonly #evidence: Evidence[] = [];
  /** Steps that failed. Finding no secrets in them would prove nothing. */
  readonly astray: string[] = [];

  get summary(): string {
    const megabytes = this.#evidence.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6;
    return `${this.#secrets.length} secrets searched in ${this.#evidence.length} locations, ${megabytes.toFixed(1)} MB`;
  }

  /**
   * Adds a token. Only the complete random part is forbidden everywhere: lists may show the prefix and the last four
   * characters.
   */
  know(name: string, token: string): string {
    if (!PREFIX.test(token)) throw new Error(`"${name}" has not the form of a secret`);
    this.#secrets.push({ name, text: randomPart(token) });
    return token;
  }

  /** Adds a secret of another form. */
  knowText(name: string, text: string): string {
    this.#secrets.push({ name, text });
    return text;
  }

  /** Adds a response that creates a key. It may contain the key; the rest of the response is searched. */
  knowIssued(name: string, { key, ...rest }: IssuedKey): string {
    this.note(`the rest of the response to ${name}`, JSON.stringify(rest));
    return this.know(name, key);
  }

  note(where: string, bytes: Buffer | string): void {
    this.#evidence.push({ where, bytes: Buffer.from(bytes) });
  }

  /** Adds a response that reveals a secret, with that secret removed. */
  noteWithout(where: string, bytes: Buffer | string, secret: string): void {
    this.note(`the rest of ${where}`, bytes.toString('utf8').replaceAll(secret, ''));
  }

  /** Adds everything in a folder, except for a file that contains a secret on purpose. */
  noteFiles(folder: string, when: string, except?: string): void {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (name === except) continue;
      const path = join(folder, name);
      // A name can leak a secret, too. Sockets and other special files have no content.
      const content = lstatSync(path).isFile() ? readFileSync(path) : Buffer.alloc(0);
      this.note(`${name} (${when})`, Buffer.concat([Buffer.from(`${name}\0`), content]));
    }
  }

  expect(what: string, expected: unknown, actual: unknown, detail = ''): void {
    if (expected !== actual) this.astray.push(`${what}: ${expected} expected, ${actual} came ${detail}`);
  }

  /** Returns where secrets were found. */
  findings(): string[] {
    return search(this.#secrets, this.#evidence);
  }

  /** Returns the locations in which a planted key was found. */
  locationsOf(key: string): string[] {
    return search([{ name: 'planted', text: randomPart(key) }], this.#evidence);
  }
}

function randomPart(token: string): string {
  return token.replace(PREFIX, '').slice(0, RANDOM_CHARACTERS);
}

/** Long enough to exclude coincidences, short enough to find a truncated secret. */
const PART_CHARACTERS = 12;

interface Needle {
  readonly form: string;
  readonly bytes: Buffer;
  /** The index of the secret. */
  readonly secret: number;
}

/** Returns every form of a secret to search for. */
function needlesOf({ text }: Secret, secret: number): Needle[] {
  const utf16 = Buffer.from(text, 'utf16le');
  const hex = Buffer.from(text).toString('hex');
  // Three bytes become four characters, so there is a form for each of the three offsets, without the characters at both
  // ends, which also contain bits of their neighbors.
  const base64 = [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + text).toString('base64');
    const form = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + text.length) * 8) / 6));
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const starts = Array.from({ length: text.length }, (_, at) => at).filter((at) => at % (PART_CHARACTERS - 1) === 0);
  const parts = starts.map((at) => text.slice(at, at + PART_CHARACTERS)).filter((part) => part[PART_CHARACTERS - 1]);
  const forms: [string, readonly (string | Buffer)[]][] = [
    // Words are in lower case in the search index.
    ['a part of it', [...parts, text.toLowerCase()]],
    ['UTF-16', [utf16, Buffer.from(utf16).swap16()]],
    ['hex', [hex, hex.toUpperCase()]],
    ['base64', base64],
  ];
  return forms.flatMap(([form, all]) => all.map((each) => ({ form, bytes: Buffer.from(each as string), secret })));
}

/** Describes where each secret is and in which form, once per location. */
function search(secrets: readonly Secret[], evidence: readonly Evidence[]): string[] {
  const needles = secrets.flatMap(needlesOf);
  return evidence.flatMap(({ where, bytes }) => {
    const hits = needles.filter((needle) => bytes.includes(needle.bytes));
    const forms = new Map(hits.map(({ secret, form }) => [secret, form]));
    return [...forms].map(([secret, form]) => `the secret of "${secrets[secret]?.name}" is in ${where} (${form})`);
  });
}

/**
 * Lists entries in a folder, at any depth and including the folder itself, that other users may read, write or execute.
 */
export function openToOthers(folder: string): string[] {
  const names = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  return names.flatMap((name) => {
    const { mode } = lstatSync(join(folder, name));
    return (mode & 0o077) === 0 ? [] : [`${name} (${(mode & 0o777).toString(8)})`];
  });
}
