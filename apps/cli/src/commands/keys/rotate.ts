import type { ApiKey, IssuedKey } from '@hub/contract';
import { ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { showDistance, showTime } from '../../runtime/times.ts';
import { addExpiryOptions, type ExpiryOptions, readExpiry } from './expiry.ts';
import { expiryText } from './issue.ts';
import { olderLiveKeys } from './older-keys.ts';
import { canSucceed, keyFor } from './resolve-key.ts';
import { addOutOption, ISSUED_PRINTS, type OutOptions, revealKey } from './reveal-key.ts';

type RotateKeyOptions = ExpiryOptions & OutOptions;

export function addRotateKey(keys: Command, cli: Cli): void {
  const command = keys
    .command('rotate')
    .description('Rotate a key; the old key keeps working for 24 hours')
    .argument('[key]', 'Key ID or name');
  addOutOption(addExpiryOptions(command)).action((key: string | undefined, options: RotateKeyOptions) =>
    rotateKey(cli, key, options),
  );
  helpNotes(command, {
    prints: ISSUED_PRINTS.replace('The key', 'The new key'),
    exits: ADMIN_EXITS,
    examples: [
      'hubctl keys rotate canary-watch',
      'hubctl keys rotate key_01KA3T8Q6V5M0G7ZB4W2N9RXEC --expires-in 90d --json',
    ],
  });
}

async function rotateKey(cli: Cli, reference: string | undefined, options: RotateKeyOptions): Promise<void> {
  const expiry = readExpiry(options, cli.deps.clock.now());
  const missing = 'Specify a key: hubctl keys rotate KEY';
  const old = await keyFor(cli, { reference, missing, matches: canSucceed });
  const wasJustRotated = reference === old.name && (await isFreshSuccessor(cli, old));
  if (wasJustRotated) await confirmSecondRotation(cli, old);
  await revealKey(
    cli,
    options,
    () => cli.api.post<IssuedKey>(`/keys/${old.id}/rotation`, expiry),
    (successor) => [
      `Rotated ${old.name} (${old.id}). The new key is ${successor.id} (rotation ${successor.generation}).`,
      `It ${expiryText(successor, cli.deps.clock.now())}.`,
      `The old key ${old.hint} works until ${showTime(overlapEnd(old, successor))}. Switch to the new key before then.`,
    ],
  );
}

/** Returns whether the key's predecessor still works. Rotating again so soon is usually a mistake. */
async function isFreshSuccessor(cli: Cli, key: ApiKey): Promise<boolean> {
  return (await olderLiveKeys(cli, key)).some((older) => older.id === key.predecessorId);
}

/** Asks for confirmation in a terminal. A script proceeds with a warning, since this may be intended. */
async function confirmSecondRotation(cli: Cli, old: ApiKey): Promise<void> {
  const rotated = `${old.name} was already rotated ${showDistance(old.createdAt, cli.deps.clock.now())}`;
  const current = `rotation ${old.generation} (${old.hint})`;
  if (cli.canAsk) await cli.confirm(undefined, `${rotated}. The current key is ${current}. Rotate it again?`);
  else cli.output.warn(`${rotated}. Rotating the current key, ${current}; programs that use it need the new key.`);
}

/** Returns when the old key stops working: after the overlap, or at its own expiry if that is earlier. */
function overlapEnd(old: ApiKey, successor: IssuedKey): string {
  const overlap = new Date(Date.parse(successor.createdAt) + ROTATION_OVERLAP_SECONDS * 1000).toISOString();
  return old.expiresAt !== null && old.expiresAt < overlap ? old.expiresAt : overlap;
}
