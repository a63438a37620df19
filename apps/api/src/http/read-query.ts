import { isUtf8 } from 'node:buffer';
import { LIMITS } from '@hub/contract';
import { nearestWord } from '@hub/contract/nearest-word';
import { AppError } from '../core/errors.ts';
import { isId } from '../core/ids.ts';
import { printable } from '../core/printable.ts';
import { parseDateTime } from '../core/time.ts';

const DEFAULT_LIMIT = 50;

/** Reads the query of a list: `limit` (1 to 100, default 50), `before`, and the parameters specific to this list. */
export function readListQuery<Name extends string>(
  request: Request,
  names: readonly Name[] = [],
): { limit: number; before: string | undefined } & Record<Name, string | undefined> {
  const query = readQuery(request, ['limit', 'before', ...names]);
  const limit = readCount('limit', query.get('limit') ?? undefined, LIMITS.pageItems) ?? DEFAULT_LIMIT;
  const before = query.get('before') ?? undefined;
  if (before !== undefined && !isId(before)) {
    throw new AppError('invalid', 'before must be the value of next from the previous page, unchanged');
  }
  // An empty id would silently match nothing.
  const empty = names.find((name) => name.endsWith('Id') && query.get(name) === '');
  if (empty !== undefined) throw new AppError('invalid', `${empty} is empty: send an id or omit the parameter`);
  const named = Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined]));
  return { limit, before, ...named } as never;
}

/**
 * Reads the query of a list of items, which supports both directions: `after`, and everything `readListQuery` reads.
 */
export function readItemListQuery<Name extends string>(
  request: Request,
  names: readonly Name[] = [],
): { limit: number; before: string | undefined; after: string | undefined } & Record<Name, string | undefined> {
  const query: { limit: number; before: string | undefined } & Record<string, unknown> = readListQuery(request, [
    'after',
    ...names,
  ]);
  const { before, after } = query;
  if (typeof after === 'string' && !isId(after)) {
    throw new AppError(
      'invalid',
      'after must be the value of next from the previous page, unchanged, or the id of an item',
    );
  }
  if (before !== undefined && after !== undefined) {
    throw new AppError('invalid', 'before and after cannot be combined: send one of them');
  }
  return query as never;
}

/** Returns the parameters of a request. Throws if one is unknown or sent twice. */
export function readQuery(request: Request, known: readonly string[]): URLSearchParams {
  const query = new URL(request.url).searchParams;
  for (const [name, value] of query) {
    if (known.includes(name)) {
      if (value.includes('\0')) throw new AppError('invalid', `${name} contains a NUL character (U+0000): remove it`);
      if (value.includes('\ufffd') && !isUtf8Query(request.url)) {
        throw new AppError('invalid', `${name} is not valid UTF-8: send percent-encoded UTF-8`);
      }
      const times = query.getAll(name).length;
      if (times > 1) throw new AppError('invalid', `${name} is sent ${times} times; send it once`);
      continue;
    }
    if (known.length === 0) {
      throw new AppError(
        'invalid',
        `${printable(name, 64)} is not a known parameter: this endpoint takes no query parameters`,
      );
    }
    const nearest = nearestWord(name, known);
    const hint = nearest === undefined ? `use ${known.join(', ')}` : `did you mean ${nearest}?`;
    throw new AppError('invalid', `${printable(name, 64)} is not a known parameter of this list; ${hint}`);
  }
  return query;
}

/**
 * Whether the percent-encoded bytes of a URL are UTF-8. `URLSearchParams` silently replaces invalid ones with U+FFFD.
 */
function isUtf8Query(url: string): boolean {
  const bytes = url.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return isUtf8(Buffer.from(bytes, 'latin1'));
}

/** Reads a whole number from 1 to `max`. */
export function readCount(name: string, value: string | undefined, max: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= max) return Number(value);
  throw new AppError('invalid', `${name} must be a whole number from 1 to ${max}`);
}

/** Reads a date and time with `Z` or an offset. Returns milliseconds since 1970. */
export function readInstant(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const instant = parseDateTime(value);
  if (instant !== null) return instant;
  throw new AppError(
    'invalid',
    `${name} must be a valid date and time with Z or an offset, such as 2026-03-01T09:30:00Z`,
  );
}

/** Reads `true` or `false`. */
export function readFlag(name: string, value: string | undefined): boolean {
  return readChoice(name, value, ['true', 'false']) === 'true';
}

/** Reads one of a few values. Throws an error that lists them. */
export function readChoice<T extends string>(name: string, value: string | undefined, allowed: readonly T[]) {
  if (value === undefined) return undefined;
  const found = allowed.find((word) => word === value);
  if (found === undefined) throw new AppError('invalid', `${name} must be one of ${allowed.join(', ')}`);
  return found;
}
