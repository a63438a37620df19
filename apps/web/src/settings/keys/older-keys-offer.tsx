import TriangleAlert from 'icon:triangle-alert';
import type { ApiKey } from '@hub/contract';
import { stillWorks } from './older-keys.ts';

interface OlderKeysOfferProps {
  older: readonly ApiKey[];
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

/** What would go on working beside the key that is stopped, and the offer to end it in the same step. */
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
          {older.length === 1 ? 'End it, too' : 'End them, too'}
        </label>
      </div>
    </div>
  );
}
