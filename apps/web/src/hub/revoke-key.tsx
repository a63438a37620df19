import Ban from 'icon:ban';
import type { ApiKey } from '@hub/contract';
import { useState } from 'preact/hooks';
import type { Deed } from '../settings/keys/deeds.ts';
import { later } from '../ui/later.tsx';
import { useWorkspace } from '../workspace/workspace.ts';

const KeyDeeds = later(async () => (await import('../settings/keys/key-deeds.tsx')).KeyDeeds, { isRare: true });

interface RevokeKeyProps {
  apiKey: ApiKey;
  onChanged: (key: ApiKey) => void;
}

/** What to do with a key that posts what it should not: it is stopped from here, in two steps more. */
export function RevokeKey({ apiKey, onChanged }: RevokeKeyProps) {
  const { me } = useWorkspace();
  const [deed, setDeed] = useState<Deed | null>(null);
  const stop = (how: 'revoke' | 'replace') => () => setDeed({ kind: 'stop', key: apiKey, how });
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
      {deed && (
        <KeyDeeds
          deed={deed}
          onDeed={setDeed}
          onChanged={(key) => key && onChanged(key)}
          isAdmin={me.value.role !== 'member'}
        />
      )}
    </>
  );
}
