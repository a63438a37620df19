import type { IssuedKey } from '../../../packages/contract/src/index.ts';
import { RANDOM_CHARACTERS } from '../../../packages/contract/src/index.ts';
import { type Evidence, filesIn, type Secret, search } from './search.ts';

/** The prefixes before the random part of every token. */
const PREFIX = /^hub_(live|pat|ses|lnk)_/;

const KINDS = { live: 'keys', pat: 'personal tokens', ses: 'sessions', lnk: 'links' } as const;

/** All secrets that were ever made, and all that they could have got into. */
export class Hunt {
  readonly #secrets: Secret[] = [];
  readonly #evidence: Evidence[] = [];
  readonly #kinds = new Map<string, number>();
  /** Steps that went wrong, so that their evidence proves nothing. */
  readonly astray: string[] = [];

  get secrets(): number {
    return this.#secrets.length;
  }

  get locations(): number {
    return this.#evidence.length;
  }

  get megabytes(): number {
    return this.#evidence.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6;
  }

  /** How many there are of each kind. */
  get kinds(): string {
    return [...this.#kinds].map(([kind, count]) => `${count} ${kind}`).join(', ');
  }

  /** The random part is what must be nowhere: lists may show the prefix and the last four characters. */
  know(name: string, token: string): string {
    const kind = PREFIX.exec(token)?.[1] as keyof typeof KINDS | undefined;
    if (kind === undefined) throw new Error(`"${name}" has not the form of a secret`);
    this.#count(KINDS[kind]);
    this.#secrets.push({ name, text: randomPart(token) });
    return token;
  }

  /** A secret of another form. */
  knowText(name: string, text: string, kind = 'others'): string {
    this.#count(kind);
    this.#secrets.push({ name, text });
    return text;
  }

  #count(kind: string): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
  }

  /** The response that creates a key is the one that may contain it; the rest of that response is searched. */
  knowIssued(name: string, { key, ...rest }: IssuedKey): string {
    this.note(`the rest of the response to ${name}`, JSON.stringify(rest));
    return this.know(name, key);
  }

  /** A response that reveals a secret, without that secret. */
  noteWithout(where: string, bytes: Buffer | string, secret: string): void {
    this.note(`the rest of ${where}`, bytes.toString('utf8').replaceAll(secret, ''));
  }

  note(where: string, bytes: Buffer | string): void {
    this.#evidence.push({ where, bytes: Buffer.from(bytes) });
  }

  /** All that lies in a folder, but for the file in which a secret is kept on purpose. */
  noteFiles(folder: string, when: string, except?: string): void {
    this.#evidence.push(...filesIn(folder, when).filter(({ where }) => where !== `${except} (${when})`));
  }

  expect(what: string, expected: unknown, actual: unknown, detail = ''): void {
    if (expected !== actual) this.astray.push(`${what}: ${expected} expected, ${actual} came ${detail}`);
  }

  /** Where any of the keys was found. */
  findings(): string[] {
    return search(this.#secrets, this.#evidence);
  }

  /** Where one text was found that was posted as a text, and so must be in the database. */
  locationsOf(key: string): string[] {
    return search([{ name: 'planted', text: randomPart(key) }], this.#evidence);
  }
}

function randomPart(token: string): string {
  return token.replace(PREFIX, '').slice(0, RANDOM_CHARACTERS);
}
