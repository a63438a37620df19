import type { IssuedKey } from '../../../packages/contract/src/index.ts';
import { KEY_PREFIX, RANDOM_CHARACTERS } from '../../../packages/contract/src/index.ts';
import { type Evidence, filesIn, type Secret, search } from './search.ts';

/** All keys that were ever made, and all that they could have got into. */
export class Hunt {
  readonly #secrets: Secret[] = [];
  readonly #evidence: Evidence[] = [];
  /** What did not go the way it was meant to, so that its evidence proves nothing. */
  readonly astray: string[] = [];

  get secrets(): number {
    return this.#secrets.length;
  }

  get places(): number {
    return this.#evidence.length;
  }

  get megabytes(): number {
    return this.#evidence.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6;
  }

  /** The random part is what must be nowhere: lists may show the prefix and the last four characters. */
  know(name: string, key: string): string {
    this.#secrets.push({ name, text: key.slice(KEY_PREFIX.length, KEY_PREFIX.length + RANDOM_CHARACTERS) });
    return key;
  }

  /** A secret of another form. */
  knowText(name: string, text: string): void {
    this.#secrets.push({ name, text });
  }

  /** The answer that makes a key is the one place where it may stand; the rest of that answer is searched. */
  knowIssued(name: string, { key, ...rest }: IssuedKey): string {
    this.note(`the rest of the answer to ${name}`, JSON.stringify(rest));
    return this.know(name, key);
  }

  note(where: string, bytes: Buffer | string): void {
    this.#evidence.push({ where, bytes: Buffer.from(bytes) });
  }

  noteFiles(folder: string, when: string): void {
    this.#evidence.push(...filesIn(folder, when));
  }

  expect(what: string, expected: unknown, actual: unknown, detail = ''): void {
    if (expected !== actual) this.astray.push(`${what}: ${expected} expected, ${actual} came ${detail}`);
  }

  /** Where any of the keys was found. */
  findings(): string[] {
    return search(this.#secrets, this.#evidence);
  }

  /** Where one text was found that was posted as a text, and so must be in the database. */
  placesOf(key: string): string[] {
    const text = key.slice(KEY_PREFIX.length, KEY_PREFIX.length + RANDOM_CHARACTERS);
    return search([{ name: 'planted', text }], this.#evidence);
  }
}
