import Ban from 'icon:ban';
import type { ApiKey } from '@hub/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { KeyAction } from '../settings/keys/actions.ts';
import { lazy } from '../ui/lazy.tsx';
import { useWorkspace } from '../workspace/workspace.ts';

const KeyActions = lazy(async () => (await import('../settings/keys/key-actions.tsx')).KeyActions, { isRare: true });

interface RevokeKeyProps {
  apiKey: ApiKey;
  onChanged: (key: ApiKey) => void;
}

/** Buttons to revoke or replace a misbehaving key, each with a confirmation. */
export function RevokeKey({ apiKey, onChanged }: RevokeKeyProps) {
  const { me } = useWorkspace();
  const [action, setAction] = useState<KeyAction | null>(null);
  useFocusAfter(action);
  const revoke = (how: 'revoke' | 'replace') => () => setAction({ kind: 'revoke', key: apiKey, how });
  const canStop = apiKey.state !== 'revoked' && apiKey.state !== 'expired';
  return (
    <>
      {canStop && (
        <div class="toolbar">
          <button class="btn" type="button" onClick={revoke('revoke')}>
            <Ban /> Revoke key
          </button>
          {apiKey.successorId === null && (
            <button class="btn" type="button" onClick={revoke('replace')}>
              Replace key
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

/** Focuses the panel title after the action, since its button is gone once the key is revoked. */
function useFocusAfter(action: KeyAction | null): void {
  const last = useRef(action);
  useEffect(() => {
    if (last.current !== null && action === null && document.activeElement === document.body) {
      document.querySelector<HTMLElement>('.panel-title')?.focus();
    }
    last.current = action;
  }, [action]);
}
