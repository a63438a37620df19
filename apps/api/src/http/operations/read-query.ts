import { isUtf8 } from 'node:buffer';
import { nearestWord } from '@hub/contract/nearest-word';
import {
  KindGuard,
  OptionalKind,
  type Static,
  type TOptional,
  type TProperties,
  type TSchema,
} from '@sinclair/typebox';
import { AppError, printable } from '../../platform/errors.ts';
import { parseDateTime } from '../../platform/time.ts';
import { choicesOf } from '../field-rules.ts';

/** The parameters of a query as they are read: a parameter that is left out has its default, or is `undefined`. */
export type QueryOf<Parameters extends TProperties> = {
  [Name in keyof Parameters]: Parameters[Name] extends { default: unknown }
    ? Static<Parameters[Name]>
    : Parameters[Name] extends TOptional<TSchema>
      ? Static<Parameters[Name]> | undefined
      : Static<Parameters[Name]>;
};

/** Reads a query strictly by the declared parameters. Throws if one is unknown, sent twice or invalid. */
export function readQuery<Parameters extends TProperties>(
  request: Request,
  parameters: Parameters,
): QueryOf<Parameters> {
  const query = sentParameters(request, Object.keys(parameters));
  const read: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(parameters)) {
    const text = query.get(name);
    read[name] = text === null ? schema.default : readParameter(name, text, schema);
    if (read[name] === undefined && !(OptionalKind in schema)) throw missing(name, schema);
  }
  if (read.before !== undefined && read.after !== undefined) {
    throw new AppError('invalid', 'before and after cannot be combined: send one of them');
  }
  return read as QueryOf<Parameters>;
}

function sentParameters(request: Request, names: readonly string[]): URLSearchParams {
  const query = new URL(request.url).searchParams;
  for (const [name, value] of query) {
    if (names.includes(name)) {
      if (value.includes('\0')) throw new AppError('invalid', `${name} contains a NUL character (U+0000): remove it`);
      if (value.includes('\ufffd') && !isUtf8Query(request.url)) {
        throw new AppError('invalid', `${name} is not valid UTF-8: send percent-encoded UTF-8`);
      }
      const times = query.getAll(name).length;
      if (times > 1) throw new AppError('invalid', `${name} is sent ${times} times; send it once`);
      continue;
    }
    if (names.length === 0) {
      throw new AppError(
        'invalid',
        `${printable(name, 64)} is not a known parameter: this endpoint takes no query parameters`,
      );
    }
    const nearest = nearestWord(name, names);
    const hint = nearest === undefined ? `use ${names.join(', ')}` : `did you mean ${nearest}?`;
    throw new AppError('invalid', `${printable(name, 64)} is not a known parameter of this list; ${hint}`);
  }
  return query;
}

/** Whether the percent-encoded bytes are UTF-8. `URLSearchParams` silently replaces invalid ones with U+FFFD. */
function isUtf8Query(url: string): boolean {
  const bytes = url.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return isUtf8(Buffer.from(bytes, 'latin1'));
}

function readParameter(name: string, text: string, schema: TSchema): string | number {
  const { pattern, rule, format, maximum } = schema;
  if (KindGuard.IsInteger(schema)) {
    if (/^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= maximum) return Number(text);
    throw new AppError('invalid', `${name} must be a whole number from 1 to ${maximum}`);
  }
  const choices = choicesOf(schema) ?? (schema.const === undefined ? null : [String(schema.const)]);
  if (choices && !choices.includes(text)) {
    throw new AppError('invalid', `${name} must be one of ${choices.join(', ')}`);
  }
  if (format === 'date-time' && parseDateTime(text) === null) {
    throw new AppError(
      'invalid',
      `${name} must be a valid date and time with Z or an offset, such as 2026-03-01T09:30:00Z`,
    );
  }
  if (rule !== undefined && !new RegExp(pattern).test(text)) throw new AppError('invalid', brokenRule(name, rule));
  // An empty id would silently match nothing.
  if (text === '' && name.endsWith('Id')) {
    throw new AppError('invalid', `${name} is empty: send an id or omit the parameter`);
  }
  return text;
}

function missing(name: string, { rule }: TSchema): AppError {
  return new AppError('invalid', rule === undefined ? `${name} is required` : brokenRule(name, rule));
}

const brokenRule = (name: string, rule: string): string => `${name} ${rule}`;
