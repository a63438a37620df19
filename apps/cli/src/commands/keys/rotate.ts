import type { ApiKey, IssuedKey } from '@hub/contract';
import { ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { showDistance, showTime } from '../../runtime/times.ts';
import { addExpiryOptions, type ExpiryOptions, readExpiry } from './expiry.ts';
import { addOutOption, ISSUED_PRINTS, type OutOptions, revealKey } from './hand-over-key.ts';
import { expiryText } from './issue.ts';
import { olderLiveKeys } from './older-keys.ts';
import { canSucceed, keyFor } from './resolve-key.ts';

export type RotateKeyOptions = ExpiryOptions & OutOptions;

export function addRotateKey(keys: Command, cli: Cli): void {
  const command = keys
    .command('rotate')
    .description('give a key a successor; the old one works 24 hours more')
    .argument('[key]', 'its id or name');
  addOutOption(addExpiryOptions(command)).action((key: string | undefined, options: RotateKeyOptions) =>
    rotateKey(cli, key, options),
  );
  helpNotes(command, {
    prints: `Of the successor. ${ISSUED_PRINTS}`,
    exits: ADMIN_EXITS,
    examples: [
      'hubctl keys rotate canary-watch',
      'hubctl keys rotate key_01KA3T8Q6V5M0G7ZB4W2N9RXEC --expires-in 90d --json',
    ],
  });
}

export async function rotateKey(cli: Cli, reference: string | undefined, options: RotateKeyOptions): Promise<void> {
  const expiry = readExpiry(options, cli.deps.clock.now());
  const missing = 'Say which key: hubctl keys rotate KEY';
  const old = await keyFor(cli, { reference, missing, matches: canSucceed });
  const isAgain = reference === old.name && (await isFreshSuccessor(cli, old));
  if (isAgain) await confirmAgain(cli, old);
  await revealKey(
    cli,
    options,
    () => cli.api.post<IssuedKey>(`/keys/${old.id}/rotation`, expiry),
    (successor) => [
      `The successor of ${old.name} (${old.id}) is ${successor.id}, generation ${successor.generation}.`,
      `It ${expiryText(successor, cli.deps.clock.now())}.`,
      `The old key ${old.hint} works until ${showTime(overlapEnd(old, successor))}: put the new one in its place.`,
    ],
  );
}

/** Whether the key is hardly in use, since the one before it still works: to rotate it again is mostly a mistake. */
async function isFreshSuccessor(cli: Cli, key: ApiKey): Promise<boolean> {
  return (await olderLiveKeys(cli, key)).some((older) => older.id === key.predecessorId);
}

/** A script goes on, for it may mean it; what it has done is said. */
async function confirmAgain(cli: Cli, old: ApiKey): Promise<void> {
  const made = `${old.name} has been rotated already, ${showDistance(old.createdAt, cli.deps.clock.now())}`;
  const what = `generation ${old.generation} (${old.hint})`;
  if (cli.canAsk) await cli.confirm(undefined, `${made}: its key is ${what}. Rotate that one again?`);
  else cli.output.warn(`${made}. This rotates ${what}: whoever has got that one needs the next.`);
}

/** The old key keeps its own expiry if that is earlier. */
function overlapEnd(old: ApiKey, successor: IssuedKey): string {
  const overlap = new Date(Date.parse(successor.createdAt) + ROTATION_OVERLAP_SECONDS * 1000).toISOString();
  return old.expiresAt !== null && old.expiresAt < overlap ? old.expiresAt : overlap;
}
