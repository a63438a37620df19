import { isBlank } from '@hub/contract/blank-text';
import { isObject } from '@hub/contract/blocks/block-problem';

/** A JSON object from a sender. Any field can have any value, so each is read with a function of this module. */
export type Payload = Readonly<Record<string, unknown>>;

/** Returns the text of a field: a string that is not blank, or a number. For everything else, returns ''. */
export function textIn(payload: Payload, name: string): string {
  return textOf(Object.hasOwn(payload, name) ? payload[name] : undefined);
}

/** Returns the text of a field that holds a value: as `textIn`, or `true` or `false`. */
export function valueIn(payload: Payload, name: string): string {
  const value = payload[name];
  return typeof value === 'boolean' ? String(value) : textIn(payload, name);
}

/** Returns the objects in a field that is a list, or the JSON text of one, at most `max` of them. */
export function listIn(payload: Payload, name: string, max = Number.POSITIVE_INFINITY): Payload[] {
  const written = payload[name];
  const value = typeof written === 'string' ? parsedJson(written) : written;
  return Array.isArray(value) ? value.filter(isObject).slice(0, max) : [];
}

/** Returns an object in a field, or an empty one. */
export function objectIn(payload: Payload, name: string): Payload {
  const value = payload[name];
  return isObject(value) ? value : {};
}

/** Returns the value of a JSON text, or `undefined` if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the names and texts of an object such as the labels of an alert, without blank ones. */
export function pairsIn(payload: Payload, name: string): [name: string, text: string][] {
  const object = objectIn(payload, name);
  const pairs = Object.keys(object).map((key): [string, string] => [key, valueIn(object, key)]);
  return pairs.filter(([, text]) => text !== '');
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && !isBlank(value) ? value : '';
}
