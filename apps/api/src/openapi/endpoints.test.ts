import { expect, test } from 'bun:test';
import { LIVE_PATH, WORKSPACE_API_PATH } from '@hub/contract';
import { endpoints } from '@hub/contract/endpoints';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { OptionalKind, type TObject, type TSchema } from '@sinclair/typebox';
import { openApiDocument } from './document.ts';

type Content = Record<string, { schema: unknown }>;
interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: { type?: string; enum?: string[]; const?: string; $ref?: string };
}
interface Operation {
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}

test('the endpoints of the contract are the operations of the OpenAPI document, with the same schemas', async () => {
  await using hub = await startTestHub();
  const served = operationsOf(await (await hub.fetch('/api/openapi.json')).json());
  const described = Object.entries(endpoints).map(([operation, endpoint]) => describe(operation, endpoint));
  const listed = operationsOf(await openApiDocument(described, ''));
  expect(Object.keys(served).length).toBeGreaterThan(90);
  expect(listed).toEqual(served);
});

/** Describes an endpoint as a route does, so that both documents are made in the same way. */
function describe(operation: string, endpoint: { query?: TObject; body?: TSchema; response: TSchema }) {
  const [method = '', path = ''] = operation.split(' ');
  const { query, body, response } = endpoint;
  const contentOf = (schema: TSchema) => ({ [schema.contentMediaType ?? 'application/json']: { schema } });
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: {} }));
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) => {
    return { name, in: 'query', required: query?.required?.includes(name) ?? false, schema };
  });
  const detail: object = {
    operationId: operation,
    parameters: [...inPath, ...inQuery],
    ...(body ? { requestBody: { required: !(OptionalKind in body), content: contentOf(body) } } : {}),
    responses: { 200: { description: '', content: contentOf(response) } },
  };
  return { method, path: `${WORKSPACE_API_PATH}${path === '/' ? '' : path}`, hooks: { detail } };
}

/** Returns the operations of the workspace API by method and path, except the WebSocket. */
function operationsOf(document: unknown): Record<string, object> {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  const inWorkspace = Object.keys(paths).filter((path) => path.startsWith(WORKSPACE_API_PATH) && path !== LIVE_PATH);
  const operations = inWorkspace.flatMap((path) =>
    Object.entries(paths[path] ?? {}).map(([method, operation]) => [`${method} ${path}`, shapeOf(operation)] as const),
  );
  return Object.fromEntries(operations);
}

function shapeOf({ parameters = [], requestBody, responses }: Operation): object {
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 300);
  return {
    parameters: Object.fromEntries(parameters.map((parameter) => [parameter.name, shapeOfParameter(parameter)])),
    body: requestBody && { isRequired: requestBody.required, schemas: schemasOf(requestBody.content) },
    response: unique(successes.flatMap(([, { content = {} }]) => schemasOf(content))),
  };
}

function shapeOfParameter({ name, in: position, required, schema }: Parameter): object {
  if (position === 'path') return { position };
  // The server alone knows all actions of the audit log.
  const words = name === 'action' ? undefined : (schema.enum ?? schema.const ?? schema.$ref);
  return { position, required, type: schema.type, words };
}

const schemasOf = (content: Content): unknown[] => unique(Object.values(content).map(({ schema }) => schema));

const unique = (schemas: unknown[]): unknown[] =>
  schemas.filter((schema, index) => schemas.findIndex((each) => Bun.deepEquals(each, schema)) === index);
