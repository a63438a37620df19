import { Validator } from '@seriousme/openapi-schema-validator';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);
/** The status of a successful WebSocket handshake, which has no body (RFC 9110, section 15.2.2). */
const SWITCHING = '101';

/**
 * Returns where an OpenAPI document violates the standard or the rules of this project; an empty list if it violates
 * none.
 */
export async function openApiProblems(document: object): Promise<string[]> {
  const root = JSON.parse(JSON.stringify(document)) as JsonObject;
  return [
    ...(await standardProblems(root)),
    ...referenceProblems(root),
    ...operationProblems(root),
    ...bodyProblems(root),
    ...responseProblems(root),
    ...schemaProblems(root),
  ];
}

/** Compiles the schema of the standard only once, which takes half a second. */
const standard = new Validator();

async function standardProblems(root: JsonObject): Promise<string[]> {
  const problems = root.openapi === '3.1.0' ? [] : [`openapi is ${root.openapi} and not 3.1.0`];
  const result = await standard.validate(structuredClone(root));
  if (!result.valid) problems.push(`not valid OpenAPI 3.1: ${JSON.stringify(result.errors)}`);
  return problems;
}

function referenceProblems(root: JsonObject): string[] {
  const used = new Set([...nodes(root)].map(({ value }) => value.$ref).filter((ref) => typeof ref === 'string'));
  const problems = [...used].filter((ref) => at(root, ref) === undefined).map((ref) => `${ref} points at nothing`);
  for (const kind of ['schemas', 'responses', 'headers']) {
    for (const name of Object.keys(at(root, `#/components/${kind}`) ?? {})) {
      const ref = `#/components/${kind}/${name}`;
      if (!used.has(ref)) problems.push(`${ref} is used nowhere`);
    }
  }
  return problems;
}

function operationProblems(root: JsonObject): string[] {
  const problems: string[] = [];
  const tags = new Set((root.tags as JsonObject[] | undefined)?.map(({ name }) => name));
  const schemes = Object.keys(at(root, '#/components/securitySchemes') ?? {});
  const ids = new Set<Json | undefined>();
  for (const { pointer, value } of nodes(root.paths as JsonObject)) {
    if (!METHODS.has(pointer.split('/').at(-1) ?? '') || !('operationId' in value || 'responses' in value)) continue;
    const { operationId, summary, responses } = value;
    if (!operationId || !summary) problems.push(`${pointer} lacks an operationId or a summary`);
    const isTagged = Array.isArray(value.tags) && value.tags.length === 1 && tags.has(value.tags[0] as Json);
    if (!isTagged) problems.push(`${pointer} lacks the one tag that the document describes`);
    if (!isGuarded(value.security, schemes)) problems.push(`${pointer} does not say what opens it`);
    if (ids.has(operationId)) problems.push(`${pointer} has the operationId ${operationId} of another`);
    ids.add(operationId);
    const statuses = Object.keys(responses ?? {});
    // An operation that creates something may return 200 if it already existed.
    const successes = statuses.filter((status) => status.startsWith('2')).join(', ');
    const isOne = ['200', '201', '200, 201'].includes(successes) || (successes === '' && statuses.includes(SWITCHING));
    if (!isOne) problems.push(`${pointer} has no one success`);
    for (const status of ['405', '500']) {
      if (!statuses.includes(status)) problems.push(`${pointer} does not document ${status}`);
    }
  }
  return problems;
}

/** Whether a list of credentials is valid. It may be empty, which means that none are needed, but not missing. */
function isGuarded(security: Json | undefined, schemes: readonly string[]): boolean {
  if (!Array.isArray(security)) return false;
  return security.every((requirement) => Object.keys(requirement ?? {}).every((name) => schemes.includes(name)));
}

function bodyProblems(root: JsonObject): string[] {
  const bodies = [...nodes(root)].filter(({ pointer }) => pointer.endsWith('/requestBody'));
  return bodies
    .filter(({ value }) => !isFile(value) && !hasExamples(jsonOf(value)))
    .map(({ pointer }) => `${pointer} lacks a schema or examples`);
}

function jsonOf(container: JsonObject | undefined): JsonObject | undefined {
  return (container?.content as JsonObject | undefined)?.['application/json'] as JsonObject | undefined;
}

/** Whether the body is a file, which no example could show. */
function isFile(response: JsonObject | undefined): boolean {
  const content = Object.entries((response?.content as Record<string, JsonObject> | undefined) ?? {});
  return content.some(
    ([type, { schema }]) =>
      (schema as JsonObject | undefined)?.contentMediaType === type || isAnyAvatar(schema as JsonObject, type),
  );
}

function isAnyAvatar({ contentMediaType }: JsonObject, type: string): boolean {
  return contentMediaType === 'image/*' && type.startsWith('image/');
}

function hasExamples(json: JsonObject | undefined): boolean {
  return json?.schema !== undefined && (json.example !== undefined || json.examples !== undefined);
}

function responseProblems(root: JsonObject): string[] {
  const problems: string[] = [];
  for (const { pointer, value } of nodes(root)) {
    const inOperation = /\/responses\/(\d{3})$/.exec(pointer)?.[1];
    if (inOperation === undefined && !/^\/components\/responses\/[^/]+$/.test(pointer)) continue;
    const response = typeof value.$ref === 'string' ? (at(root, value.$ref) as JsonObject | undefined) : value;
    if (!response?.description) problems.push(`${pointer} lacks a description`);
    if (!(response?.headers as JsonObject | undefined)?.['X-Request-Id'])
      problems.push(`${pointer} lacks X-Request-Id`);
    const json = jsonOf(response);
    if (inOperation !== SWITCHING && !isFile(response) && !hasExamples(json)) {
      problems.push(`${pointer} lacks a schema or examples`);
    }
    const isError = inOperation === undefined || inOperation >= '400';
    const isErrorBody = (json?.schema as JsonObject | undefined)?.$ref === '#/components/schemas/Error';
    if (isError && !isErrorBody) problems.push(`${pointer} is an error without the error body`);
  }
  return problems;
}

/** Field names of a document that Ajv would treat as unknown keywords of a schema. */
const DOCUMENT_FIELDS = ['openapi', 'info', 'servers', 'tags', 'paths', 'components', 'security'];

/** Compiles each schema as JSON Schema 2020-12, and validates each example against its schema. */
function schemaProblems(root: JsonObject): string[] {
  // Some schemas differ from their siblings only in required fields, which Ajv rejects in strict mode.
  const ajv = new Ajv({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
  ajv.addVocabulary(DOCUMENT_FIELDS);
  addFormats(ajv);
  ajv.addSchema(root, 'document');
  const problems: string[] = [];
  const compile = (pointer: string, examples: Json[]): void => {
    try {
      const validate = ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
      for (const example of examples) {
        if (!validate(example))
          problems.push(`an example of ${pointer} is not valid: ${ajv.errorsText(validate.errors)}`);
      }
    } catch (error) {
      problems.push(`${pointer} is no JSON Schema: ${error}`);
    }
  };
  for (const { pointer, value } of nodes(root)) {
    if (Array.isArray(value.examples)) compile(pointer, value.examples);
    else if (/^\/components\/schemas\/[^/]+$/.test(pointer)) compile(pointer, []);
    if (value.schema) compile(`${pointer}/schema`, mediaExamples(value));
  }
  return problems;
}

function mediaExamples({ example, examples = {} }: JsonObject): Json[] {
  if (example !== undefined) return [example];
  return Object.values(examples as JsonObject).map((example) => (example as JsonObject).value ?? null);
}

type Json = null | boolean | number | string | Json[] | JsonObject;
interface JsonObject {
  [name: string]: Json;
}

/** Yields every object in a document with its JSON Pointer (RFC 6901). */
function* nodes(value: Json, pointer = ''): Generator<{ pointer: string; value: JsonObject }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { pointer, value };
  for (const [name, inner] of Object.entries(value)) {
    yield* nodes(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

/** Resolves a reference within the same document. */
function at(root: JsonObject, ref: string): Json | undefined {
  let found: Json | undefined = root;
  for (const part of ref.replace(/^#\//, '').split('/')) {
    found = (found as JsonObject | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return found;
}
