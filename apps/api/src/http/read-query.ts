import { isUtf8 } from 'node:buffer';
import { LIMITS } from '@hub/contract';
import { nearestWord } from '@hub/contract/nearest-word';
import { parseDateTime } from '../date-time.ts';
import { AppError } from '../errors.ts';
import { isId } from '../ids.ts';
import { printable } from '../printable.ts';

const DEFAULT_LIMIT = 50;

/** The query of a list: `limit` (1 to 100, default 50), `before`, and the parameters that this list knows besides. */
export function readListQuery<Name extends string>(
  request: Request,
  names: readonly Name[] = [],
): { limit: number; before: string | undefined } & Record<Name, string | undefined> {
  const query = readQuery(request, ['limit', 'before', ...names]);
  const limit = readCount('limit', query.get('limit') ?? undefined, LIMITS.pageItems) ?? DEFAULT_LIMIT;
  const before = query.get('before') ?? undefined;
  if (before !== undefined && !isId(before)) {
    throw new AppError('invalid', 'before must be the next of the page before, as it was given');
  }
  // It would find nothing, as if there were nothing.
  const empty = names.find((name) => name.endsWith('Id') && query.get(name) === '');
  if (empty !== undefined) throw new AppError('invalid', `${empty} is empty: give an id, or leave it out`);
  const named = Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined]));
  return { limit, before, ...named } as never;
}

/** The query of a list of items, which can be read in both directions: `after` besides what `readListQuery` reads. */
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
    throw new AppError('invalid', 'after must be the next of the page before, as it was given, or the id of an item');
  }
  if (before !== undefined && after !== undefined) {
    throw new AppError('invalid', 'before and after lead in two directions: give one of them');
  }
  return query as never;
}

/** The parameters of a request, refused if one is unknown or stands there twice. */
export function readQuery(request: Request, known: readonly string[]): URLSearchParams {
  const query = new URL(request.url).searchParams;
  for (const [name, value] of query) {
    if (known.includes(name)) {
      if (value.includes('\0')) throw new AppError('invalid', `${name} holds a NUL character (U+0000): take it out`);
      if (value.includes('\ufffd') && !isUtf8Query(request.url)) {
        throw new AppError(
          'invalid',
          `${name} is not valid UTF-8: encode its characters as UTF-8, then with percent signs`,
        );
      }
      const times = query.getAll(name).length;
      if (times > 1) throw new AppError('invalid', `${name} is given ${times} times; give it once`);
      continue;
    }
    if (known.length === 0) {
      throw new AppError('invalid', `${printable(name, 64)} is not a parameter: this route takes no query parameters`);
    }
    const nearest = nearestWord(name, known);
    const hint = nearest === undefined ? `known are ${known.join(', ')}` : `did you mean ${nearest}?`;
    throw new AppError('invalid', `${printable(name, 64)} is not a parameter of this list; ${hint}`);
  }
  return query;
}

/** Whether what is percent-encoded in a URL is UTF-8, for which `URLSearchParams` puts U+FFFD where it is not. */
function isUtf8Query(url: string): boolean {
  const bytes = url.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return isUtf8(Buffer.from(bytes, 'latin1'));
}

/** A whole number from 1 to `most`. */
export function readCount(name: string, value: string | undefined, most: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= most) return Number(value);
  throw new AppError('invalid', `${name} must be a whole number from 1 to ${most}`);
}

/** A date and a time with `Z` or an offset, in milliseconds since 1970. */
export function readInstant(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const instant = parseDateTime(value);
  if (instant !== null) return instant;
  throw new AppError(
    'invalid',
    `${name} must be a real date and a time with Z or an offset, such as 2026-03-01T09:30:00Z`,
  );
}

/** `true` or `false`. */
export function readFlag(name: string, value: string | undefined): boolean {
  return readChoice(name, value, ['true', 'false']) === 'true';
}

/** One of a few words, or a refusal that lists them. */
export function readChoice<T extends string>(name: string, value: string | undefined, allowed: readonly T[]) {
  if (value === undefined) return undefined;
  const found = allowed.find((word) => word === value);
  if (found === undefined) throw new AppError('invalid', `${name} must be one of ${allowed.join(', ')}`);
  return found;
}
