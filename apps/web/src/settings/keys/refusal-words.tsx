import type { KeyRefusal } from './why-refused.ts';

/** Why it was refused, and the way on to the key that came in its place. */
export function RefusalWords({ refusal: { words, successor }, onClose }: { refusal: KeyRefusal; onClose: () => void }) {
  return (
    <div class="refusal" role="alert">
      {words !== '' && <p class="fault">{words}</p>}
      {successor && (
        <a class="btn" href={`/settings/keys?hub=${successor.hubId}&key=${successor.id}`} onClick={onClose}>
          Show the new key
        </a>
      )}
    </div>
  );
}
