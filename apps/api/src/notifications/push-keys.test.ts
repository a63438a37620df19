import { expect, test } from 'bun:test';
import { generateKeyPair, isPublicKey } from './push-keys.ts';

test('generateKeyPair tries again if the random bytes are not a private key', () => {
  const draws = [0, 255, 1].map((value) => new Uint8Array(32).fill(value));
  const { privateKey, publicKey } = generateKeyPair({ bytes: () => draws.shift() ?? new Uint8Array() });
  expect(privateKey).toEqual(new Uint8Array(32).fill(1));
  expect(isPublicKey(publicKey)).toBe(true);
});

test('isPublicKey rejects keys that are not points on the curve', () => {
  const good = new Uint8Array(
    Buffer.from('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', 'base64url'),
  );
  const bent = good.slice();
  bent[64] = (bent[64] ?? 0) ^ 1;
  expect([good, bent, good.slice(1), new Uint8Array(65), new Uint8Array()].map(isPublicKey)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
