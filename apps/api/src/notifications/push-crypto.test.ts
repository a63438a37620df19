import { expect, test } from 'bun:test';
import { encryptPush, generateKeyPair, isPublicKey } from './push-crypto.ts';

const bytes = (base64Url: string) => new Uint8Array(Buffer.from(base64Url, 'base64url'));

test('encryptPush matches the example of RFC 8291, section 5 and appendix A, to the byte', () => {
  const body = encryptPush(
    'When I grow up, I want to be a watermelon',
    {
      p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
      auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
    },
    { privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'), salt: bytes('DGv6ra1nlYgDCS1FRnbzlw') },
  );
  expect(body.toString('base64url')).toBe(
    [
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml',
      'mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT',
      'pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    ].join(''),
  );
});

test('generateKeyPair tries again if the random bytes are not a private key', () => {
  const draws = [0, 255, 1].map((value) => new Uint8Array(32).fill(value));
  const { privateKey, publicKey } = generateKeyPair({ bytes: () => draws.shift() ?? new Uint8Array() });
  expect(privateKey).toEqual(new Uint8Array(32).fill(1));
  expect(isPublicKey(publicKey)).toBe(true);
});

test('isPublicKey rejects keys that are not points on the curve', () => {
  const good = bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4');
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
