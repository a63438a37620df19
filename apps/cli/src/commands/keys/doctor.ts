import type { ApiKey } from '@hub/contract';
import { type FindingKind, findingsOf, isQuiet } from '@hub/contract/key-findings';
import { currentState } from '@hub/contract/key-state';
import { dueWarning } from '@hub/contract/key-warnings';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { count, showDistance, showTimeAndDistance } from '../../runtime/format.ts';
import { type Segment, styled, typeable } from '../../runtime/output.ts';
import { hubFor, isLive } from '../../runtime/resolve.ts';

/** One finding about one key. `info` needs no action. */
export interface KeyFinding {
  finding: FindingKind | 'old-key-used';
  status: 'problem' | 'warning' | 'info';
  keyId: string;
  name: string;
  hubName: string;
  /** Follows the name of the key. */
  message: string;
  /** The command to run next. */
  remedy: string;
}

/** The days for which the server reports blocks. */
const USAGE_DAYS = 8;

/** Examines the keys of a Hub, or all keys, also for what needs no action. */
export async function examineKeysOnly(cli: Cli, reference: string | undefined): Promise<void> {
  const hub = reference === undefined ? undefined : await hubFor(cli, reference);
  const findings = examineKeys(await loadKeysToExamine(cli, hub?.id), cli.deps.clock.now());
  reportFindings(cli, findings, 9, ({ name, hubName, message }) => [styled('bold', name), ` in ${hubName} ${message}`]);
}

const STATUS_STYLES = { ok: 'green', warning: 'yellow', problem: 'red', unchecked: 'yellow', info: 'dim' } as const;

/**
 * Prints findings: the status in `width` columns, the line that `describe` returns, and below it, from the column `indent`
 * on, what to do; then how many there are.
 *
 * @throws an error with the findings if there are problems.
 */
export function reportFindings<F extends { status: keyof typeof STATUS_STYLES; remedy: string | null }>(
  cli: Cli,
  findings: readonly F[],
  width: number,
  describe: (finding: F) => Segment[],
  indent = width,
): void {
  if (!cli.json) {
    for (const finding of findings) {
      const { status, remedy } = finding;
      const advice = remedy === null ? [] : [[typeable(remedy, cli.deps.env)]];
      cli.output.block(
        [[styled(STATUS_STYLES[status], status.padEnd(width)), ...describe(finding)], ...advice],
        indent,
      );
    }
  }
  const countOf = (wantedStatus: F['status']) => findings.filter(({ status }) => status === wantedStatus).length;
  const [problems, warnings, unchecked] = [countOf('problem'), countOf('warning'), countOf('unchecked')];
  if (problems > 0) throw new CliError('unwell', `${count(problems, 'problem')} found.`, { findings });
  if (cli.json) {
    cli.output.document({ items: findings });
    return;
  }
  const summary = [
    ...(warnings > 0 ? [`${count(warnings, 'warning')} found.`] : []),
    ...(unchecked > 0 ? [`${count(unchecked, 'check')} could not run.`] : []),
  ];
  cli.output.note(summary.join(' ') || 'No problems found.');
}

/** Keys with their usage of the last days, and the longest lifetime in days that new keys can have (`null`: no limit). */
export interface KeysToExamine {
  keys: readonly ApiKey[];
  maxDays: number | null;
}

/** Loads the keys of one Hub, or all keys. */
export async function loadKeysToExamine(cli: Cli, hubId?: string): Promise<KeysToExamine> {
  const [keys, { longestKeyLifetimeDays }] = await Promise.all([
    cli.api.all('GET /keys', { query: { hubId, usageDays: USAGE_DAYS } }),
    cli.api.request('GET /workspace'),
  ]);
  return { keys, maxDays: longestKeyLifetimeDays };
}

/** Returns the findings about keys, most urgent first: the rules of the web app's settings, and those about rotations. */
export function examineKeys({ keys: all, maxDays }: KeysToExamine, nowMs: number): KeyFinding[] {
  const shared = findingsOf(all, nowMs, maxDays).flatMap(({ finding, keys }) =>
    keys.map((key): KeyFinding => {
      const { message, remedy } = describe(finding, key, nowMs, maxDays);
      return { ...about(key), finding, status: statusOf(finding, key, nowMs), message, remedy };
    }),
  );
  const keysById = new Map(all.map((key) => [key.id, key]));
  const successorsOf = (key: ApiKey): ApiKey[] => {
    const next = keysById.get(key.successorId ?? '');
    return next ? [next, ...successorsOf(next)] : [];
  };
  const rotated = all.flatMap((key) => oldKeyFindings(key, successorsOf(key), nowMs));
  const rank = ['problem', 'warning', 'info'];
  return [...rotated, ...shared].sort((one, other) => rank.indexOf(one.status) - rank.indexOf(other.status));
}

function about({ id, name, hubName }: ApiKey): Pick<KeyFinding, 'keyId' | 'name' | 'hubName'> {
  return { keyId: id, name, hubName };
}

function statusOf(finding: FindingKind, key: ApiKey, nowMs: number): KeyFinding['status'] {
  if (isQuiet(finding)) return 'info';
  const isUrgent =
    (finding === 'blocked' && currentState(key, nowMs) === 'blocked') ||
    (finding === 'expiring' && dueWarning(key, nowMs) === 1);
  return isUrgent ? 'problem' : 'warning';
}

function describe(
  finding: FindingKind,
  key: ApiKey,
  nowMs: number,
  maxDays: number | null,
): Pick<KeyFinding, 'message' | 'remedy'> {
  const { id, expiresAt, lastUsedAt, createdAt, createdBy, unusedScopes, hubId, blockedUntil } = key;
  const since = (iso: string | null) => (iso === null ? 'never' : showDistance(iso, nowMs));
  const rotate = `hubctl keys rotate ${id}`;
  const revoke = `hubctl keys revoke ${id}`;
  const show = `hubctl keys show ${id} --usage`;
  const isBlocked = blockedUntil !== null && Date.parse(blockedUntil) > nowMs;
  const unused = unusedScopes.map((scope) => scope.replace(/:create$/, '')).join(', ');
  const texts: Record<FindingKind, [message: string, remedy: string]> = {
    expiring: [`expires ${since(expiresAt)}.`, rotate],
    blocked: [
      `${isBlocked ? 'is blocked' : 'was blocked in the last 7 days'}: it sent more than 60 requests in 60 seconds.`,
      show,
    ],
    'issuer-gone': [`was issued by ${createdBy.name}, whose account is disabled. Rotate it to take it over.`, rotate],
    outlasts: [`lasts longer than ${count(maxDays ?? 0, 'day')}, the maximum for new keys.`, rotate],
    wide: [`can create ${unused}, but never has. Issue a key without that scope.`, `hubctl keys issue --hub ${hubId}`],
    unused: [`was last used ${since(lastUsedAt)}.`, revoke],
    'never-used': [`was issued ${since(createdAt)} and never used.`, revoke],
    'no-expiry': ['never expires.', `${rotate} --expires-in 365d`],
  };
  const [message, remedy] = texts[finding];
  return { message, remedy };
}

/** A rotated key that a program still uses although its successor exists: it stops working at the end of the overlap. */
function oldKeyFindings(key: ApiKey, successors: readonly ApiKey[], nowMs: number): KeyFinding[] {
  const [successor, newest] = [successors[0], successors.at(-1)];
  const { lastUsedAt, lastUsedAddress, overlapEndsAt } = key;
  const isOver = !isLive(key) || ['revoked', 'expired'].includes(currentState(key, nowMs));
  if (!successor || !newest || isOver || key.isHubDeleted || lastUsedAt === null || overlapEndsAt === null) return [];
  if (lastUsedAt <= successor.createdAt) return [];
  const from = lastUsedAddress === null ? '' : ` from ${lastUsedAddress}`;
  const message =
    `(${key.hint}) was rotated and stops working at ${showTimeAndDistance(overlapEndsAt, nowMs)}, but was still used ` +
    `${showDistance(lastUsedAt, nowMs)}${from}. ${
      newest.lastUsedAt === null ? 'Its successor was never used.' : 'Its successor is used, too.'
    }`;
  const remedy = `hubctl keys show ${newest.id}`;
  return [{ ...about(key), finding: 'old-key-used', status: 'warning', message, remedy }];
}
