import { Secret, TOTP } from 'otpauth';
import type { UserCaller } from './users.ts';

/** The code that an authenticator app with this secret shows at this time. */
export const codeAt = (secret: string, now: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });

/** Adds an authenticator app, and returns its secret and the recovery codes. */
export async function addApp(caller: UserCaller, now: number, name = 'Phone') {
  const { secret } = await caller.request('POST /me/factors/totp-secret', {});
  const added = await caller.request('POST /me/factors', { body: { name, secret, code: codeAt(secret, now) } });
  return { secret, ...added };
}
