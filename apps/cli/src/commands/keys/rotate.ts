import type { ApiKey, IssuedKey } from '@hub/contract';
import { ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { failed, usageError } from '../../runtime/errors.ts';
import { count, showDistance, showTime, showTimeAndDistance } from '../../runtime/format.ts';
import { canRotate, isLive, keyFor, type Wanted } from '../../runtime/resolve.ts';
import { readKey } from '../post/read-key.ts';
import { addExpiryOptions, type ExpiryOptions, expiryText, readExpiry } from './expiry.ts';
import { addOutOption, ISSUED_PRINTS, type OutOptions, revealKey } from './issue.ts';

type RotateKeyOptions = ExpiryOptions & OutOptions;

export const KEY_ARGUMENT = 'Key ID, hint (…WXYZ) or name';
export const KEY_STDIN = 'Read the key itself from standard input (or prompt for it), such as a key that leaked';

/** Returns the key that the reference means, or with --key-stdin the key whose secret is on standard input. */
export async function givenKey(cli: Cli, wanted: Wanted<ApiKey>, keyStdin: boolean | undefined): Promise<ApiKey> {
  if (!keyStdin) return await keyFor(cli, wanted);
  if (wanted.reference !== undefined) throw usageError('Use either a key or --key-stdin, not both.');
  const secret = (await readKey(cli, { keyStdin })) ?? '';
  // Only its hash leaves this machine.
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  const [key] = await cli.api.all('GET /keys', { query: { sha256: Buffer.from(hash).toString('hex') } });
  if (key) return key;
  throw failed('not_found', 'This server has no such key that you can manage.', 'Another server may have issued it.');
}

/** Adds `rotate`, `replace` and `revoke`. */
export function addRotateCommands(keys: Command, cli: Cli): void {
  const rotate = addCommand(keys, 'rotate', {
    about: 'Rotate a key; the old key keeps working for 24 hours',
    prints: ISSUED_PRINTS.replace('The key', 'The new key'),
    examples: [
      'hubctl keys rotate canary-watch',
      'hubctl keys rotate key_01KA3T8Q6V5M0G7ZB4W2N9RXEC --expires-in 90d --json',
    ],
  }).argument('[key]', KEY_ARGUMENT);
  addOutOption(addExpiryOptions(rotate)).action(async (reference: string | undefined, options: RotateKeyOptions) => {
    const expiry = readExpiry(options, cli.deps.clock.now());
    const missing = 'Specify a key: hubctl keys rotate KEY';
    const old = await keyFor(cli, { reference, missing, matches: canRotate });
    const wasJustRotated = reference === old.name && (await isFreshSuccessor(cli, old));
    if (wasJustRotated) await confirmSecondRotation(cli, old);
    await revealKey(
      cli,
      options,
      () => cli.api.request('POST /keys/{keyId}/rotation', { keyId: old.id, body: expiry }),
      (successor) => [
        `Rotated ${old.name} (${old.id}). The new key is ${successor.id} (generation ${successor.generation}).`,
        `It ${expiryText(successor, cli.deps.clock.now())}.`,
        `The old key ${old.hint} works until ${showTime(overlapEnd(old, successor))}. Switch to the new key before then.`,
      ],
    );
  });

  const replace = addCommand(keys, 'replace', {
    about: 'Replace a leaked key; the old key stops working immediately',
    prints: ISSUED_PRINTS.replace('The key', 'The new key'),
    more: {
      title: 'Confirmation',
      text:
        'The old key stops working immediately. In a terminal, hubctl asks first. Outside a terminal or with\n' +
        '--json, it proceeds without --yes, since a leak is urgent. If the key did not leak, use\n' +
        'hubctl keys rotate: the old key then keeps working for 24 hours. If an earlier rotation left an older\n' +
        'key working, hubctl shows how to revoke it.',
    },
    examples: ['hubctl keys replace canary-watch', 'hubctl keys replace --key-stdin < leaked'],
  })
    .argument('[key]', KEY_ARGUMENT)
    .option('--key-stdin', KEY_STDIN)
    .option('-y, --yes', 'Skip the confirmation in a terminal');
  addOutOption(addExpiryOptions(replace)).action(async (reference: string | undefined, options: ReplaceKeyOptions) => {
    const expiry = readExpiry(options, cli.deps.clock.now());
    const missing = 'Specify a key: hubctl keys replace KEY';
    const old = await givenKey(cli, { reference, missing, matches: canRotate }, options.keyStdin);
    // A script that replaces a leaked key must not be blocked; a user at a terminal may have meant `rotate`.
    if (cli.canAsk)
      await cli.confirm(options.yes, `Replace ${old.name} (${old.hint})? The old key stops working immediately.`);
    const older = await olderLiveKeys(cli, old);
    await revealKey(
      cli,
      options,
      () => cli.api.request('POST /keys/{keyId}/replacement', { keyId: old.id, body: expiry }),
      (successor) => [
        `Replaced ${old.name} (${old.id}) with ${successor.id}.`,
        `The new key ${expiryText(successor, cli.deps.clock.now())}.`,
        `The old key ${old.hint} no longer works.`,
      ],
    );
    reportRemainingPosts(cli, old);
    warnOfOlder(cli, older);
  });

  addCommand(keys, 'revoke', {
    about: 'Revoke a key immediately and permanently',
    prints:
      'The name and ID of the key.\nWith --json: {"id", "name", "state", "revokedAt", …}; "alsoRevoked" has the older keys.',
    more: {
      title: 'Older keys',
      text:
        'A name means the key and the keys that it was rotated from, if they still work: all are named and revoked.\n' +
        'An ID, a hint or --key-stdin means one key.',
    },
    examples: [
      'hubctl keys revoke canary-watch',
      'hubctl keys revoke …gLgo',
      'hubctl keys revoke --key-stdin --yes < leaked',
      'hubctl keys revoke key_01KA3T8Q6V5M0G7ZB4W2N9RXEC --yes --json',
    ],
  })
    .argument('[key]', KEY_ARGUMENT)
    .option('--key-stdin', KEY_STDIN)
    .option('-y, --yes', 'Skip the confirmation')
    .action(async (reference: string | undefined, options: { yes?: boolean; keyStdin?: boolean }) => {
      const missing = 'Specify a key: hubctl keys revoke KEY --yes';
      const command = 'hubctl keys revoke';
      const target = { reference, missing, matches: isLive, command, collapse: newestOfEach };
      const key = await givenKey(cli, target, options.keyStdin);
      const older = await olderLiveKeys(cli, key);
      const isByName = key.name === reference;
      const alsoRevoked = isByName ? older : [];
      const others = alsoRevoked.map((each) => `, and the older key ${each.hint}, which ${stillWorks(cli, each)}`);
      const question = `Revoke ${key.name} (${key.hint}, Hub ${key.hubName})${others.join('')}? This cannot be undone.`;
      await cli.confirmName(options.yes, key.name, question);
      const [revoked = key, ...rest] = await revokeAll(cli, [key, ...alsoRevoked]);
      if (cli.json) cli.output.document({ ...revoked, ...(rest.length > 0 && { alsoRevoked: rest }) });
      else for (const each of [revoked, ...rest]) reportRemainingPosts(cli, each);
      if (!isByName) warnOfOlder(cli, older);
    });
}

/** Revokes keys, and prints each one that was revoked, also if a later one fails. */
async function revokeAll(cli: Cli, keys: readonly ApiKey[]): Promise<ApiKey[]> {
  const revoked: ApiKey[] = [];
  for (const { id, hint } of keys) {
    const key = await cli.api.request('POST /keys/{keyId}/revocation', { keyId: id });
    if (!cli.json) cli.output.sentence(`Revoked key ${key.name} ${id}${keys.length > 1 ? ` (${hint})` : ''}`);
    revoked.push(key);
  }
  return revoked;
}

/** Keeps the newest of the keys that were rotated from each other: revoking it by name revokes the older ones. */
function newestOfEach(keys: ApiKey[], all: ApiKey[]): ApiKey[] {
  const keysById = new Map(all.map((key) => [key.id, key]));
  const familyOf = (key: ApiKey): string => {
    const successor = key.successorId === null ? undefined : keysById.get(key.successorId);
    return successor ? familyOf(successor) : key.id;
  };
  const families = new Set<string>();
  // Lists have the newest key first.
  return keys.filter((key) => !families.has(familyOf(key)) && families.add(familyOf(key)));
}

/** Returns whether the key's predecessor still works. Rotating again so soon is usually a mistake. */
async function isFreshSuccessor(cli: Cli, key: ApiKey): Promise<boolean> {
  return (await olderLiveKeys(cli, key)).some((older) => older.id === key.predecessorId);
}

/** Asks for confirmation in a terminal. A script proceeds with a warning, since this may be intended. */
async function confirmSecondRotation(cli: Cli, old: ApiKey): Promise<void> {
  const rotated = `${old.name} was already rotated ${showDistance(old.createdAt, cli.deps.clock.now())}`;
  const current = `generation ${old.generation} (${old.hint})`;
  if (cli.canAsk) await cli.confirm(undefined, `${rotated}. The current key is ${current}. Rotate it again?`);
  else cli.output.warn(`${rotated}. Rotating the current key, ${current}; programs that use it need the new key.`);
}

/** Returns when the old key stops working: after the overlap, or at its own expiry if that is earlier. */
function overlapEnd(old: ApiKey, successor: IssuedKey): string {
  const overlap = new Date(Date.parse(successor.createdAt) + ROTATION_OVERLAP_SECONDS * 1000).toISOString();
  return old.expiresAt !== null && old.expiresAt < overlap ? old.expiresAt : overlap;
}

type ReplaceKeyOptions = ExpiryOptions & OutOptions & { yes?: boolean; keyStdin?: boolean };

/** Returns the predecessors of a key that still work, newest first. */
async function olderLiveKeys(cli: Cli, key: ApiKey): Promise<ApiKey[]> {
  if (key.predecessorId === null) return [];
  const keysById = new Map(
    (await cli.api.all('GET /keys', { query: { hubId: key.hubId } })).map((each) => [each.id, each]),
  );
  const older: ApiKey[] = [];
  let next = keysById.get(key.predecessorId);
  while (next && !older.includes(next)) {
    older.push(next);
    next = next.predecessorId === null ? undefined : keysById.get(next.predecessorId);
  }
  return older.filter(isLive);
}

/** Warns about older keys that still work: one of them may have leaked, and a replacement does not revoke them. */
function warnOfOlder(cli: Cli, older: readonly ApiKey[]): void {
  for (const key of older) {
    const { id, hint } = key;
    cli.output.warn(`The older key ${hint} ${stillWorks(cli, key)}. If it may have leaked, revoke it:`);
    cli.output.note(`  hubctl keys revoke ${id}`);
  }
}

/** Notes the older keys that still work. They share the name of the key. */
export async function noteOlder(cli: Cli, key: ApiKey): Promise<void> {
  for (const older of await olderLiveKeys(cli, key)) {
    cli.output.note(`The older key ${older.hint} (${older.id}) ${stillWorks(cli, older)}.`);
  }
}

function stillWorks(cli: Cli, { overlapEndsAt }: ApiKey): string {
  return `still works${overlapEndsAt ? ` until ${showTimeAndDistance(overlapEndsAt, cli.deps.clock.now())}` : ''}`;
}

/** Points out that revoking a key does not remove its posts, even if someone misused the key. */
function reportRemainingPosts(cli: Cli, { id, postCount }: Pick<ApiKey, 'id' | 'postCount'>): void {
  if (postCount === 0) return;
  cli.output.note(
    `Its ${count(postCount, 'post')} ${postCount === 1 ? 'stays' : 'stay'}. To remove the posts by this key (admins only):`,
  );
  cli.output.note(`  hubctl keys remove-posts ${id}`);
}
