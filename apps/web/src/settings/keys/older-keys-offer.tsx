import TriangleAlert from 'icon:triangle-alert';
import type { ApiKey } from '@hub/contract';
import { stillWorks } from './older-keys.ts';

interface OlderKeysOfferProps {
  older: readonly ApiKey[];
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

/** Lists previous keys that would keep working, and offers to revoke them in the same step. */
export function OlderKeysOffer({ older, isChosen, onChoose }: OlderKeysOfferProps) {
  if (older.length === 0) return null;
  return (
    <div class="banner is-warn">
      <TriangleAlert size="s" />
      <div class="grow">
        {older.map((key) => (
          <p key={key.id}>{stillWorks(key, 'works')}</p>
        ))}
        <label class="optline">
          <input type="checkbox" checked={isChosen} onChange={({ currentTarget }) => onChoose(currentTarget.checked)} />
          {older.length === 1 ? 'Revoke it too' : 'Revoke them too'}
        </label>
      </div>
    </div>
  );
}
