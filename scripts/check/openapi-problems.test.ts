import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { openApiProblems } from './openapi-problems.ts';

interface Loose {
  [name: string]: Loose;
}

let hub: TestHub;
let text: string;
beforeAll(async () => {
  hub = await startTestHub();
  text = JSON.stringify(excerpt((await (await hub.fetch('/api/openapi.json')).json()) as Loose));
});
afterAll(() => hub[Symbol.asyncDispose]());

const PATHS = ['/api/public/v1/notes', '/api/public/v1/todos', '/api/v1/hubs', '/api/v1/hubs/{hubId}', '/api/v1/live'];

/** Returns a document of a few operations and the components that they need: the whole one takes ten times as long. */
function excerpt(document: Loose): Loose {
  const paths = Object.fromEntries(Object.entries(at(document, 'paths')).filter(([path]) => PATHS.includes(path)));
  const needed = { ...document, paths } as Loose;
  for (let isSmaller = true; isSmaller; ) {
    const json = JSON.stringify(needed);
    isSmaller = false;
    for (const [kind, components] of Object.entries(at(needed, 'components'))) {
      for (const name of kind === 'securitySchemes' ? [] : Object.keys(components)) {
        if (json.includes(`"#/components/${kind}/${name}"`)) continue;
        delete components[name];
        isSmaller = true;
      }
    }
  }
  return needed;
}

/** Each of these damages a copy of the document, which is otherwise valid. */
const damages: [string, (document: Loose) => void, RegExp][] = [
  ['another version of OpenAPI', (d) => Object.assign(d, { openapi: '3.0.3' }), /is 3\.0\.3 and not 3\.1\.0/],
  [
    'a reference to nothing',
    (d) => Object.assign(at(post(d), 'responses'), ref(400, 'Gone')),
    /Gone points at nothing/,
  ],
  [
    'a component without use',
    (d) => Object.assign(at(d, 'components', 'headers'), { Idle: {} }),
    /Idle is used nowhere/,
  ],
  ['an undocumented error', (d) => delete at(post(d), 'responses')['405'], /does not document 405/],
  ['an operation that does not say what opens it', (d) => delete post(d).security, /does not say what opens it/],
  ['a body without an example', (d) => delete sent(d).example, /requestBody lacks a schema or examples/],
  [
    'an error with another body',
    (d) => Object.assign(json(d), { schema: { type: 'object' } }),
    /without the error body/,
  ],
  ['an example that does not fit', (d) => Object.assign(json(d), { example: { statusCode: 'x' } }), /is not valid/],
];

const at = (document: Loose, ...path: string[]): Loose => {
  const found = path.reduce<Loose | undefined>((value, name) => value?.[name], document);
  if (!found) throw new Error(`There is no ${path.join(', ')}`);
  return found;
};
const post = (document: Loose): Loose => at(document, 'paths', '/api/public/v1/notes', 'post');
const sent = (document: Loose): Loose =>
  at(document, 'paths', '/api/public/v1/todos', 'post', 'requestBody', 'content', 'application/json');
const rejected = (document: Loose): Loose => at(document, 'components', 'responses', 'NotFound');
const json = (document: Loose): Loose => at(rejected(document), 'content', 'application/json');
const ref = (status: number, name: string) => ({ [status]: { $ref: `#/components/responses/${name}` } });

describe('the check of the OpenAPI document', () => {
  test('finds nothing in the undamaged excerpt', async () => {
    expect(await openApiProblems(JSON.parse(text))).toEqual([]);
  });

  test.each(damages)('finds %s', async (_, damage, problem) => {
    const document = JSON.parse(text);
    damage(document);
    expect((await openApiProblems(document)).join('\n')).toMatch(problem);
  });
});
