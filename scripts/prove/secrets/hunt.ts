import { type IssuedKey, RANDOM_CHARACTERS } from '@hub/contract';
import type { ServerProcess } from '@hub/testkit';
import { type Evidence, filesIn, type Secret, search } from './search.ts';

/** The prefixes before the random part of every token. */
const PREFIX = /^hub_(live|pat|ses|lnk)_/;

const KINDS = { live: 'keys', pat: 'personal tokens', ses: 'sessions', lnk: 'links' } as const;

/** All secrets created in this run, and everything they could have leaked into. */
export class Hunt {
  readonly #secrets: Secret[] = [];
  readonly #evidence: Evidence[] = [];
  readonly #kinds = new Map<string, number>();
  /** Steps that failed. Finding no secrets in them would prove nothing. */
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

  /** Returns the number of secrets of each kind. */
  get kinds(): string {
    return [...this.#kinds].map(([kind, count]) => `${count} ${kind}`).join(', ');
  }

  /**
   * Adds a token. Only the complete random part is forbidden everywhere: lists may show the prefix and the last four
   * characters.
   */
  know(name: string, token: string): string {
    const kind = PREFIX.exec(token)?.[1] as keyof typeof KINDS | undefined;
    if (kind === undefined) throw new Error(`"${name}" has not the form of a secret`);
    this.#count(KINDS[kind]);
    this.#secrets.push({ name, text: randomPart(token) });
    return token;
  }

  /** Adds a secret of another form. */
  knowText(name: string, text: string, kind = 'others'): string {
    this.#count(kind);
    this.#secrets.push({ name, text });
    return text;
  }

  #count(kind: string): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
  }

  /** Adds a response that creates a key. It may contain the key; the rest of the response is searched. */
  knowIssued(name: string, { key, ...rest }: IssuedKey): string {
    this.note(`the rest of the response to ${name}`, JSON.stringify(rest));
    return this.know(name, key);
  }

  /** Adds a response that reveals a secret, with that secret removed. */
  noteWithout(where: string, bytes: Buffer | string, secret: string): void {
    this.note(`the rest of ${where}`, bytes.toString('utf8').replaceAll(secret, ''));
  }

  note(where: string, bytes: Buffer | string): void {
    this.#evidence.push({ where, bytes: Buffer.from(bytes) });
  }

  /** Adds everything in a folder, except for a file that contains a secret on purpose. */
  noteFiles(folder: string, when: string, except?: string): void {
    this.#evidence.push(...filesIn(folder, when).filter(({ where }) => where !== `${except} (${when})`));
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

export interface Folders {
  dataDir: string;
  home: string;
  secretStore: string;
  backups: string;
}

/** A running server and its callers. */
export interface Drive {
  readonly hunt: Hunt;
  readonly server: ServerProcess;
  readonly port: number;
  readonly url: string;
  readonly hubId: string;
}

let lastAddress = 0;

/** Returns a different address for each request, since every failure increases the delay for its address. */
export function nextAddress(): string {
  lastAddress += 1;
  return `10.${(lastAddress >> 16) & 255}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
}
