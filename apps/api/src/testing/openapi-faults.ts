import { Validator } from '@seriousme/openapi-schema-validator';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

type Json = null | boolean | number | string | Json[] | JsonObject;
interface JsonObject {
  [name: string]: Json;
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);
/** Names of the fields of a document that Ajv would take for unknown keywords of a schema. */
const DOCUMENT_FIELDS = ['openapi', 'info', 'servers', 'tags', 'paths', 'components', 'security'];

/** What is wrong with an OpenAPI document, beyond the standard also by the rules of this house; empty if nothing is. */
export async function openApiFaults(document: object): Promise<string[]> {
  const root = JSON.parse(JSON.stringify(document)) as JsonObject;
  return [
    ...(await standardFaults(root)),
    ...referenceFaults(root),
    ...operationFaults(root),
    ...answerFaults(root),
    ...schemaFaults(root),
  ];
}

async function standardFaults(root: JsonObject): Promise<string[]> {
  const faults = root.openapi === '3.1.0' ? [] : [`openapi is ${root.openapi} and not 3.1.0`];
  const result = await new Validator().validate(structuredClone(root));
  if (!result.valid) faults.push(`not valid OpenAPI 3.1: ${JSON.stringify(result.errors)}`);
  return faults;
}

function referenceFaults(root: JsonObject): string[] {
  const used = new Set([...nodes(root)].map(({ value }) => value.$ref).filter((ref) => typeof ref === 'string'));
  const faults = [...used].filter((ref) => at(root, ref) === undefined).map((ref) => `${ref} points at nothing`);
  for (const kind of ['schemas', 'responses', 'headers']) {
    for (const name of Object.keys(at(root, `#/components/${kind}`) ?? {})) {
      const ref = `#/components/${kind}/${name}`;
      if (!used.has(ref)) faults.push(`${ref} is used nowhere`);
    }
  }
  return faults;
}

function operationFaults(root: JsonObject): string[] {
  const faults: string[] = [];
  const ids = new Set<Json | undefined>();
  for (const { pointer, value } of nodes(root.paths as JsonObject)) {
    if (!METHODS.has(pointer.split('/').at(-1) ?? '') || !('operationId' in value || 'responses' in value)) continue;
    const { operationId, summary, tags, responses } = value;
    if (!operationId || !summary || !tags) faults.push(`${pointer} lacks an operationId, a summary or tags`);
    if (ids.has(operationId)) faults.push(`${pointer} has the operationId ${operationId} of another`);
    ids.add(operationId);
    const statuses = Object.keys(responses ?? {});
    // What makes something may answer 200 if it was there already.
    const successes = statuses.filter((status) => status.startsWith('2')).join(', ');
    if (!['200', '201', '200, 201'].includes(successes)) faults.push(`${pointer} has no one success`);
    for (const status of ['405', '500']) {
      if (!statuses.includes(status)) faults.push(`${pointer} does not document ${status}`);
    }
  }
  return faults;
}

function answerFaults(root: JsonObject): string[] {
  const faults: string[] = [];
  for (const { pointer, value } of nodes(root)) {
    const inOperation = /\/responses\/(\d{3})$/.exec(pointer)?.[1];
    if (inOperation === undefined && !/^\/components\/responses\/[^/]+$/.test(pointer)) continue;
    const answer = typeof value.$ref === 'string' ? (at(root, value.$ref) as JsonObject | undefined) : value;
    if (!answer?.description) faults.push(`${pointer} lacks a description`);
    if (!(answer?.headers as JsonObject | undefined)?.['X-Request-Id']) faults.push(`${pointer} lacks X-Request-Id`);
    const json = (answer?.content as JsonObject | undefined)?.['application/json'] as JsonObject | undefined;
    if (!json?.schema || !(json.example || json.examples)) faults.push(`${pointer} lacks a schema or examples`);
    const isError = inOperation === undefined || inOperation >= '400';
    const isErrorBody = (json?.schema as JsonObject | undefined)?.$ref === '#/components/schemas/Error';
    if (isError && !isErrorBody) faults.push(`${pointer} is an error without the error body`);
  }
  return faults;
}

/** Compiles each schema as JSON Schema 2020-12, and holds each example against its schema. */
function schemaFaults(root: JsonObject): string[] {
  // Some schemas differ from their siblings in what is required alone, which Ajv's strict mode takes for a mistake.
  const ajv = new Ajv({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
  ajv.addVocabulary(DOCUMENT_FIELDS);
  addFormats(ajv);
  ajv.addSchema(root, 'document');
  const faults: string[] = [];
  const compile = (pointer: string, examples: Json[]): void => {
    try {
      const validate = ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
      for (const example of examples) {
        if (!validate(example))
          faults.push(`an example of ${pointer} is not valid: ${ajv.errorsText(validate.errors)}`);
      }
    } catch (error) {
      faults.push(`${pointer} is no JSON Schema: ${error}`);
    }
  };
  for (const { pointer, value } of nodes(root)) {
    if (Array.isArray(value.examples)) compile(pointer, value.examples);
    else if (/^\/components\/schemas\/[^/]+$/.test(pointer)) compile(pointer, []);
    if (value.schema) compile(`${pointer}/schema`, mediaExamples(value));
  }
  return faults;
}

function mediaExamples({ example, examples = {} }: JsonObject): Json[] {
  if (example !== undefined) return [example];
  return Object.values(examples as JsonObject).map((example) => (example as JsonObject).value ?? null);
}

/** Every object in a document, with its JSON Pointer (RFC 6901). */
function* nodes(value: Json, pointer = ''): Generator<{ pointer: string; value: JsonObject }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { pointer, value };
  for (const [name, inner] of Object.entries(value)) {
    yield* nodes(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

function at(root: JsonObject, ref: string): Json | undefined {
  let found: Json | undefined = root;
  for (const part of ref.replace(/^#\//, '').split('/')) {
    found = (found as JsonObject | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return found;
}
