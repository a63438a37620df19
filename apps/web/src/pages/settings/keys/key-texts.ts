import type { ApiKey } from '@hub/contract';
import { endOf } from '@hub/contract/key-state';
import { exactText, timeLeft } from '../../../lib/keys/key-times.ts';

/** The result for the previous keys of a key that was revoked or replaced. */
export interface OlderOutcome {
  revokedCount: number;
  /** Keys that still work. */
  left: readonly ApiKey[];
}

/** "The previous key hub_live_…66Hj works for another 23 h 10 min." */
export function stillWorks(key: ApiKey, verb: 'works' | 'still works'): string {
  const end = endOf(key);
  const time = end === null ? '' : ` for another ${timeLeft(end - Date.now())}`;
  return `The previous key ${key.hint} ${verb}${time}.`;
}

export function afterRotation(overlapEnd: number): string {
  return `The old key works until ${exactText(overlapEnd)}. Copy the new key and switch to it before then.`;
}

export function afterReplacement({ revokedCount, left }: OlderOutcome): string {
  const summary =
    revokedCount === 0
      ? 'The old key no longer works: its program gets 401 until it has the new key.'
      : `The old key and its previous ${revokedCount === 1 ? 'key' : 'keys'} no longer work: their programs get 401 until they have the new key.`;
  return `${summary} Copy the new key and switch its program to it now.${leftText(left)}`;
}

/** Says which keys were revoked and which still work, such as a successor that someone else made meanwhile. */
export function afterRevocation({ name, successorId }: ApiKey, { revokedCount, left }: OlderOutcome): string {
  const also = revokedCount === 0 ? '' : revokedCount === 1 ? ' and its previous key' : ' and its previous keys';
  const summary =
    successorId === null
      ? `${name}${also} ${revokedCount === 0 ? 'was' : 'were'} revoked.`
      : `The previous key of ${name} was revoked. The new key keeps working.`;
  return summary + leftText(left);
}

/** Says that the key and its previous keys no longer work, for the dialog that removes its posts. */
export function noLongerWorks(key: ApiKey, { revokedCount, left }: OlderOutcome): string {
  const also = revokedCount > 0 ? ' Its previous keys were revoked too.' : '';
  return `${nameOf('The', key)} no longer works.${also}${leftText(left)}`;
}

/** Names the key. After a replacement, the new key has the same name, so the old one is called "the old key of …". */
export function nameOf(article: 'The' | 'the', { name, successorId }: ApiKey): string {
  return successorId === null ? name : `${article} old key of ${name}`;
}

const leftText = (left: readonly ApiKey[]) => left.map((key) => ` ${stillWorks(key, 'still works')}`).join('');
