import Ban from 'icon:ban';
import type { ApiKey } from '@hub/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { KeyAction } from '../settings/keys/actions.ts';
import { later } from '../ui/lazy.tsx';
import { useWorkspace } from '../workspace/workspace.ts';

const KeyActions = later(async () => (await import('../settings/keys/key-actions.tsx')).KeyActions, { isRare: true });

interface RevokeKeyProps {
  apiKey: ApiKey;
  onChanged: (key: ApiKey) => void;
}

/** What to do with a key that posts what it should not: it is stopped from here, in two steps more. */
export function RevokeKey({ apiKey, onChanged }: RevokeKeyProps) {
  const { me } = useWorkspace();
  const [action, setAction] = useState<KeyAction | null>(null);
  useFocusAfter(action);
  const stop = (how: 'revoke' | 'replace') => () => setAction({ kind: 'stop', key: apiKey, how });
  const canStop = apiKey.state !== 'revoked' && apiKey.state !== 'expired';
  return (
    <>
      {canStop && (
        <div class="toolbar">
          <button class="btn" type="button" onClick={stop('revoke')}>
            <Ban /> Revoke this key
          </button>
          {apiKey.successorId === null && (
            <button class="btn" type="button" onClick={stop('replace')}>
              Replace it
            </button>
          )}
        </div>
      )}
      {action && (
        <KeyActions
          action={action}
          onAction={setAction}
          onChanged={(key) => key && onChanged(key)}
          isAdmin={me.value.role !== 'member'}
        />
      )}
    </>
  );
}

/** What asked for it is not there any more once the key is stopped: then the panel has the focus, by its title. */
function useFocusAfter(action: KeyAction | null): void {
  const last = useRef(action);
  useEffect(() => {
    if (last.current !== null && action === null && document.activeElement === document.body) {
      document.querySelector<HTMLElement>('.panel-title')?.focus();
    }
    last.current = action;
  }, [action]);
}
