import { isBlank } from '@hub/contract/blank-text';
import { isObject } from '@hub/contract/blocks/block-problem';
import { isWebUrl } from './relay-markdown.ts';

/** How many characters of a payload are read: more than a message can show. Each read counts as one more. */
const MAX_READ_CHARACTERS = 100_000;
/** More than a title, a label or a URL can have. */
const MAX_LINE_CHARACTERS = 8_000;
const MAX_LIST_ELEMENTS = 1_000;
const MAX_PAIRS = 40;

/** The reads that are left for all objects of a payload together. */
interface ReadBudget {
  left: number;
  isListCut: boolean;
}

/**
 * A JSON object from a sender. Any field can have any value, so each is read with a method of this class. It also bounds
 * the work that a payload can cause, however it is built: once as much is read as any message can show, all fields are
 * empty and all lists end.
 */
export class Payload {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #budget: ReadBudget;

  private constructor(fields: unknown, budget: ReadBudget) {
    this.#fields = isObject(fields) ? fields : {};
    this.#budget = budget;
  }

  /** Returns the payload of a request. Anything but an object has no fields. */
  static of(json: unknown): Payload {
    return new Payload(json, { left: MAX_READ_CHARACTERS, isListCut: false });
  }

  /** Whether nothing more of the payload is read. */
  get isUsedUp(): boolean {
    return this.#budget.left === 0;
  }

  /** Whether some of the payload was not read because it has too much. */
  get isTruncated(): boolean {
    return this.isUsedUp || this.#budget.isListCut;
  }

  /** Returns whether a field has this value. Unlike other reads, it is not counted. */
  is(name: string, value: string | boolean): boolean {
    return this.#fields[name] === value;
  }

  /** Returns a string, even if it is blank, or ''. At most `maxCharacters` of it are read. */
  string(name: string, maxCharacters = Number.POSITIVE_INFINITY): string {
    const value = this.#read(name);
    if (typeof value !== 'string') return '';
    const text = value.slice(0, Math.min(maxCharacters, this.#budget.left));
    this.#budget.left -= text.length;
    return text;
  }

  /** Returns the text of a field: a string that is not blank, or a number. For everything else, returns ''. */
  text(name: string, maxCharacters?: number): string {
    const value = this.#fields[name];
    if (typeof value === 'number') return String(this.#read(name) ?? '');
    const text = this.string(name, maxCharacters);
    return isBlank(text) ? '' : text;
  }

  /** Returns the beginning of a text that is shown in one line, such as a title. */
  line(name: string): string {
    return this.text(name, MAX_LINE_CHARACTERS);
  }

  /** Returns the text of a field that holds a value: as `line`, or `true` or `false`. */
  value(name: string): string {
    const value = this.#fields[name];
    return typeof value === 'boolean' ? String(value) : this.line(name);
  }

  /** Returns an absolute URL with the scheme http or https, or ''. */
  url(name: string): string {
    const url = this.line(name);
    return isWebUrl(url) ? url : '';
  }

  /** Returns an object in a field, or an empty one. */
  object(name: string): Payload {
    return new Payload(this.#read(name), this.#budget);
  }

  /** Returns the payload in a field that has it as JSON text, or this one if the field is no text. */
  unwrapped(name: string): Payload {
    const value = this.#fields[name];
    return typeof value === 'string' ? new Payload(parsedJson(value), this.#budget) : this;
  }

  /** Yields the objects in a field that is a list, or the JSON text of one, from its first `max` elements. */
  *list(name: string, max = MAX_LIST_ELEMENTS): Generator<Payload, void> {
    const written = this.#read(name);
    const value = typeof written === 'string' ? parsedJson(written) : written;
    if (!Array.isArray(value)) return;
    this.#budget.isListCut ||= value.length > max;
    for (const element of value.slice(0, max)) {
      if (this.isUsedUp) return;
      if (isObject(element)) yield new Payload(element, this.#budget);
    }
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#fields, name);
  }

  /** Returns the names and texts of an object such as the labels of an alert, without blank and unwanted ones. */
  pairs(isWanted: (name: string) => boolean = () => true): [name: string, text: string][] {
    const names = Object.keys(this.#fields).filter(isWanted);
    this.#budget.isListCut ||= names.length > MAX_PAIRS;
    return names
      .slice(0, MAX_PAIRS)
      .map((name): [string, string] => [name, this.value(name)])
      .filter(([, text]) => text !== '');
  }

  #read(name: string): unknown {
    if (this.isUsedUp) return undefined;
    this.#budget.left -= 1;
    return this.has(name) ? this.#fields[name] : undefined;
  }
}

/** Returns the value of a JSON text, or `undefined` if it is none. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
