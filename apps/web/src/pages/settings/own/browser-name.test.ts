import { expect, test } from 'bun:test';
import { browserName, isPhone } from './browser-name.ts';

test('names browsers and operating systems by their common names', () => {
  expect(
    browserName(
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0 Safari/537.36 Edg/149.0',
    ),
  ).toBe('Edge on Windows');
  expect(
    browserName('Mozilla/5.0 (Macintosh; Intel Mac OS X 14_4) AppleWebKit/605.1.15 Version/19 Safari/605.1.15'),
  ).toBe('Safari on macOS');
  expect(browserName('Mozilla/5.0 (X11; Linux x86_64; rv:149.0) Gecko/20100101 Firefox/149.0')).toBe(
    'Firefox on Linux',
  );
  expect(browserName('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) CriOS/149.0 Safari/604.1')).toBe(
    'Chrome on iOS',
  );
});

test('names other programs by their user agent', () => {
  expect(browserName('hubctl/1.0')).toBe('hubctl');
  expect(browserName(null)).toBe('Unknown program');
});

test('distinguishes phones from desktops', () => {
  expect(isPhone('Mozilla/5.0 (Android 16; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0')).toBe(true);
  expect(isPhone('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe(false);
  expect(isPhone(null)).toBe(false);
});
