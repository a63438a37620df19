import { expect, test } from 'bun:test';
import { pick, type Random, seeded } from '@hub/testkit';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import { at, type Json, type JsonObject, type StockedHub, startStockedHub, ValueMaker } from './openapi-requests.ts';

interface Agreement {
  /** The differences between the document and the server, each with the request that shows it. */
  findings: string[];
  /** How many requests got each status. */
  statuses: Record<number, number>;
  /** Operations that succeeded at least once. */
  succeeded: Set<string>;
  operations: number;
}

/** Requests before a new server is started. By then, most of the content of the old one is deleted or disabled. */
const REQUESTS_PER_SERVER = 100;
const SECOND_MS = 1_000;
/** The fraction of requests that go to the public API: only a few of about a hundred operations, but the most used. */
const PUBLIC_SHARE = 0.25;
/** Percent-encoded: text, NUL, what is not UTF-8, a path. */
const ODD_PATHS = ['%F0%9F%91%8D', 'a%00b', '%FF', 'a%C3', '%ED%A0%80', '%', '..%2F..%2Fetc%2Fpasswd', "%22'%22"];
const METHODS_WITHOUT_BODY = new Set(['GET', 'HEAD']);

/**
 * Error messages for rules that the document states in prose, because JSON Schema cannot express them: how fields
 * relate to each other, to stored data and to the time. With one of these messages, a 400 is correct even if the schema
 * accepts the request.
 */
const RULES_IN_TEXT = [
  /must be a valid date and time/,
  /^expiresAt is (in the past|more than 100 years away)/,
  /^This key would /,
  /^from must be before to/,
  /must be an e-mail address/,
  /cannot contain invisible characters/,
  /must not be the e-mail address/,
  /common password|too common|easy to guess/,
  /^The (current )?password is incorrect/,
  /^password is (required: confirm it to take a backup|only accepted with a session)/,
  /^(p256dh|auth|endpoint) must /,
  /^timeZone must be an IANA time zone/,
  /^toMinute must differ from fromMinute/,
  /is not a field of (a note|a setup|accepting an invitation|a password reset)[:;]/,
  /is required in (a setup|accepting an invitation)/,
  /^assigneeId must be the id of an active member/,
  /^This message has no text to use as a title/,
  /^before and after cannot be combined/,
  /^q contains no word/,
  /cannot be me: the local admin has no user account/,
  /^unread requires a user account/,
  /is (itself )?a reply( and|\.)/,
  /^A reaction must be a single emoji/,
  /WebSocket handshake/,
];

interface Operation {
  name: string;
  method: string;
  path: string;
  parameters: JsonObject[];
  body: JsonObject | null;
  isBodyRequired: boolean;
  responses: JsonObject;
}

/**
 * Sends requests generated from the OpenAPI document to a real server, and checks each response against the document.
 */
async function checkAgreement(requests: number, seed: number): Promise<Agreement> {
  const agreement: Agreement = { findings: [], statuses: {}, succeeded: new Set(), operations: 0 };
  const validators = new Map<string, ValidateFunction>();
  for (let done = 0; done < requests; done += REQUESTS_PER_SERVER) {
    const random = seeded(seed + done);
    await using server = await startStockedHub();
    const checker = new Checker(server, { random, agreement, validators });
    for (let index = 0; index < Math.min(REQUESTS_PER_SERVER, requests - done); index += 1) await checker.next();
  }
  return agreement;
}

class Checker {
  readonly #server: StockedHub;
  readonly #random: Random;
  readonly #agreement: Agreement;
  readonly #operations: Operation[];
  readonly #values: ValueMaker;
  readonly #ajv: Ajv;
  /** Validators by schema; the same for every server, since the document is the same. */
  readonly #validators: Map<string, ValidateFunction>;
  #sent = 0;

  constructor(
    server: StockedHub,
    run: { random: Random; agreement: Agreement; validators: Map<string, ValidateFunction> },
  ) {
    const { random, agreement } = run;
    this.#server = server;
    this.#random = random;
    this.#agreement = agreement;
    this.#validators = run.validators;
    this.#operations = operationsOf(server.root);
    agreement.operations = this.#operations.length;
    this.#values = new ValueMaker(server.root, random, server.known);
    // In JSON Schema 2020-12, `format` is an annotation and is not validated.
    this.#ajv = new Ajv({ strict: false, validateFormats: false });
    this.#ajv.addSchema(server.root, 'document');
  }

  async next(): Promise<void> {
    const { hub } = this.#server;
    const isPost = this.#random() < PUBLIC_SHARE;
    const operation = pick(
      this.#random,
      this.#operations.filter(({ path }) => isPublic(path) === isPost),
    );
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => this.#pathPart(name));
    const query = this.#query(operation);
    const body = this.#body(operation);
    const search = query.text === '' ? path : `${path}?${query.text}`;
    const headers: Record<string, string> = body.type === null ? {} : { 'content-type': body.type };
    const init: RequestInit = { method: operation.method, headers, body: body.sent };
    // Each request has its own address and time, so that none is slowed down or blocked because of another.
    this.#sent += 1;
    hub.setClientAddress(`10.${this.#sent >> 16}.${(this.#sent >> 8) & 255}.${this.#sent & 255}`);
    hub.clock.advance(2 * SECOND_MS);
    const result = this.#send(operation, search, init).then(read);
    // The response to a wrong password is delayed, so the clock must advance, but not during a download: its reader
    // would seem to be gone.
    const isDownload = /\/(backups|export)$/.test(operation.path);
    const { response, text } = await (isDownload ? result : settleDelayed(hub.clock, result));
    const shown = `${operation.name}: ${operation.method} ${search} ${String(body.shown).slice(0, 300)}`;
    for (const finding of this.#check(operation, { query, body }, response, text)) {
      this.#agreement.findings.push(`${finding}\n    ${shown}\n    ${response.status} ${text.slice(0, 300)}`);
    }
  }

  async #send({ path }: Operation, search: string, init: RequestInit): Promise<Response> {
    const { hub, callers, keys } = this.#server;
    if (isPublic(path)) {
      const headers = { ...init.headers, authorization: `Bearer ${pick(this.#random, keys)}` };
      return hub.fetch(search, { ...init, headers });
    }
    return pick(this.#random, callers).send(search, init);
  }

  #pathPart(name: string): string {
    const known = this.#server.ids[name];
    const part = known === undefined || this.#random() < 0.1 ? pick(this.#random, ['none', '-', ...ODD_PATHS]) : known;
    return ODD_PATHS.includes(part) ? part : encodeURIComponent(part);
  }

  /** Returns a query string. `isValid` is `null` if it has an unknown parameter, which the document does not cover. */
  #query({ parameters }: Operation): { text: string; isValid: boolean | null } {
    if (this.#random() < 0.05) return { text: 'unknown=1', isValid: null };
    const query = new URLSearchParams();
    let isValid = true;
    for (const { in: location, name, required, schema } of parameters as (JsonObject & { schema: JsonObject })[]) {
      if (location !== 'query') continue;
      if (this.#random() < (required === true ? 0.05 : 0.7)) {
        if (required === true) isValid = false;
        continue;
      }
      const value = this.#values.fitting(schema, String(name));
      const text = this.#random() < 0.3 ? String(this.#values.mutated(value)) : String(value);
      query.append(String(name), text.toWellFormed());
      if (!this.#fits(schema, schema.type === 'integer' && /^\d{1,9}$/.test(text) ? Number(text) : text))
        isValid = false;
    }
    return { text: query.toString(), isValid };
  }

  #body({ body, isBodyRequired, method }: Operation) {
    if (body === null) {
      const isSent = !METHODS_WITHOUT_BODY.has(method) && this.#random() < 0.1;
      const sent = isSent ? JSON.stringify({ unknown: 1 }) : null;
      return { sent, shown: sent, type: isSent ? 'application/json' : null, isValid: !isSent };
    }
    if (this.#random() < 0.03) return { sent: null, shown: null, type: 'application/json', isValid: !isBodyRequired };
    let value = this.#values.fitting(body);
    while (this.#random() < 0.4) value = this.#values.mutated(value);
    const sent = JSON.stringify(value);
    return { sent, shown: sent, type: 'application/json', isValid: this.#fits(body, JSON.parse(sent)) };
  }

  *#check(
    operation: Operation,
    { query, body }: { query: { isValid: boolean | null }; body: { isValid: boolean } },
    { status, headers }: Response,
    text: string,
  ): Generator<string> {
    const { statuses, succeeded } = this.#agreement;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status >= 500) yield 'failed';
    if (status < 300) succeeded.add(operation.name);
    const isValid = query.isValid === null ? null : query.isValid && body.isValid;
    if (isValid === false && status < 300) yield 'accepted, though the document refuses it';
    if (isValid && status === 400) {
      const { message } = JSON.parse(text) as { message: string };
      if (!RULES_IN_TEXT.some((rule) => rule.test(message))) yield 'rejected, although the document accepts it';
    }
    const described = operation.responses[status] as JsonObject | undefined;
    if (described === undefined) return yield `the status ${status} is not listed`;
    const response = (
      typeof described.$ref === 'string' ? at(this.#server.root, described.$ref) : described
    ) as JsonObject;
    for (const [name, header] of Object.entries((response.headers ?? {}) as Record<string, JsonObject>)) {
      const { required } = (
        typeof header.$ref === 'string' ? at(this.#server.root, header.$ref) : header
      ) as JsonObject;
      if (required === true && !headers.has(name)) yield `the header ${name} is missing`;
    }
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    const media = ((response.content ?? {}) as Record<string, JsonObject>)[type];
    if (media === undefined) return yield `the type ${type} is not listed`;
    if (type === 'application/json' && !this.#fits(media.schema as JsonObject, JSON.parse(text))) {
      yield 'the response does not fit its schema';
    }
  }

  #fits(schema: JsonObject, value: Json): boolean {
    const source = JSON.stringify(schema);
    let validate = this.#validators.get(source);
    if (validate === undefined) {
      validate = this.#ajv.compile(JSON.parse(source.replaceAll('"#/', '"document#/')));
      this.#validators.set(source, validate);
    }
    return validate(value) as boolean;
  }
}

const isPublic = (path: string): boolean => path.startsWith('/api/public/');

async function read(response: Response): Promise<{ response: Response; text: string }> {
  return { response, text: await response.text() };
}

function operationsOf(root: JsonObject): Operation[] {
  return Object.entries(root.paths as Record<string, Record<string, JsonObject>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, parameters = [], requestBody, responses } = operation;
      const { content, required } = (requestBody ?? {}) as { content?: Record<string, JsonObject>; required?: boolean };
      return {
        name: String(operationId),
        method: method.toUpperCase(),
        path,
        parameters: parameters as JsonObject[],
        body: (content?.['application/json']?.schema ?? null) as JsonObject | null,
        isBodyRequired: required === true,
        responses: responses as JsonObject,
      };
    }),
  );
}

/** The long form: `OPENAPI_REQUESTS=20000 bun test apps/api/test/openapi-agreement.property.test.ts --timeout 6000000`. */
const REQUESTS = Number(process.env.OPENAPI_REQUESTS ?? 400);

test('the server accepts and rejects what the OpenAPI document says, and responds as documented', async () => {
  const { findings, statuses, succeeded, operations } = await checkAgreement(REQUESTS, 13);
  expect(findings).toEqual([]);
  // If everything or nothing was rejected, the test would prove nothing.
  expect(succeeded.size).toBeGreaterThan(operations / 2);
  expect(statuses[400]).toBeGreaterThan(50);
});
