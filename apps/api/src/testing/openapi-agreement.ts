import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import { at, type Json, type JsonObject } from './json-nodes.ts';
import { letSlowedPass } from './let-slowed-pass.ts';
import { ValueMaker } from './openapi-values.ts';
import { pick, type Seeded, seeded } from './seeded.ts';
import { type StockedHub, startStockedHub } from './stocked-hub.ts';

export interface AgreementOptions {
  requests: number;
  seed: number;
  onProgress?: (done: number) => void;
}

export interface Agreement {
  /** Where document and server disagree; the request is part of each. */
  findings: string[];
  /** How many requests got each status. */
  statuses: Record<number, number>;
  /** Operations that were answered with a success at least once. */
  succeeded: Set<string>;
  operations: number;
}

/** The requests of one server with what was made on it: most of that is deleted or disabled afterwards. */
const REQUESTS_PER_SERVER = 100;
const SECOND_MS = 1_000;
/** Three of some ninety operations, but those that most programs use. */
const PUBLIC_SHARE = 0.25;
const METHODS_WITHOUT_BODY = new Set(['GET', 'HEAD']);

/**
 * Rules that the document states in words, because no JSON Schema can: how fields relate to each other, to what is stored and
 * to the time, and what no pattern recognises. Where one of these is the message of a 400, the schema may well have accepted it.
 */
const RULES_IN_TEXT = [
  /must be a real date and a time/,
  /^expiresAt (has passed|is more than 100 years away)/,
  /^This key would /,
  /^from must be before to/,
  /must be an e-mail address/,
  /may not hold characters that do not show/,
  /must not be the e-mail address/,
  /common password|too common|easy to guess/,
  /^The (present )?password is wrong/,
  /^password (is required: in a browser|belongs to a session)/,
  /^(p256dh|auth|endpoint) must /,
  /^timeZone must be one of the IANA/,
  /^toMinute must be another than fromMinute/,
  /is not a field of (a note|a set-up|accepting an invitation|a password reset)[:;]/,
  /is required in (a set-up|accepting an invitation)/,
  /^assigneeId must be the id of an active member/,
  /^This message has no line that could be a title/,
  /^before and after lead in two directions/,
  /^q holds no word/,
  /cannot be me: the local admin is no person/,
  /^unread is for people/,
  /is a reply(,| itself)/,
  /^A reaction is one emoji/,
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

/** Sends requests made from the OpenAPI document to a real server, and holds each and its response against the document. */
export async function checkAgreement({ requests, seed, onProgress }: AgreementOptions): Promise<Agreement> {
  const agreement: Agreement = { findings: [], statuses: {}, succeeded: new Set(), operations: 0 };
  const validators = new Map<string, ValidateFunction>();
  for (let done = 0; done < requests; done += REQUESTS_PER_SERVER) {
    const random = seeded(seed + done);
    await using server = await startStockedHub();
    const checker = new Checker(server, { random, agreement, validators });
    for (let index = 0; index < Math.min(REQUESTS_PER_SERVER, requests - done); index += 1) await checker.next();
    onProgress?.(done + REQUESTS_PER_SERVER);
  }
  return agreement;
}

class Checker {
  readonly #server: StockedHub;
  readonly #random: Seeded;
  readonly #agreement: Agreement;
  readonly #operations: Operation[];
  readonly #values: ValueMaker;
  readonly #ajv: Ajv;
  /** By schema; the same for every server, since the document is. */
  readonly #validators: Map<string, ValidateFunction>;
  #sent = 0;

  constructor(
    server: StockedHub,
    run: { random: Seeded; agreement: Agreement; validators: Map<string, ValidateFunction> },
  ) {
    const { random, agreement } = run;
    this.#server = server;
    this.#random = random;
    this.#agreement = agreement;
    this.#validators = run.validators;
    this.#operations = operationsOf(server.root);
    agreement.operations = this.#operations.length;
    this.#values = new ValueMaker(server.root, random, server.known);
    // `format` is a note in JSON Schema 2020-12, and no rule.
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
    // Each from an address of its own and seconds after the last, so that nobody is slowed or blocked for another.
    this.#sent += 1;
    hub.comeFrom(`10.${this.#sent >> 16}.${(this.#sent >> 8) & 255}.${this.#sent & 255}`);
    hub.clock.advance(2 * SECOND_MS);
    const result = this.#send(operation, search, init).then(read);
    // A wrong password is answered late; to a download the time that passes would be a reader who has gone away.
    const isDownload = operation.path.endsWith('/backups');
    const { response, text } = await (isDownload ? result : letSlowedPass(hub.clock, result));
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
    const part =
      known === undefined || this.#random() < 0.1 ? pick(this.#random, ['none', '%F0%9F%91%8D', 'a%00b', '-']) : known;
    return part.startsWith('%') || part.includes('%00') ? part : encodeURIComponent(part);
  }

  /** `isValid` is `null` where the document says nothing: of a parameter that it does not know. */
  #query({ parameters }: Operation): { text: string; isValid: boolean | null } {
    if (this.#random() < 0.05) return { text: 'unknown=1', isValid: null };
    const query = new URLSearchParams();
    let isValid = true;
    for (const { in: place, name, required, schema } of parameters as (JsonObject & { schema: JsonObject })[]) {
      if (place !== 'query') continue;
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
    if (status < 300) succeeded.add(operation.name);
    const isValid = query.isValid === null ? null : query.isValid && body.isValid;
    if (isValid === false && status < 300) yield 'accepted, though the document refuses it';
    if (isValid && status === 400) {
      const { message } = JSON.parse(text) as { message: string };
      if (!RULES_IN_TEXT.some((rule) => rule.test(message))) yield 'refused, though the document accepts it';
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
