import type { ApiKey, IssuedKey } from '@hub/contract';
import { ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { failed, usageError } from '../../runtime/errors.ts';
import { count, showTime, showTimeAndDistance } from '../../runtime/format.ts';
import { canRotate, isLive, keyFor } from '../../runtime/resolve.ts';
import { readKey } from '../post/read-key.ts';
import { addExpiryOptions, expiryText, readExpiry } from './expiry.ts';
import { addOutOption, ISSUED_PRINTS, revealKey } from './issue.ts';

export const KEY_STDIN = 'Read the key itself from standard input (or prompt for it), such as a key that leaked';

/** Returns the key that the reference means, or with --key-stdin the key whose secret is on standard input. */
export async function givenKey(
  cli: Cli,
  reference: string | undefined,
  keyStdin: boolean | undefined,
  matches: (key: ApiKey) => boolean,
): Promise<ApiKey> {
  if (!keyStdin) return await keyFor(cli, reference, matches);
  if (reference !== undefined) throw usageError('Use either a key or --key-stdin, not both.');
  const secret = (await readKey(cli, { keyStdin })) ?? '';
  // Only its hash leaves this machine.
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  const [key] = await cli.api.all('GET /keys', { query: { sha256: Buffer.from(hash).toString('hex') } });
  if (key) return key;
  throw failed('not_found', 'This server has no such key that you can manage.', 'Another server may have issued it.');
}

/** Adds `rotate`, `replace` and `revoke`. */
export function addRotateCommands(keys: Command, cli: Cli): void {
  const rotate = addCommand(keys, 'rotate [key]', {
    about: 'Rotate a key; the old key keeps working for 24 hours',
    prints: ISSUED_PRINTS.replace('The key', 'The new key'),
    examples: [
      'hubctl keys rotate canary-watch',
      'hubctl keys rotate key_01KA3T8Q6V5M0G7ZB4W2N9RXEC --expires-in 90d --json',
    ],
  });
  addOutOption(addExpiryOptions(rotate)).action(async (reference, options) => {
    const expiry = readExpiry(options, cli.deps.clock.now());
    const old = await keyFor(cli, reference, canRotate);
    await revealKey(
      cli,
      options.out,
      () => cli.api.request('POST /keys/{keyId}/rotation', { keyId: old.id, body: expiry }),
      (successor) => [
        `Rotated ${old.name} (${old.id}). The new key is ${successor.id} (generation ${successor.generation}).`,
        `It ${expiryText(successor, cli.deps.clock.now())}.`,
        `The old key ${old.hint} works until ${showTime(overlapEnd(old, successor))}. Switch to the new key before then.`,
      ],
    );
  });

  const replace = addCommand(keys, 'replace [key]', {
    about: 'Replace a leaked key; the old key stops working immediately',
    prints: ISSUED_PRINTS.replace('The key', 'The new key'),
    more: {
      title: 'Confirmation',
      text:
        'The old key stops working immediately. In a terminal, hubctl asks first. Outside a terminal or with\n' +
        '--json, it proceeds without --yes, since a leak is urgent. If the key did not leak, use\n' +
        'hubctl keys rotate: the old key then keeps working for 24 hours. An older key that an earlier rotation\n' +
        'left working keeps working, too, unless --with-older is set.',
    },
    examples: ['hubctl keys replace canary-watch', 'hubctl keys replace --key-stdin < leaked'],
  })
    .option('--key-stdin', KEY_STDIN)
    .option('--with-older', WITH_OLDER)
    .option('-y, --yes', 'Skip the confirmation in a terminal');
  addOutOption(addExpiryOptions(replace)).action(async (reference, options) => {
    const expiry = readExpiry(options, cli.deps.clock.now());
    const old = await givenKey(cli, reference, options.keyStdin, canRotate);
    const older = await olderWorking(cli, old);
    // A script that replaces a leaked key must not be blocked; a user at a terminal may have meant `rotate`.
    if (cli.canAsk)
      await cli.confirm(
        options.yes,
        `Replace ${old.name} (${old.hint})? The old key stops working immediately.${effectOn(older, options)}`,
      );
    await revealKey(
      cli,
      options.out,
      () => cli.api.request('POST /keys/{keyId}/replacement', { keyId: old.id, body: expiry }),
      (successor) => [
        `Replaced ${old.name} (${old.id}) with ${successor.id}.`,
        `The new key ${expiryText(successor, cli.deps.clock.now())}.`,
        `The old key ${old.hint} no longer works.`,
      ],
    );
    reportRemainingPosts(cli, old);
    await endOlder(cli, older, options);
  });

  addCommand(keys, 'revoke [key]', {
    about: 'Revoke a key immediately and permanently',
    prints: 'The name and ID of the key.\nWith --json: {"id", "name", "state", "revokedAt", …}.',
    examples: [
      'hubctl keys revoke canary-watch',
      'hubctl keys revoke …gLgo',
      'hubctl keys revoke --key-stdin --yes < leaked',
      'hubctl keys revoke key_01KA3T8Q6V5M0G7ZB4W2N9RXEC --yes --json',
    ],
  })
    .option('--key-stdin', KEY_STDIN)
    .option('--with-older', WITH_OLDER)
    .option('-y, --yes', 'Skip the confirmation')
    .action(async (reference, options) => {
      const key = await givenKey(cli, reference, options.keyStdin, isNewest);
      const older = await olderWorking(cli, key);
      const question = `Revoke ${key.name} (${key.hint}, Hub ${key.hubName})? This cannot be undone.`;
      await cli.confirm(options.yes, `${question}${effectOn(older, options)}`, key.name);
      const revoked = await cli.api.request('POST /keys/{keyId}/revocation', { keyId: key.id });
      cli.output.result(revoked, `Revoked key ${revoked.name} ${revoked.id}`);
      if (!cli.json) reportRemainingPosts(cli, revoked);
      await endOlder(cli, older, options);
    });
}

/** Returns whether a key works and was not rotated. A rotated key shares its name with its successor, which is meant. */
export const isNewest = (key: ApiKey): boolean => isLive(key) && key.successorId === null;

/** Returns when the old key stops working: after the overlap, or at its own expiry if that is earlier. */
function overlapEnd(old: ApiKey, successor: IssuedKey): string {
  const overlap = new Date(Date.parse(successor.createdAt) + ROTATION_OVERLAP_SECONDS * 1000).toISOString();
  return old.expiresAt !== null && old.expiresAt < overlap ? old.expiresAt : overlap;
}

const WITH_OLDER = 'Revoke older keys, too, that this one was rotated from and that still work';

type OlderOptions = { withOlder?: boolean };

/** Returns the keys that a key was rotated from and that still work. */
async function olderWorking(cli: Cli, { predecessorId, hubId }: ApiKey): Promise<ApiKey[]> {
  if (predecessorId === null) return [];
  const keysById = new Map((await cli.api.all('GET /keys', { query: { hubId } })).map((each) => [each.id, each]));
  const older: ApiKey[] = [];
  for (let next = keysById.get(predecessorId); next; next = keysById.get(next.predecessorId ?? '')) older.push(next);
  return older.filter(isLive);
}

function effectOn(older: readonly ApiKey[], { withOlder }: OlderOptions): string {
  if (older.length === 0 || !withOlder) return '';
  const hints = older.map(({ hint }) => hint).join(', ');
  return ` The older key${older.length === 1 ? ` ${hints} is` : `s ${hints} are`} revoked, too.`;
}

/** Revokes older keys if asked to, and otherwise warns of them: after a leak, nobody knows which one leaked. */
async function endOlder(cli: Cli, older: readonly ApiKey[], { withOlder }: OlderOptions): Promise<void> {
  const revoke = ({ id: keyId }: ApiKey) => cli.api.request('POST /keys/{keyId}/revocation', { keyId });
  for (const key of older) {
    if (!withOlder || !(await revoke(key).catch(() => false))) warnOfWorking(cli, [key]);
    else cli.output.note(`The older key ${key.hint}, which still worked, was revoked, too.`);
  }
}

/** Warns about older keys of the same name that still work: one may have leaked. */
export async function warnOfOlder(cli: Cli, key: ApiKey): Promise<void> {
  warnOfWorking(cli, await olderWorking(cli, key));
}

function warnOfWorking(cli: Cli, older: readonly ApiKey[]): void {
  for (const { id, hint, overlapEndsAt } of older) {
    const until = overlapEndsAt ? ` until ${showTimeAndDistance(overlapEndsAt, cli.deps.clock.now())}` : '';
    cli.output.warn(`The older key ${hint} still works${until}. If it may have leaked, revoke it:`);
    cli.output.note(`  hubctl keys revoke ${id}`);
  }
}

/** Points out that revoking a key does not remove its posts, even if someone misused the key. */
function reportRemainingPosts(cli: Cli, { id, postCount }: Pick<ApiKey, 'id' | 'postCount'>): void {
  if (postCount === 0) return;
  cli.output.note(
    `Its ${count(postCount, 'post')} ${postCount === 1 ? 'stays' : 'stay'}. To remove the posts by this key (admins only):`,
  );
  cli.output.note(`  hubctl keys posts remove ${id}`);
}
