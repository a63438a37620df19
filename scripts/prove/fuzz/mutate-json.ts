import { isBlank } from '@hub/contract/blank-text';
import { pick, type Random } from '@hub/testkit';

/** JSON text that may have no equivalent value, for example with huge numbers or duplicate names. */
export class RawJson {
  constructor(readonly text: string) {}
}

export type JsonLike = null | boolean | number | string | RawJson | JsonLike[] | { [name: string]: JsonLike };

const long = (random: Random): string =>
  pick(random, ['x', 'é', '😀', '\n', '\u0001', '[', '&lt;']).repeat(pick(random, [1, 254, 255, 256, 40_000, 40_001]));

/** Values that users, templates and attackers send instead of valid ones. */
const ODD: readonly ((random: Random) => JsonLike)[] = [
  () => null,
  () => true,
  () => '',
  () => ' \t\u0085\ufeff',
  () => 0,
  () => -1,
  () => new RawJson('-0'),
  () => new RawJson('1e400'),
  () => new RawJson('123456789012345678901234567890'),
  () => new RawJson('0.1e-400'),
  () => new RawJson('"\\ud800"'),
  () => new RawJson('"a\\udc00b"'),
  () => new RawJson('"\\u0000"'),
  () => new RawJson('"\\uD83D\\uDE00"'),
  () => '\u202e\u2066x',
  () => '../../etc/passwd',
  () => "'; drop table items; --",
  () => '<script>alert(1)</script>',
  () => '__proto__',
  () => '2026-02-31T00:00:00Z',
  () => '2026-03-01T09:30:00Z',
  () => '2026-03-01T09:30:60.999999999999999999+23:59',
  () => [],
  () => ({}),
  () => [[[[[[[[[[]]]]]]]]]],
  (random) => long(random),
  (random) => Array.from({ length: pick(random, [1, 100, 101, 1_001]) }, () => 'x'),
  (random) => new RawJson('['.repeat(pick(random, [50, 5_000])) + ']'.repeat(5_000)),
  (random) => String.fromCharCode(...Array.from({ length: 8 }, () => Math.floor(random() * 65_536))),
];

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  'text',
  'content',
  'title',
  'Text',
  ' text',
  '',
  'hubId',
  'ſtatus',
];

/** Changes a value in a few places. */
export function mutateJson(random: Random, value: JsonLike): JsonLike {
  let changed = value;
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) changed = mutateOnce(random, changed);
  return changed;
}

function mutateOnce(random: Random, value: JsonLike): JsonLike {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return mutateScalar(random, value);
  if (Array.isArray(value)) return mutateArray(random, value);
  const entries = Object.entries(value);
  const index = Math.floor(random() * entries.length);
  const entry = entries[index];
  const choice = random();
  if (entry === undefined || choice < 0.15)
    return withEntries([...entries, [pick(random, NAMES), pick(random, ODD)(random)]]);
  if (choice < 0.25) return withEntries(entries.filter((_, at) => at !== index));
  if (choice < 0.3) return withEntries(entries.with(index, [pick(random, NAMES), entry[1]]));
  if (choice < 0.33)
    return new RawJson(
      `{${[...entries, entry].map(([name, inner]) => `${JSON.stringify(name)}:${textOf(inner)}`).join()}}`,
    );
  return withEntries(entries.with(index, [entry[0], mutateOnce(random, entry[1])]));
}

function mutateScalar(random: Random, value: JsonLike): JsonLike {
  if (typeof value !== 'string' || random() < 0.6) return pick(random, ODD)(random);
  const at = Math.floor(random() * (value.length + 1));
  return (
    value.slice(0, at) +
    String.fromCharCode(Math.floor(random() * (random() < 0.7 ? 128 : 65_536))) +
    value.slice(at + (random() < 0.5 ? 1 : 0))
  );
}

function mutateArray(random: Random, value: readonly JsonLike[]): JsonLike {
  const index = Math.floor(random() * value.length);
  const element = value[index];
  if (element === undefined || random() < 0.2) return [...value, pick(random, ODD)(random)];
  if (random() < 0.1) return Array.from({ length: pick(random, [2, 100, 101]) }, () => element);
  if (random() < 0.1) return value.filter((_, at) => at !== index);
  return value.with(index, mutateOnce(random, element));
}

/** Builds JSON from entries. Supports names such as `__proto__`, which would be lost in an object. */
function withEntries(entries: readonly (readonly [string, JsonLike])[]): JsonLike {
  const names = entries.map(([name]) => name);
  if (names.includes('__proto__'))
    return new RawJson(`{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${textOf(inner)}`).join()}}`);
  return Object.fromEntries(entries);
}

export function textOf(value: JsonLike): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, inner]) => `${JSON.stringify(name)}:${textOf(inner)}`)
      .join()}}`;
  }
  return JSON.stringify(value);
}

/** Mutates bytes: cuts, flips, inserts and doubles them, and adds what editors and shells put around JSON. */
export function mutateBytes(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text);
  const at = Math.floor(random() * (bytes.length + 1));
  const some = Buffer.from(Array.from({ length: 1 + Math.floor(random() * 4) }, () => Math.floor(random() * 256)));
  const make: readonly (() => Buffer)[] = [
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), some, bytes.subarray(at)]),
    () => Buffer.concat([bytes.subarray(0, at), some, bytes.subarray(at + some.length)]),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.concat([Buffer.from('\ufeff'), bytes]),
    () => Buffer.concat([Buffer.from('\ufeff\ufeff'), bytes]),
    () => Buffer.concat([bytes, Buffer.from(pick(random, ['\n', '\0', ',', ' ', '}', '//', '\r\n\r\n']))]),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(text.replaceAll('"', "'")),
    () => Buffer.alloc(0),
    () => Buffer.from([0xc0, 0xaf]),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([0xed, 0xa0, 0x80]), bytes.subarray(at)]),
    () => Buffer.concat([bytes, Buffer.alloc(1024 * 1024 + 1 - Math.min(bytes.length, 100), ' ')]),
  ];
  return pick(random, make)();
}

interface SchemaLike {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaLike>>;
  readonly items?: SchemaLike;
  readonly maxLength?: number;
}

/** An operation of the OpenAPI document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly queries: readonly string[];
  readonly bodies: readonly JsonLike[];
  readonly schema: SchemaLike | null;
}

interface DocumentLike {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationLike>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, SchemaLike>> };
}

interface OperationLike {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaLike>> };
}

interface MediaLike {
  readonly schema: SchemaLike;
  readonly example?: JsonLike;
  readonly examples?: Readonly<Record<string, { readonly value: JsonLike }>>;
}

/** All operations of the workspace API, from the server's OpenAPI document. */
export async function readOperations(url: string): Promise<Operation[]> {
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as DocumentLike;
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/v1'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
        const media = requestBody?.content['application/json'];
        const bodies = media?.examples
          ? Object.values(media.examples).map(({ value }) => value)
          : media?.example === undefined
            ? []
            : [media.example];
        const name = media?.schema.$ref?.split('/').at(-1);
        return {
          method: method.toUpperCase(),
          path,
          queries: parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name),
          bodies,
          schema: name === undefined ? (media?.schema ?? null) : (document.components.schemas[name] ?? null),
        };
      }),
    );
}

/** Returns why the document requires that a body be rejected, or null. The server may be stricter. */
export function schemaProblem({ properties = {} }: SchemaLike, body: Buffer): string | null {
  let sent: unknown;
  try {
    sent = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return 'it is no JSON';
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return 'it is no object';
  for (const [name, value] of Object.entries(sent)) {
    if (!Object.hasOwn(properties, name)) return `${name} is unknown`;
    const { type, maxLength = Number.POSITIVE_INFINITY } = properties[name] ?? {};
    if (
      value === null ||
      type === undefined ||
      (typeof value === 'string' && isBlank(value)) ||
      (Array.isArray(value) && value.length === 0)
    )
      continue;
    const found = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
    if (![type].flat().includes(found)) return `${name} is of the type ${found}, not ${type}`;
    if (typeof value === 'string' && (Array.from(value).length > maxLength || /\p{Cs}|\0/u.test(value)))
      return `${name} is no such text`;
  }
  return null;
}
