import {
  type AddedFactor,
  type AddFactorBody,
  type Factor,
  type Factors,
  LIMITS,
  type RecoveryCodes,
  type TotpSecret,
  type User,
} from '@hub/contract';
import { type Caller, changeUsersAs, recordAction, type UserCaller } from '../../access/caller.ts';
import { hashToken } from '../../access/credentials.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { isoTime, isoTimeOrNull } from '../../platform/time.ts';
import type { FactorRecord } from '../../storage/factors.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { UserRecord } from '../../storage/users.ts';
import { changeOther } from './change-user.ts';
import type { PasswordDeps } from './check-password.ts';
import { noticeUser } from './notices.ts';
import { verifyNewPasskey } from './passkeys.ts';
import { appSecret, askUser, countingGuess, loadCodes, requireUnused, totpStep } from './second-factor.ts';
import { userView } from './show-users.ts';

/** 160 bits in base 32 (RFC 4648, section 6). */
const SECRET = /^[A-Z2-7]{32}$/;
const RECOVERY_CODES = 10;
/** Crockford's base 32, without letters that look like digits. A code has 125 random bits, so that a fast hash is enough. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_CHARACTERS = 25;

export async function listFactors({ store }: Deps, { user }: UserCaller): Promise<Factors> {
  const items = (await store.factors.list(user.id)).map(factorView);
  return { items, recoveryCodesLeft: await store.factors.countRecoveryCodes(user.id) };
}

function factorView({ id, kind, name, createdAt, lastUsedAt }: FactorRecord): Factor {
  return { id, kind, name, createdAt: isoTime(createdAt), lastUsedAt: isoTimeOrNull(lastUsedAt) };
}

/** Returns a new secret with 160 bits (RFC 4226, section 4), and the address for a QR code, which apps agree on. */
export async function createTotpSecret({ store, random }: Deps, { user }: UserCaller): Promise<TotpSecret> {
  const { Secret, TOTP } = await loadCodes();
  const { name } = await store.workspace.find();
  const secret = new Secret({ buffer: new Uint8Array(random.bytes(20)).buffer });
  return { secret: secret.base32, uri: new TOTP({ issuer: name, label: user.email, secret }).toString() };
}

/** Adds a factor after it was tried. The first one comes with recovery codes. */
export async function addFactor(
  deps: PasswordDeps,
  caller: UserCaller,
  origin: string,
  { name, secret, code, credential }: AddFactorBody,
): Promise<AddedFactor> {
  const { user, address } = caller;
  const isApp = secret !== undefined && code !== undefined && credential === undefined;
  if (!isApp && (credential === undefined || secret !== undefined || code !== undefined))
    throw new AppError('invalid', 'Send secret and code for an authenticator app, or credential for a passkey.');
  return countingGuess(deps, { userId: user.id, address }, async () => {
    const added = isApp
      ? await tryApp(deps, secret, code)
      : await verifyNewPasskey(deps, { origin, address }, credential ?? '');
    return changeUsersAs(deps, caller, [], async (tx, current) => {
      const others = await tx.factors.list(user.id);
      if (others.length >= LIMITS.factors)
        throw new AppError('conflict', `You have ${LIMITS.factors} second factors, the maximum. Remove one first.`);
      if (added.credentialId !== null && (await tx.factors.findByCredential(added.credentialId)))
        throw new AppError('conflict', 'This passkey is already in use. Create another one.');
      if ('challenge' in added) await requireUnused(tx, deps, added.challenge);
      const now = deps.clock.now();
      const { kind, credentialId, counter } = added;
      const id = deps.newId('fac');
      const key = kind === 'totp' ? deps.secrets.seal(added.key, appSecret(id)) : added.key;
      const details = { kind, key, credentialId, counter };
      const factor = { id, userId: user.id, name: name.trim(), createdAt: now, lastUsedAt: null, ...details };
      await tx.factors.insert(factor);
      await tx.users.update(user.id, { factorDueAt: null });
      await recordAction(tx, deps, current, { action: 'factor.added', target: factor, details: { kind } });
      await notice(tx, deps, current, `The second factor ${factor.name} was added.`);
      return {
        factor: factorView(factor),
        recoveryCodes: others.length === 0 ? await newRecoveryCodes(deps, tx, user.id) : null,
      };
    });
  });
}

async function tryApp({ clock }: Deps, secret: string, code: string) {
  const { Secret } = await loadCodes();
  if (!SECRET.test(secret))
    throw new AppError('invalid', 'secret must be one that POST /me/factors/totp-secret has returned, unchanged');
  const key = Secret.fromBase32(secret).bytes;
  const step = totpStep(key, code.replaceAll(/\s/g, ''), clock.now());
  if (step === null)
    throw new AppError(
      'invalid',
      'The code is wrong. Enter the six digits that the app shows now, and check that the clock of its device is right.',
    );
  return { kind: 'totp', key, credentialId: null, counter: step } as const;
}

/** Replaces the recovery codes. */
async function newRecoveryCodes({ random }: Deps, tx: Repositories, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(random.bytes(CODE_CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join(''),
  );
  await tx.factors.replaceRecoveryCodes(userId, codes.map(hashToken));
  return codes.map((code) => code.replaceAll(/(.{5})(?=.)/g, '$1-'));
}

export function createRecoveryCodes(deps: Deps, caller: UserCaller): Promise<RecoveryCodes> {
  return changeUsersAs(deps, caller, [], async (tx, current) => {
    if ((await tx.factors.list(caller.user.id)).length === 0)
      throw new AppError('conflict', 'Recovery codes stand in for a second factor. Add one first.');
    await recordAction(tx, deps, current, { action: 'recovery_codes.created', target: current.user });
    await notice(tx, deps, current, 'New recovery codes were created.');
    return { recoveryCodes: await newRecoveryCodes(deps, tx, caller.user.id) };
  });
}

/** Changes one of the caller's factors. */
function changeFactor(
  deps: Deps,
  caller: UserCaller,
  factorId: string,
  change: (tx: Repositories, factor: FactorRecord, current: UserCaller) => Promise<FactorRecord>,
): Promise<Factor> {
  return changeUsersAs(deps, caller, [], async (tx, current) => {
    const factor = (await tx.factors.list(caller.user.id)).find(({ id }) => id === factorId);
    if (!factor) throw notFound('second factor', factorId);
    return factorView(await change(tx, factor, current));
  });
}

export const renameFactor = (deps: Deps, caller: UserCaller, factorId: string, name: string) =>
  changeFactor(deps, caller, factorId, async (tx, factor) => {
    await tx.factors.rename(factor.userId, factor.id, name.trim());
    return { ...factor, name: name.trim() };
  });

export const removeFactor = (deps: Deps, caller: UserCaller, factorId: string) =>
  changeFactor(deps, caller, factorId, async (tx, factor, current) => {
    await tx.factors.delete(factor.userId, factor.id);
    if ((await tx.factors.list(factor.userId)).length === 0) {
      await tx.factors.deleteAllOf(factor.userId);
      // At once: the seven days are for those who never had one.
      await askUser(tx, deps, factor.userId, { graceMs: 0 });
    }
    await recordAction(tx, deps, current, { action: 'factor.removed', target: factor, details: { kind: factor.kind } });
    await notice(tx, deps, current, `The second factor ${factor.name} was removed.`);
    return factor;
  });

/** Removes the factors of a user who has lost them, as an admin. */
export function resetFactors(deps: Deps, caller: Caller, userId: string): Promise<User> {
  const own = new AppError('conflict', 'You cannot reset your own factors. Remove them in your settings.');
  return changeOther(deps, caller, userId, own, async (tx, user, current) => {
    const count = (await tx.factors.list(user.id)).length;
    if (count === 0) return userView(user);
    await tx.factors.deleteAllOf(user.id);
    await askUser(tx, deps, user.id);
    await recordAction(tx, deps, current, { action: 'factors.reset', target: user, details: { count } });
    await notice(tx, deps, { user, address: null }, 'An admin has removed your second factors.');
    return userView(user);
  });
}

const FACTORS_PAGE = { label: 'Your second factors', path: '/settings/profile' };

const notice = (
  tx: Repositories,
  deps: Deps,
  { user, address }: { user: UserRecord; address: string | null },
  event: string,
): Promise<void> => noticeUser(tx, deps, user, { event, address, action: FACTORS_PAGE });
