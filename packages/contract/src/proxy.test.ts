import { expect, test } from 'bun:test';
import { proxyFor } from './proxy.ts';

const PROXY = 'http://proxy.example:3128';

test.each([
  ['wss://hub.example.com/api', { HTTPS_PROXY: PROXY }, PROXY],
  ['wss://hub.example.com/api', { https_proxy: PROXY }, PROXY],
  ['wss://hub.example.com/api', { HTTP_PROXY: PROXY }, undefined],
  ['ws://hub.example.com/api', { HTTP_PROXY: PROXY }, PROXY],
  ['ws://hub.example.com/api', { HTTP_PROXY: '' }, undefined],
  ['ws+unix:///run/hub/admin.sock:/api', { HTTP_PROXY: PROXY }, undefined],
  ['ws://hub.example.com/api', { HTTP_PROXY: PROXY, NO_PROXY: 'localhost, example.com' }, undefined],
  ['ws://hub.example.com/api', { HTTP_PROXY: PROXY, no_proxy: '.example.com' }, undefined],
  ['ws://hub.example.com/api', { HTTP_PROXY: PROXY, no_proxy: '*' }, undefined],
  ['ws://hub.example.com/api', { HTTP_PROXY: PROXY, no_proxy: 'ample.com' }, PROXY],
  ['ws://hub.example.com:8080/api', { HTTP_PROXY: PROXY, no_proxy: 'hub.example.com:8080' }, undefined],
  ['ws://hub.example.com:8080/api', { HTTP_PROXY: PROXY, no_proxy: 'hub.example.com:80' }, PROXY],
  ['ws://[::1]:3000/api', { HTTP_PROXY: PROXY, no_proxy: '::1' }, undefined],
])('a request to %s with %p uses the proxy %p', (url, env, expected) => {
  expect(proxyFor(url, env)?.url).toBe(expected);
});
