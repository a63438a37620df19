import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type Json, type JsonObject, nodes } from './json-nodes.ts';

/** Field names of a document that Ajv would treat as unknown keywords of a schema. */
const DOCUMENT_FIELDS = ['openapi', 'info', 'servers', 'tags', 'paths', 'components', 'security'];

/** Compiles each schema as JSON Schema 2020-12, and validates each example against its schema. */
export function schemaProblems(root: JsonObject): string[] {
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
