import type { KeyError } from './why-refused.ts';

/** Why it was refused, and the way on to the key that came in its place. */
export function KeyErrorMessage({ error: { text, successor }, onClose }: { error: KeyError; onClose: () => void }) {
  return (
    <div class="refusal" role="alert">
      {text !== '' && <p class="error">{text}</p>}
      {successor && (
        <a class="btn" href={`/settings/keys?hub=${successor.hubId}&key=${successor.id}`} onClick={onClose}>
          Show the new key
        </a>
      )}
    </div>
  );
}
