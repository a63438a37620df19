import CornerDownRight from 'icon:corner-down-right';
import type { ApiKey } from '@hub/contract';
import { now } from '../../time/now.ts';
import { MoreButton } from './key-row.tsx';
import { usedText } from './key-times.ts';
import { KeyStateLabel } from './state-label.tsx';
import { switchedMachines, switchedText } from './switched-machines.ts';
import { AS_CELL, AS_ROW } from './table-roles.ts';
import { useAddresses } from './use-addresses.ts';

interface OldKeyRowProps {
  apiKey: ApiKey;
  successor: ApiKey;
  isOpen: boolean;
  onOpen: () => void;
  onEndNow: () => void;
  onMenu: (opener: HTMLElement) => void;
  onEnd: () => void;
}

/** The previous key of a rotation: how long it still works, and which addresses still use it. */
export function OldKeyRow({ apiKey, successor, isOpen, onOpen, onEndNow, onMenu, onEnd }: OldKeyRowProps) {
  const found = useAddresses(apiKey.id, successor.id);
  const [old, current] = found ?? [];
  const switched = old && current ? switchedMachines(old, current, successor.createdAt) : null;
  return (
    <tr {...AS_ROW} class={isOpen ? 'is-old is-open' : 'is-old'} data-row-id={apiKey.id}>
      <td {...AS_CELL} class="t-name">
        <span class="name">
          <CornerDownRight />
          <span>
            <button class="key-open" type="button" data-row-focus aria-expanded={isOpen} onClick={onOpen}>
              <b>Previous key</b>
              <span class="sr"> of {apiKey.name}</span>
            </button>
            <span class="hint-key">{apiKey.hint}</span>
          </span>
        </span>
      </td>
      <td {...AS_CELL} class="t-scope">
        <span class="sr">Same permissions</span>
      </td>
      <td {...AS_CELL} class="t-state">
        <KeyStateLabel apiKey={apiKey} onEnd={onEnd} />
      </td>
      <td {...AS_CELL} class="t-used">
        {apiKey.lastUsedAt === null ? (
          'Never used'
        ) : (
          <>
            {usedText(apiKey.lastUsedAt, now.value)}
            <br /> <span class="sub">{leftText(switched?.left ?? [], apiKey.lastUsedAddress)}</span>
          </>
        )}
      </td>
      <td {...AS_CELL} class="t-use">
        {/* An unused key already says "Never used". */}
        {switched && apiKey.lastUsedAt !== null && <span class="sub">{switchedText(switched)}</span>}
        <button class="btn is-small revoke-now" type="button" onClick={onEndNow}>
          Revoke now<span class="sr">: the previous key of {apiKey.name}</span>
        </button>
      </td>
      <td {...AS_CELL} class="t-actions">
        <span class="actions">
          <MoreButton label={`More actions for the previous key of ${apiKey.name}`} onMenu={onMenu} />
        </span>
      </td>
    </tr>
  );
}

/** Lists the addresses that have not switched: "10.0.4.22 only", "10.0.4.22, 10.0.4.23 and 3 more". */
function leftText(left: readonly string[], lastAddress: string | null): string {
  const [first, second, ...others] = left;
  if (first === undefined) return lastAddress ?? '';
  if (second === undefined) return `${first} only`;
  return others.length === 0 ? `${first}, ${second}` : `${first}, ${second} and ${others.length} more`;
}
