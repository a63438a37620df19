import type { ApiKey, Removal } from '@hub/contract';
import { errorMessage, request } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { When } from '../../item-text/when.tsx';
import { toast } from '../../ui/toast.tsx';
import { postsText, undoRemoval } from './removals.ts';

const KEPT_MS = 30 * 86_400_000;

/** Earlier removals of a key's posts, each with an undo button. */
export function PastRemovals({ apiKey }: { apiKey: ApiKey }) {
  // This list is optional: the rest of the page works without it.
  const load = (signal: AbortSignal) => request('GET /keys/{keyId}/removals', { keyId: apiKey.id, signal });
  const { value, reload } = useResource(load, { key: apiKey.id, topics: ['keys'] });
  const removals = value?.items ?? [];
  const undo = async (removal: Removal) => {
    try {
      await undoRemoval(removal);
      toast(`${postsText(removal.count)} restored.`);
    } catch (error) {
      toast(errorMessage(error), { isBad: true });
    }
    void reload();
  };
  if (removals.length === 0) return null;
  return (
    <section class="removal" aria-label="Previous removals">
      <h3>Previous removals</h3>
      <ul>
        {removals.map((removal) => (
          <li key={removal.id}>
            {removal.removedAt !== null && <When at={removal.removedAt} />} <span>{postsText(removal.count)}</span>
            <RemovalEnd removal={removal} onUndo={() => void undo(removal)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RemovalEnd({ removal: { removedAt, undoneAt, count }, onUndo }: { removal: Removal; onUndo: () => void }) {
  if (undoneAt !== null) return <span class="sub">restored</span>;
  if (removedAt !== null && Date.now() - Date.parse(removedAt) > KEPT_MS)
    return <span class="sub">permanently deleted</span>;
  return (
    <button class="btn is-small" type="button" onClick={onUndo} aria-label={`Undo removal of ${postsText(count)}`}>
      Undo
    </button>
  );
}
