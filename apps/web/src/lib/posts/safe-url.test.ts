import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { imageUrl, otherHost, safeUrl } from './safe-url.ts';

test.each([
  ['https://example.org', 'https://example.org/'],
  ['HTTP://Example.org/a b', 'http://example.org/a%20b'],
  ['mailto:ada@example.org?subject=Hi', 'mailto:ada@example.org?subject=Hi'],
  ['https:example.org', 'https://example.org/'],
  [' \thttps://example.org/', 'https://example.org/'],
  ['https://exa\nmple.org/', 'https://example.org/'],
  ['https://example.org/a。b?c．d', 'https://example.org/a%E3%80%82b?c%EF%BC%8Ed'],
])('a link is allowed to %j', (written, href) => expect(safeUrl(written)).toBe(href));

test.each([
  ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\nscript:alert(1)', '\u0001javascript:alert(1)', 'vbscript:x'],
  ...['data:text/html,<script>alert(1)</script>', 'blob:https://example.org/x', 'file:///etc/passwd', 'tel:1'],
  ...['mailto:', 'view-source:https://example.org', '//example.org', '/hubs/x', 'x/y.md', '#top', '', 'https://'],
  // The text before the @ looks like the host, but is not....['https://bank.example@evil.example/', 'https://bank.example:443@evil.example/', 'https:bank.example@evil.org'],
  'http://bank.example%2Flogin@evil.example/',
  // Browsers read these full stops as dots....['https://bank.example。evil.example/', 'https:\\\\bank.example．evil.example', 'https://bank.example｡evil.org:443'],
  `https://example.org/${'x'.repeat(5_000)}`,
])('no link is allowed to %j', (written) => expect(safeUrl(written)).toBeNull());

test('images are loaded over https only', () => {
  const urls = ['http://a.example/x.png', 'data:image/svg+xml,x', 'a.png', 'blob:x', 'https://a@b.example/x.png'];
  expect(urls.map(imageUrl)).toEqual(urls.map(() => null));
  expect(imageUrl('https://a.example/x.png')).toBe('https://a.example/x.png');
});

test('any input gives a URL with an allowed scheme or null', () => {
  const written = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .tuple(fc.constantFrom('java', 'script:', 'https:', '//', 'data:', '\t', '\n', ' ', '\0', 'mailto:'), fc.string())
      .map((parts) => parts.join('')),
  );
  fc.assert(fc.property(written, (text) => expect(safeUrl(text) ?? 'https:').toMatch(/^(?:https?|mailto):/)));
});

test.each([
  ['https://evil.example/login', 'https://bank.example/login', 'evil.example'],
  ['https://evil.example', 'bank.example', 'evil.example'],
  ['https://evil.example:8443', 'www.bank.example', 'evil.example:8443'],
  ['https://evil.example', 'ba\u200bnk.example', 'evil.example'],
  ['https://bank.example.evil.example', 'HTTPS://Bank.example', 'bank.example.evil.example'],
  ['https://www.bank.example/a', 'bank.example', null],
  ['https://bank.example/a', 'https://bank.example/b', null],
  ['https://evil.example', 'Bank', null],
  ['https://evil.example', 'see bank.example for more', null],
  ['https://github.example/a/README.md', 'README.md', null],
  ['mailto:a@evil.example', 'bank.example', null],
])('a link to %s with the text %j shows the host %s', (href, text, host) => expect(otherHost(href, text)).toBe(host));
