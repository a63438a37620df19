import { describe, expect, test } from 'bun:test';
import { isBlank } from '@hub/contract/blank-text';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import type { OpenApiDocument } from './schemas.ts';

type Fields = Record<string, { type?: unknown; anyOf?: unknown[]; pattern?: string }>;

const hub = shared(startTestHub);
const document = shared(async () => (await (await hub.fetch('/api/openapi.json')).json()) as OpenApiDocument);
describe('the OpenAPI document', () => {
  test('lists every route of both APIs and nothing else', () => {
    const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = hub.app.routes
      .filter(({ path }) => /^\/api\/(public\/)?v1(\/|$)/.test(path))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(served.length).toBeGreaterThan(3);
    expect(documented.sort()).toEqual([...new Set(served)].sort());
  });

  test('names no host except example hosts', () => {
    const hosts = [...JSON.stringify(document).matchAll(/https?:\/\/([\w.:-]*\w)/g)].map(([, host]) => host);
    const examples = ['hub.example.org', 'id.example.org', 'push.example.net', 'wiki.example.org'];
    expect([...new Set(hosts)].sort()).toEqual(examples);
  });

  test('has only secrets, addresses and mailboxes that are recognizable as examples', () => {
    const text = JSON.stringify(document);
    const secrets = text.match(/hub_(live|pat|ses|lnk|dev)_\w+/g) ?? [];
    expect(new Set(secrets).size).toBeGreaterThan(2);
    expect(secrets.filter((secret) => !secret.includes('ExampleOfTheDocumentationNotReal'))).toEqual([]);
    expect(new Set(text.match(/\b\d+\.\d+\.\d+\.\d+\b/g))).toEqual(new Set(['192.0.2.1']));
    const mailboxes = text.match(/[\w.]+@[\w.]+/g) ?? [];
    expect(mailboxes.filter((mailbox) => !mailbox.endsWith('@example.org'))).toEqual([]);
  });

  test('states that null and blank text count as absent, and required text is not blank and has no NUL', async () => {
    const { title, content, dueDate, priority } = (document.components.schemas.CreateTodo as { properties: Fields })
      .properties;
    expect(content?.type).toEqual(['string', 'null']);
    expect(priority?.anyOf).toContainEqual({ $ref: '#/components/schemas/Blank' });
    expect(priority?.anyOf).toContainEqual({ type: 'null' });
    const isTitle = (text: string) => new RegExp(title?.pattern ?? '', 'u').test(text);
    expect(['Release', ' x\n', '', ' \u0085\ufeff', 'a\0b'].map(isTitle)).toEqual([true, true, false, false, false]);
    // Beyond U+FFFF, a pattern would need the `u` flag, which not every validator sets.
    for (let code = 1; code < 0x10000; code += 1) {
      const text = String.fromCharCode(code);
      if (text.isWellFormed() && isTitle(text) === isBlank(text)) throw new Error(`U+${code.toString(16)}`);
    }
    const isDueDate = (text: string) => new RegExp(dueDate?.pattern ?? '', 'u').test(text);
    const dates = ['2026-03-01T09:30Z', ' ', '2026-03-01', 'x2026-03-01T09:30Z'];
    expect(dates.map(isDueDate)).toEqual([true, true, false, false]);
  });

  test('requires a key for posts, and documents every response with its headers', () => {
    for (const kind of ['messages', 'notes', 'todos', 'relay/slack', 'relay/alertmanager', 'relay/grafana']) {
      const operation = document.paths[`/api/public/v1/${kind}`]?.post;
      expect(operation).toMatchObject({ security: [{ key: [] }] });
      expect(Object.keys(operation?.responses ?? {}).join()).toBe('201,400,401,403,404,405,408,413,415,500,503');
    }
    const { responses } = document.components;
    const names = (response: string) => Object.keys((responses[response] as { headers?: object }).headers ?? {});
    expect(names('KeyRefused')).toEqual(['X-Request-Id', 'WWW-Authenticate']);
    expect(names('KeyForbidden')).toEqual(['X-Request-Id', 'RateLimit-Policy', 'RateLimit', 'Retry-After']);
    expect(names('PostUnavailable')).toEqual(['X-Request-Id', 'Retry-After']);
    expect(names('PostOnly')).toEqual(['X-Request-Id', 'RateLimit-Policy', 'RateLimit', 'Allow']);
  });
});

const page = shared(async () => {
  const response = await hub.fetch('/api/docs');
  return { response, html: await response.text() };
});
const assets = (): string[] =>
  [...page.html.matchAll(/(?:src|href)="(\/api\/docs\/[^"]+)"/g)].map(([, path]) => path ?? '');

test('the API docs page is HTML without inline code that references no other host, and neither do its script and style sheet', async () => {
  const { response, html } = page;
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(html).not.toMatch(/<script>|<style|\son\w+=/);
  const own = assets().filter((path) => path.includes('/page.'));
  const texts = await Promise.all(own.map(async (path) => (await hub.fetch(path)).text()));
  expect(own).toHaveLength(2);
  for (const text of [html, ...texts]) expect(text).not.toMatch(/(https?:)?\/\/[\w-]+\.\w/);
});

test('the API docs page caches the library permanently, since its version is in its path, and revalidates the rest', async () => {
  for (const path of assets()) {
    const expected = path.includes('/swagger-ui-') ? 'public, max-age=31536000, immutable' : 'no-cache';
    expect([path, (await hub.fetch(path)).headers.get('cache-control')]).toEqual([path, expected]);
  }
});

test('the API docs page stores no key and sends no document to a validator', async () => {
  const script = await (await hub.fetch('/api/docs/page.js')).text();
  for (const option of ['persistAuthorization: false', 'queryConfigEnabled: false', 'validatorUrl: null'])
    expect(script).toContain(option);
});

test.each(['messages', 'notes', 'todos'] as const)('every example request of %s returns 201', async (kind) => {
  const caller = await publicCaller(hub);
  const content = document.paths[`/api/public/v1/${kind}`]?.post?.requestBody?.content?.['application/json'];
  const { example, examples = {} } = content as { example?: object; examples?: Record<string, { value: object }> };
  const bodies = example ? [example] : Object.values(examples).map(({ value }) => value);
  expect(bodies.length).toBeGreaterThan(0);
  for (const body of bodies) expect((await caller.post(kind, body)).status).toBe(201);
});
