import { expect, test } from 'bun:test';
import { decodeEntities } from './html-entities.ts';

test.each([
  ['&amp;&lt;&gt;&quot;&#39;&apos;&nbsp;', `&<>"''\u00a0`],
  ['&#8364;&#x20AC;&#X20ac;&euro;', '€€€€'],
  ['&#128512;&#x1F600;', '😀😀'],
  ['&amp;lt;', '&lt;'],
  ['&#150;&#146;', '–’'],
  ['&#0;&#xD83D;&#x110000;&#9999999;', '\ufffd\ufffd\ufffd\ufffd'],
])('decodes %s once', (html, text) => {
  expect(decodeEntities(html)).toBe(text);
});

test.each([
  '&',
  '& ',
  '&;',
  '&amp',
  '&#;',
  '&#x;',
  '&#87654321;',
  '&#x1234567;',
  '&unknown;',
  '&AMP;',
  '&toString;',
  '&__proto__;',
  'R&D; a&b',
])('leaves %s unchanged', (html) => {
  expect(decodeEntities(html)).toBe(html);
});
