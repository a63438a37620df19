import { expect, test } from 'bun:test';
import { requireSafeRuntime } from './runtime-guard.ts';

const page = { window: {}, document: {}, navigator: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140' } };

test.each([
  ['Node', { process: { versions: { node: '20.0.0' } } }],
  ['jsdom under Node', { ...page, process: { versions: { node: '20.0.0' } } }],
  [
    "React Native's test set-up under Node",
    { navigator: { product: 'ReactNative' }, process: { versions: { node: '20' } } },
  ],
  ['Bun', { Bun: {} }],
  ['happy-dom under Bun', { ...page, Bun: {} }],
  ['Deno, which has window and workers', { ...page, Deno: {}, WorkerGlobalScope: class {} }],
  ['Cloudflare Workers', { WorkerGlobalScope: class {}, navigator: { userAgent: 'Cloudflare-Workers' } }],
  ['an edge runtime without navigator', { EdgeRuntime: 'edge-runtime' }],
])('%s is a safe runtime for a key', (_, environment) => {
  expect(() => requireSafeRuntime(environment)).not.toThrow();
});

test.each([
  ['a page', page, /a browser.*from your server/],
  ['a page whose bundler fills in process', { ...page, process: { versions: {}, env: {} } }, /a browser/],
  ['a worker of a page', { WorkerGlobalScope: class {}, navigator: page.navigator }, /a browser/],
  ['React Native', { navigator: { product: 'ReactNative' }, process: { env: {} } }, /React Native/],
  ['React Native with a window', { window: {}, navigator: { product: 'ReactNative' } }, /React Native/],
])('%s is not a safe runtime for a key', (_, environment, message) => {
  expect(() => requireSafeRuntime(environment)).toThrow(message);
});

test('the runtime of this test is safe for a key', () => {
  expect(() => requireSafeRuntime()).not.toThrow();
});
