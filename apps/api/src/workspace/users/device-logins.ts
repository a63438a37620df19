import {
  DEVICE_PREFIX,
  type DeviceLogin,
  type DeviceLoginRequest,
  type DeviceLoginState,
  hasTokenFormat,
  type StartDeviceLoginBody,
} from '@hub/contract';
import { type Caller, changeUsersAs, type UserCaller, userActor } from '../../access/caller.ts';
import { generateToken, hashToken } from '../../access/credentials.ts';
import type { CredentialDeps } from '../../access/deps.ts';
import { clientNetwork } from '../../access/failed-authentication.ts';
import { requireConfirmed } from '../../access/user-rights.ts';
import { AppError } from '../../platform/errors.ts';
import { countWithinHour } from '../../platform/guess-counts.ts';
import type { Random } from '../../platform/ports.ts';
import { DAY_MS, isoTime } from '../../platform/time.ts';
import type { DeviceLoginRecord } from '../../storage/device-logins.ts';
import type { ResetDeps } from './forgotten-password.ts';
import { issueToken } from './sessions-and-tokens.ts';

type DeviceDeps = CredentialDeps & Pick<ResetDeps, 'resetCounts'>;

const LIFETIME_MS = 10 * 60_000;
const TOKEN_LIFETIME_MS = 365 * DAY_MS;
const INTERVAL_SECONDS = 5;
/** Within an hour. A code has 34 bits, so that guessing one of them takes millennia. */
const MAX_STARTED_PER_NETWORK = 30;
const MAX_CODES_PER_USER = 30;

/** Letters that neither form words nor look alike (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LETTERS = 8;

/** Begins a login that a user has to confirm. Only the response contains the codes. */
export async function startDeviceLogin(
  deps: DeviceDeps,
  address: string,
  { name }: StartDeviceLoginBody,
): Promise<DeviceLogin> {
  await count(deps, `device ${clientNetwork(address)}`, MAX_STARTED_PER_NETWORK, 'Too many logins were started.');
  const [deviceCode, userCode] = [generateToken(DEVICE_PREFIX, deps.random), generateUserCode(deps.random)];
  const now = deps.clock.now();
  const login: DeviceLoginRecord = {
    id: deps.newId('dev'),
    ...{ name: name.trim(), address, createdAt: now, expiresAt: now + LIFETIME_MS, intervalSeconds: INTERVAL_SECONDS },
    ...{ polledAt: null, decision: null, userId: null },
  };
  const hashes = { deviceCodeHash: hashToken(deviceCode), userCodeHash: hashToken(userCode) };
  await deps.store.transaction((tx) => tx.deviceLogins.insert(login, hashes));
  return {
    deviceCode,
    userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}`,
    verificationUrl: `${deps.server.baseUrl()}/settings/device`,
    intervalSeconds: INTERVAL_SECONDS,
    expiresAt: isoTime(login.expiresAt),
  };
}

function generateUserCode(random: Random): string {
  let code = '';
  while (code.length < CODE_LETTERS) {
    // A byte beyond the last whole multiple would make some letters likelier.
    for (const byte of random.bytes(CODE_LETTERS)) {
      if (byte < 240 && code.length < CODE_LETTERS) code += LETTERS.charAt(byte % LETTERS.length);
    }
  }
  return code;
}

/** Returns whether the user has decided, and the token once they have approved. A device code works once. */
export async function pollDeviceLogin(
  deps: DeviceDeps,
  address: string,
  deviceCode: string,
): Promise<DeviceLoginState> {
  const hash = hasTokenFormat(DEVICE_PREFIX, deviceCode) ? hashToken(deviceCode) : null;
  const seen = hash && (await deps.store.users.findDeviceLogin(hash));
  const state = hash && seen && (await poll(deps, hash, seen.userId));
  if (state) return state;
  await deps.failedAuthentication.slow(address);
  throw new AppError('not_found', 'This login has expired or was used already. Start again.');
}

function poll(deps: DeviceDeps, hash: Uint8Array, userId: string | null): Promise<DeviceLoginState | null> {
  const { store, clock } = deps;
  return store.transaction(async (tx) => {
    // Users are locked before anything else.
    if (userId !== null) await tx.users.lock([userId]);
    const login = await tx.users.findDeviceLogin(hash);
    const now = clock.now();
    if (!login || now >= login.expiresAt) return null;
    const { id, decision, polledAt, intervalSeconds } = login;
    // The decision came in between: the next poll finds it.
    const isDecided = decision !== null && login.userId === userId;
    if (!isDecided) {
      const isEarly = polledAt !== null && now - polledAt < intervalSeconds * 1000;
      const interval = intervalSeconds + (isEarly ? INTERVAL_SECONDS : 0);
      await tx.deviceLogins.update(id, { polledAt: now, intervalSeconds: interval });
      return { state: isEarly ? 'slow_down' : 'pending', intervalSeconds: interval, issued: null };
    }
    const user = decision === 'approved' && userId !== null ? await tx.users.find(userId) : null;
    if (!user || user.disabledAt !== null) {
      await tx.deviceLogins.delete(id);
      return { state: 'denied', intervalSeconds, issued: null };
    }
    const owner = { actor: userActor(user), address: login.address, user };
    const issued = await issueToken(tx, deps, owner, { name: login.name, expiresAt: now + TOKEN_LIFETIME_MS });
    await tx.deviceLogins.delete(id);
    return { state: 'approved', intervalSeconds, issued: { ...issued, isCurrent: false } };
  });
}

/** Describes the login of a code, so that the user can recognize it. */
export async function inspectDeviceLogin(
  deps: DeviceDeps,
  caller: UserCaller,
  userCode: string,
): Promise<DeviceLoginRequest> {
  const login = await requireOpen(
    deps,
    caller,
    await deps.store.users.findDeviceLogin(await hashOf(deps, caller, userCode)),
  );
  return requestView(login, caller);
}

/** Approves or denies the login of a code. Its token has the rights of this user. */
export async function decideDeviceLogin(
  deps: DeviceDeps,
  caller: UserCaller,
  { userCode, isApproved }: { userCode: string; isApproved: boolean },
): Promise<DeviceLoginRequest> {
  const hash = await hashOf(deps, caller, userCode);
  const found = await changeUsersAs(deps, caller, [], async (tx, current) => {
    if (isApproved) await requireConfirmed(tx, current, deps.clock.now());
    const login = await tx.users.findDeviceLogin(hash);
    if (!isOpen(deps, login)) return null;
    await tx.deviceLogins.update(login.id, { decision: isApproved ? 'approved' : 'denied', userId: current.user.id });
    return login;
  });
  return requestView(await requireOpen(deps, caller, found), caller);
}

async function hashOf(deps: DeviceDeps, { user }: UserCaller, userCode: string): Promise<Uint8Array> {
  await count(deps, `device codes of ${user.id}`, MAX_CODES_PER_USER, 'You have entered too many codes.');
  return hashToken(userCode.toUpperCase().replace(/[^A-Z]/g, ''));
}

function isOpen({ clock }: Pick<DeviceDeps, 'clock'>, login: DeviceLoginRecord | null): login is DeviceLoginRecord {
  return login !== null && login.decision === null && clock.now() < login.expiresAt;
}

async function requireOpen(
  deps: DeviceDeps,
  { address }: Pick<Caller, 'address'>,
  login: DeviceLoginRecord | null,
): Promise<DeviceLoginRecord> {
  if (isOpen(deps, login)) return login;
  await deps.failedAuthentication.slow(address);
  throw new AppError('not_found', 'No login waits for this code: it is mistyped, has expired or was used already.');
}

function requestView({ name, address, createdAt, expiresAt }: DeviceLoginRecord, caller: Caller): DeviceLoginRequest {
  const isSameNetwork = clientNetwork(address) === clientNetwork(caller.address);
  return { name, address, isSameNetwork, createdAt: isoTime(createdAt), expiresAt: isoTime(expiresAt) };
}

/** @throws 429 at the next call after `max` within an hour, on all nodes together. */
async function count({ resetCounts }: DeviceDeps, name: string, max: number, message: string): Promise<void> {
  await countWithinHour(resetCounts, { pair: name, address: name, account: name }, { account: max }, message);
}
