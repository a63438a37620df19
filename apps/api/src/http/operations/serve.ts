import { isUtf8 } from 'node:buffer';
import { WORKSPACE_API_PATH } from '@hub/contract';
import { nearestWord } from '@hub/contract/nearest-word';
import { type Operation, type Operations, operations, type PathParameter } from '@hub/contract/operations';
import type { OperationDeclaration } from '@hub/contract/operations/operation';
import {
  type PublicOperation,
  type PublicOperationDeclaration,
  publicOperations,
  publicPath,
} from '@hub/contract/operations/public';
import {
  KindGuard,
  OptionalKind,
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnknown,
} from '@sinclair/typebox';
import { type Context, Elysia } from 'elysia';
import type { Caller, UserCaller } from '../../access/caller.ts';
import { AppError, printable } from '../../platform/errors.ts';
import { parseDateTime } from '../../platform/time.ts';
import { choicesOf } from '../field-rules.ts';
import { readJsonBody, readJsonText, readOptionalJsonBody } from '../read-body.ts';
import { contextOf, type RequestContext } from '../request-context.ts';
import { type HeaderFacts, RATE_LIMIT_POLICY, RESPONSE_HEADERS } from '../response-headers.ts';
import { readFields, readNoFields, readPatch } from '../validate.ts';
import { describeOperation } from './describe-operation.ts';
import { callerOf, requireAccess, userOf } from './workspace-gate.ts';

/** The input of a handler: validated as declared, with the caller, authorized as declared. */
export interface Input<O extends Operation> {
  readonly request: Request;
  readonly context: RequestContext;
  readonly caller: CallerOf<Operations[O]>;
  readonly params: Readonly<Record<PathParameter<O>, string>>;
  readonly query: Operations[O] extends { query: infer Query extends TProperties } ? QueryOf<Query> : undefined;
  readonly body: Operations[O] extends { body: infer Body extends TSchema } ? Static<Body> : undefined;
  setCookie(cookie: string): void;
}

type CallerOf<D> = D extends { access: 'anyone' }
  ? undefined
  : D extends { access: 'user' | 'session' }
    ? UserCaller
    : Caller;

/** The result of an operation: its declared body, or a response for a body that is not JSON. */
type Result<O extends Operation> =
  | Static<Operations[O]['success']>
  | Repeated<Static<Operations[O]['success']>>
  | Response;
type Handler<O extends Operation> = (input: Input<O>) => Result<O> | Promise<Result<O>>;

/** A result that existed already, so that its status is 200 where the operation declares 201. */
class Repeated<T> {
  constructor(readonly result: T) {}
}
export const repeated = <T>(result: T): Repeated<T> => new Repeated(result);

const readsBody = new WeakSet<object>();
/** Marks a handler that reads the body itself. */
export function withRawBody<H extends object>(handler: H): H {
  readsBody.add(handler);
  return handler;
}

/** Registers the handlers of declared operations. */
export function serve(handlers: { readonly [O in Operation]?: Handler<O> }) {
  const app = new Elysia();
  for (const [operation, handler] of Object.entries(handlers)) {
    addRoute(app, operation as Operation, handler as (input: unknown) => unknown);
  }
  return app;
}

type PublicOperations = typeof publicOperations;
type PublicHandlers = {
  readonly [O in PublicOperation]?: (input: {
    readonly request: Request;
    readonly context: RequestContext;
    /** The body, validated as declared; the text of one that can be any JSON. A file is read by the handler. */
    readonly body: PublicOperations[O]['body'] extends TUnknown ? string : Static<PublicOperations[O]['body']>;
    readonly query: PublicOperations[O] extends { query: infer Query extends TProperties } ? QueryOf<Query> : undefined;
  }) => Promise<Static<PublicOperations[O]['success']>>;
};

/** Registers the handlers of declared operations of the public API. Its gate has checked the key before. */
export function servePublic(handlers: PublicHandlers) {
  const app = new Elysia();
  for (const [operation, handler] of Object.entries(handlers)) {
    const declared: PublicOperationDeclaration = publicOperations[operation as PublicOperation];
    const readBody = KindGuard.IsUnknown(declared.body)
      ? (request: Request) => readJsonText(request, declared.formField)
      : bodyReader('POST', declared);
    const respond = async ({ request }: { request: Request }) => {
      const context = contextOf(request);
      const body = (await readBody(request)) as never;
      const query = (declared.query && readQuery(request, declared.query)) as never;
      return createdResponse(await handler({ request, context, body, query } as never), context);
    };
    app.post(publicPath(operation), respond, { parse: 'none', detail: describeOperation(operation, declared) });
  }
  return app;
}

/** The headers of every 201 of the public API: each response copies them, which is faster than a new list. */
const createdHeaders = new Headers({
  ...RESPONSE_HEADERS,
  'content-type': 'application/json;charset=utf-8',
  'ratelimit-policy': RATE_LIMIT_POLICY,
});

function createdResponse(body: object, { requestId, rateLimit = '' }: HeaderFacts): Response {
  createdHeaders.set('x-request-id', requestId);
  createdHeaders.set('ratelimit', rateLimit);
  return new Response(JSON.stringify(body), { status: 201, headers: createdHeaders });
}

function addRoute(app: Elysia, operation: Operation, handler: (input: unknown) => unknown): void {
  const declared: OperationDeclaration = operations[operation];
  const [method = '', path = ''] = operation.split(' ');
  const { access = 'admin', confirmation, query, success, status: statusCode = 200 } = declared;
  const { turn = query && 'limit' in query ? 'shared' : method === 'GET' ? null : 'own' } = declared;
  const isRaw = readsBody.has(handler);
  const readBody = isRaw ? () => undefined : bodyReader(method, declared);
  const options = { readsBody: isRaw || declared.body !== undefined || declared.noun !== undefined };
  const ofCaller =
    access === 'anyone' ? () => undefined : access === 'user' || access === 'session' ? userOf : callerOf;
  const isJson = success.contentMediaType === undefined;
  app.route(
    method,
    `${WORKSPACE_API_PATH}${path === '/' ? '' : path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    (async ({ request, params, set, status }: Context) => {
      const result = await handler({
        request,
        params: decoded(params),
        context: contextOf(request),
        caller: ofCaller(request),
        query: query && readQuery(request, query),
        body: await readBody(request),
        setCookie: (cookie: string) => {
          set.headers['set-cookie'] = cookie;
          // The next user of the browser must not find files and avatars in its cache (OWASP ASVS 5.0, V14.3.1).
          if (cookie.includes('Max-Age=0;')) set.headers['clear-site-data'] = '"cache"';
        },
      });
      if (result instanceof Response) return result;
      return result instanceof Repeated ? status(200, result.result) : status(statusCode, result);
    }) as never,
    {
      config: {},
      parse: 'none',
      beforeHandle: async ({ request }: { request: Request }) => {
        requireAccess(request, access);
        if (turn) await contextOf(request).takeTurn?.(turn, options);
        if (confirmation === 'always') await contextOf(request).requireConfirmed?.();
      },
      ...(isJson && { response: { [statusCode]: success, ...(declared.repeated && { 200: success }) } }),
      detail: describeOperation(operation, declared),
    } as never,
  );
}

/** Returns '' for an id that the router cannot decode: no record has that id. */
function decoded(params: Readonly<Record<string, string | null>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, text ?? '']));
}

function bodyReader(
  method: string,
  { body, noun = '' }: Pick<OperationDeclaration, 'body' | 'noun'>,
): (request: Request) => unknown {
  if (body === undefined) return noun === '' ? () => undefined : (request) => readNoFields(request, noun);
  if (!KindGuard.IsObject(body)) return () => undefined;
  const schema: TObject = body;
  const read = OptionalKind in body ? readOptionalJsonBody : readJsonBody;
  const validate = method === 'PATCH' ? readPatch : readFields;
  return async (request) => validate(schema, await read(request), { noun });
}

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
