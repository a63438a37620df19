import type { KeyError } from './key-error.ts';

/** The error, with a link to the successor of the key if there is one. */
export function KeyErrorMessage({ error: { text, successor }, onClose }: { error: KeyError; onClose: () => void }) {
  return (
    <div class="key-error" role="alert">
      {text !== '' && <p class="error">{text}</p>}
      {successor && (
        <a class="btn" href={`/settings/keys?hub=${successor.hubId}&key=${successor.id}`} onClick={onClose}>
          Show the new key
        </a>
      )}
    </div>
  );
}
