import CornerDownRight from 'icon:corner-down-right';
import type { ApiKey } from '@hub/contract';
import { now } from '../../time/now.ts';
import { MoreButton } from './key-row.tsx';
import { usedText } from './key-times.ts';
import { movedMachines, movedText } from './moved-machines.ts';
import { StandingLabel } from './state-label.tsx';
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

/** A key that works beside its successor for a while: how long, and who still uses it. */
export function OldKeyRow({ apiKey, successor, isOpen, onOpen, onEndNow, onMenu, onEnd }: OldKeyRowProps) {
  const found = useAddresses(apiKey.id, successor.id);
  const [old, young] = found ?? [];
  const moved = old && young ? movedMachines(old, young, successor.createdAt) : null;
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
        <span class="sr">Same scopes</span>
      </td>
      <td {...AS_CELL} class="t-state">
        <StandingLabel apiKey={apiKey} onEnd={onEnd} />
      </td>
      <td {...AS_CELL} class="t-used">
        {apiKey.lastUsedAt === null ? (
          'Never used'
        ) : (
          <>
            {usedText(apiKey.lastUsedAt, now.value)}
            <br /> <span class="sub">{leftText(moved?.left ?? [], apiKey.lastUsedAddress)}</span>
          </>
        )}
      </td>
      <td {...AS_CELL} class="t-use">
        {/* Of one that nobody used it is said once. */}
        {moved && apiKey.lastUsedAt !== null && <span class="sub">{movedText(moved)}</span>}
        <button class="btn is-small revoke-now" type="button" onClick={onEndNow}>
          End it now<span class="sr">: the previous key of {apiKey.name}</span>
        </button>
      </td>
      <td {...AS_CELL} class="t-actions">
        <span class="actions">
          <MoreButton label={`More about the previous key of ${apiKey.name}`} onMenu={onMenu} />
        </span>
      </td>
    </tr>
  );
}

/** The addresses that have not moved: "10.0.4.22 only", "10.0.4.22, 10.0.4.23 and 3 more". */
function leftText(left: readonly string[], lastAddress: string | null): string {
  const [first, second, ...others] = left;
  if (first === undefined) return lastAddress ?? '';
  if (second === undefined) return `${first} only`;
  return others.length === 0 ? `${first}, ${second}` : `${first}, ${second} and ${others.length} more`;
}
