import { Kind, type TSchema, type TUnion } from '@sinclair/typebox';
import { type ValueError, type ValueErrorIterator, ValueErrorType } from '@sinclair/typebox/compiler';
import { isObject, type Problem } from './block-problem.ts';

/** Returns the first problem of a value that its schema in `data-schemas.ts` has rejected, in readable words. */
export function explainData(errors: ValueErrorIterator): Problem {
  const error = errors.First();
  if (error === undefined) throw new Error('The data of a block was rejected without a reason');
  return problemOf(error);
}

function problemOf(error: ValueError): Problem {
  const { type, schema, errors } = error;
  const path = pathOf(error.path);
  if (type === ValueErrorType.ObjectRequiredProperty) {
    return { path, problem: `is missing; it must be ${phrase(schema)}` };
  }
  // A union says only that no member matches. The members that the value resembles have errors inside it.
  const inside = errors.flatMap((member) => member.First() ?? []).filter((inner) => inner.path !== error.path);
  const meant = inside.find((inner) => !isAbsence(inner, error.path)) ?? (inside.length === 1 ? inside[0] : undefined);
  if (meant !== undefined) return problemOf(meant);
  if (isObject(error.value) && inside.length > 0) {
    return { path, problem: `needs ${inside.map((inner) => inner.path.slice(error.path.length + 1)).join(' or ')}` };
  }
  return { path, problem: `must be ${phrase(schema)}` };
}

/** Whether an error says that the value at `path` lacks a property. `null` also means absent. */
function isAbsence({ path: property, value }: ValueError, path: string): boolean {
  return (value === undefined || value === null) && property.lastIndexOf('/') === path.length;
}

/** Turns a JSON pointer into a path. Errors concern the properties in the schemas alone, whose names are plain words. */
function pathOf(pointer: string): string {
  return pointer.replace(/\/(\d+)/g, '[$1]').replaceAll('/', '.');
}

/** Describes a valid value, in a phrase that follows "must be". */
function phrase(schema: TSchema): string {
  switch (schema[Kind]) {
    case 'String':
      return schema.pattern === undefined ? 'a string' : HTTPS_URL;
    case 'Integer':
      return `${schema.minimum} to ${schema.maximum}`;
    case 'Boolean':
      return 'true or false';
    case 'Array':
      return 'an array';
    case 'Literal':
      return JSON.stringify(schema.const);
    case 'Union':
      return eitherOf((schema as TUnion).anyOf.filter((member) => member[Kind] !== 'Null').map(phrase));
    default:
      return 'an object';
  }
}

/** The only strings with a pattern. */
const HTTPS_URL = 'an https URL';

/** Returns the problem of an image whose URL matches its pattern but cannot be parsed, or null. */
export function imageUrlProblem(image: { url?: unknown; file?: unknown }): Problem | null {
  const urls = { '.url': image.url, '.file.url': isObject(image.file) ? image.file.url : null };
  for (const [path, url] of Object.entries(urls)) {
    if (typeof url === 'string' && !URL.canParse(url)) return { path, problem: `must be ${HTTPS_URL}` };
  }
  return null;
}

function eitherOf(phrases: readonly string[]): string {
  const distinct = [...new Set(phrases)];
  const last = distinct.pop() ?? '';
  return distinct.length === 0 ? last : `${distinct.join(', ')} or ${last}`;
}
