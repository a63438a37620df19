import type { SecondFactorRule } from '@hub/contract';
import type * as OtpAuth from 'otpauth';
import { hashToken } from '../../access/credentials.ts';
import type { Deps } from '../../access/deps.ts';
import { clientNetwork } from '../../access/failed-authentication.ts';
import { AppError } from '../../platform/errors.ts';
import { DAY_MS } from '../../platform/time.ts';
import type { FactorRecord } from '../../storage/factors.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { UserRecord } from '../../storage/users.ts';
import type { PasswordDeps } from './check-password.ts';

/** The purpose under which the secret of an authenticator app is encrypted. */
export const appSecret = (factorId: string): string => `authenticator app ${factorId}`;

/** The time to set up a second factor that is asked for. */
const GRACE_MS = 7 * DAY_MS;

/** Thrown for a right password, if the account has a second factor and no code was sent. The header says what there is. */
function factorRequired(kinds: Iterable<FactorRecord['kind']>): AppError {
  return new AppError(
    'forbidden',
    'This account has a second factor. Send a code of its app, or a recovery code, as code.',
    { 'hub-second-factor': [...new Set(kinds)].sort().join(', ') },
  );
}

/**
 * Checks the second factor of a user whose password was right, in the transaction that signs in: a code works once. Wrong
 * codes count like wrong passwords, by account.
 * @throws forbidden if a code is required, unauthenticated if it is wrong
 */
export async function requireFactor(
  deps: PasswordDeps,
  tx: Repositories,
  { user, code, address }: { user: UserRecord; code: string | undefined; address: string },
): Promise<string | null> {
  const all = await tx.factors.list(user.id);
  if (all.length === 0) return null;
  if (code === undefined || code.trim() === '') throw factorRequired(all.map(({ kind }) => kind));
  const used = await useCode(deps, tx, all, { userId: user.id, code: code.toUpperCase().replaceAll(/[\s-]/g, '') });
  if (used !== null) return used;
  deps.log.warn({ address, userId: user.id }, 'Wrong code of a second factor');
  throw new AppError(
    'unauthenticated',
    'This code is wrong, or was used before. Enter the next one that your app shows.',
  );
}

/** Returns the name of the factor whose code it was. */
async function useCode(
  { clock, secrets }: Deps,
  tx: Repositories,
  all: readonly FactorRecord[],
  { userId, code }: { userId: string; code: string },
): Promise<string | null> {
  if (!/^\d{6}$/.test(code))
    return (await tx.factors.useRecoveryCode(userId, hashToken(code))) ? 'recovery code' : null;
  const now = clock.now();
  for (const { id, kind, name, key } of all) {
    const step = kind === 'totp' ? totpStep(secrets.open(key, appSecret(id)), code, now) : null;
    if (step !== null && (await tx.factors.use(id, step, now))) return name;
  }
  return null;
}

/** Counts an attempt with a code as a failure until it proves right, so that a thief of a password gets few guesses. */
export async function countingGuess<T>(
  { passwordGuesses }: PasswordDeps,
  { userId, address }: { userId: string; address: string },
  attempt: () => Promise<T>,
): Promise<T> {
  await loadCodes();
  const account = Buffer.from(hashToken(`code ${userId}`)).toString('hex');
  // One source for all clients: codes are short.
  const end = await passwordGuesses.begin({
    ...{ source: 'code', address: clientNetwork(address), account },
    ...{ isSlowed: false, isKnown: false },
  });
  if (end instanceof AppError) throw end;
  let isWrong = false;
  try {
    return await attempt();
  } catch (error) {
    isWrong = error instanceof AppError && error.code === 'unauthenticated';
    throw error;
  } finally {
    await end(isWrong);
  }
}

const STEP_SECONDS = 30;

let otpauth: typeof OtpAuth | undefined;

/** Loads the library for codes when it is first needed, and before a transaction, which can await only its repositories. */
export async function loadCodes(): Promise<typeof OtpAuth> {
  otpauth ??= await import('otpauth');
  return otpauth;
}

/** Returns the time step of a code, one before or after (RFC 6238, section 5.2). `loadCodes` must have been awaited. */
export function totpStep(key: Uint8Array, code: string, now: number): number | null {
  if (!otpauth) throw new Error('The library for codes is not loaded');
  const { Secret, TOTP } = otpauth;
  const totp = new TOTP({ secret: new Secret({ buffer: new Uint8Array(key).buffer }), period: STEP_SECONDS });
  const delta = totp.validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? null : Math.floor(now / 1000 / STEP_SECONDS) + delta;
}

/** Throws `unauthenticated` if the challenge of a passkey was used before. */
export async function requireUnused(tx: Repositories, { clock }: Deps, challenge: string): Promise<void> {
  const now = clock.now();
  if (await tx.factors.useChallenge(challenge, now, now - DAY_MS)) return;
  throw new AppError('unauthenticated', 'This passkey was just used. Try again.');
}

/** Asks a user for a second factor if the workspace does, for example after an account was created or its role changed. */
export async function askUser(
  tx: Repositories,
  { clock }: Pick<Deps, 'clock'>,
  userId: string,
  { graceMs = GRACE_MS } = {},
): Promise<void> {
  const { secondFactor } = await tx.workspace.find();
  await tx.factors.ask(userId, demandOf(secondFactor, clock.now() + graceMs));
}

/** Asks all users for whom a new rule holds, and no others any more. */
export async function askAll(tx: Repositories, { clock }: Pick<Deps, 'clock'>, rule: SecondFactorRule): Promise<void> {
  await tx.factors.ask(null, demandOf(rule, clock.now() + GRACE_MS));
}

const demandOf = (rule: SecondFactorRule, dueAt: number) => ({
  isForAdmins: rule !== 'optional',
  isForMembers: rule === 'everyone',
  dueAt,
});
