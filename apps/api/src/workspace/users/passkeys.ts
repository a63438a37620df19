import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PasskeyOptions } from '@hub/contract';
import type { UserCaller } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { FactorRecord } from '../../storage/factors.ts';

const CHALLENGE_MS = 5 * 60_000;
const RANDOM_BYTES = 16;
const TIME_BYTES = 6;
/** The purpose under which the secret that marks challenges is encrypted. */
export const CHALLENGES = 'challenges';

/**
 * Returns a challenge that any node recognizes without a record of it: random bytes, its time, and a MAC of both. Only
 * an answered one is stored, so that requests without a session write nothing.
 */
async function newChallenge(deps: Deps): Promise<Uint8Array<ArrayBuffer>> {
  const { store, random, clock, secrets } = deps;
  const secret =
    (await challengeSecret(deps)) ??
    (await store.transaction(async ({ factors, workspace }) => {
      await workspace.findToChange();
      const other = await factors.challengeSecret();
      if (other) return secrets.open(other, CHALLENGES);
      const created = random.bytes(32);
      await factors.setChallengeSecret(secrets.seal(created, CHALLENGES));
      return created;
    }));
  const body = Buffer.alloc(RANDOM_BYTES + TIME_BYTES);
  body.set(random.bytes(RANDOM_BYTES));
  body.writeUIntBE(clock.now(), RANDOM_BYTES, TIME_BYTES);
  return new Uint8Array(Buffer.concat([body, macOf(secret, body)]));
}

const macOf = (secret: Uint8Array, body: Uint8Array): Buffer => createHmac('sha256', secret).update(body).digest();

async function challengeSecret({ store, secrets }: Deps): Promise<Uint8Array | null> {
  const stored = await store.factors.challengeSecret();
  return stored && secrets.open(stored, CHALLENGES);
}

/** Returns whether this server has made the challenge within the last five minutes. */
async function isOwnChallenge(deps: Deps, challenge: string): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url');
  const secret = await challengeSecret(deps);
  const body = bytes.subarray(0, RANDOM_BYTES + TIME_BYTES);
  if (!secret || body.length < RANDOM_BYTES + TIME_BYTES) return false;
  const mac = macOf(secret, body);
  const isOwn = bytes.length === body.length + mac.length && timingSafeEqual(mac, bytes.subarray(body.length));
  const age = deps.clock.now() - body.readUIntBE(RANDOM_BYTES, TIME_BYTES);
  return isOwn && age >= 0 && age <= CHALLENGE_MS;
}

/** The options for `navigator.credentials.create` (Web Authentication, section 5.4). */
export async function newPasskeyOptions(deps: Deps, { user }: UserCaller, origin: string): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const [{ name: rpName }, factors] = await Promise.all([
    deps.store.workspace.find(),
    deps.store.factors.list(user.id),
  ]);
  const options = await generateRegistrationOptions({
    rpName,
    rpID: new URL(origin).hostname,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    challenge: await newChallenge(deps),
    attestationType: 'none',
    excludeCredentials: factors.flatMap(({ credentialId: id }) => (id === null ? [] : [{ id }])),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { options: { ...options } };
}

/** The options for `navigator.credentials.get`. Any passkey for this server is accepted, so they name no account. */
export async function passkeyOptions(deps: Deps, origin: string): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    challenge: await newChallenge(deps),
    userVerification: 'required',
  });
  return { options: { ...options } };
}

/** The page that a response comes from, and the address of its browser. */
interface ResponseSource {
  origin: string;
  address: string;
}

/** Verifies a response with the library, whose errors say what is wrong with the response. */
async function verifying<T>(
  deps: Deps,
  { origin, address }: ResponseSource,
  verify: (expected: Expected) => Promise<T>,
): Promise<T & { challenge: string }> {
  let challenge = '';
  const expected = {
    expectedChallenge: async (value: string) => {
      challenge = value;
      return isOwnChallenge(deps, value);
    },
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
  };
  try {
    return { ...(await verify(expected)), challenge };
  } catch (error) {
    if (error instanceof AppError) throw error;
    deps.log.warn({ err: error, address }, 'Response of a passkey rejected');
    throw rejected();
  }
}

interface Expected {
  expectedChallenge: (value: string) => Promise<boolean>;
  expectedOrigin: string;
  expectedRPID: string;
  requireUserVerification: boolean;
}

const rejected = (): AppError =>
  new AppError(
    'unauthenticated',
    'This passkey was not accepted, or it took too long. Try again, or sign in another way.',
  );

/** Verifies a new passkey (Web Authentication, section 7.1). */
export function verifyNewPasskey(deps: Deps, source: ResponseSource, text: string) {
  return verifying(deps, source, async (expected) => {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const response = JSON.parse(text);
    const { verified, registrationInfo } = await verifyRegistrationResponse({ ...expected, response });
    if (!verified) throw rejected();
    const { id, publicKey, counter } = registrationInfo.credential;
    return { kind: 'passkey', key: publicKey, credentialId: id, counter } as const;
  });
}

/** Verifies the response of a passkey (Web Authentication, section 7.2), and returns it with its new counter. */
export function verifyPasskey(deps: Deps, source: ResponseSource, text: string) {
  return verifying(deps, source, async (expected) => {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const response = JSON.parse(text);
    const { id } = response;
    const factor = typeof id === 'string' ? await deps.store.factors.findByCredential(id) : null;
    if (!factor) throw rejected();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      response,
      credential: credentialOf(factor, id),
    });
    if (!verified) throw rejected();
    return { factor, counter: authenticationInfo.newCounter };
  });
}

const credentialOf = ({ key, counter }: FactorRecord, id: string) => ({ id, publicKey: new Uint8Array(key), counter });
