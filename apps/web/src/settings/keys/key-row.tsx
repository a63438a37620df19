import Ellipsis from 'icon:ellipsis';
import RotateCw from 'icon:rotate-cw';
import TriangleAlert from 'icon:triangle-alert';
import type { ApiKey } from '@hub/contract';
import { Avatar } from '../../avatars/avatar.tsx';
import { now } from '../../time/now.ts';
import { isIdle } from './key-state.ts';
import { usedText } from './key-times.ts';
import { ScopeIcons } from './scope-icons.tsx';
import { Sparkline } from './sparkline.tsx';
import { KeyStateLabel } from './state-label.tsx';
import { AS_CELL, AS_ROW } from './table-roles.ts';

export interface RowProps {
  apiKey: ApiKey;
  /** The predecessor, if it is loaded. */
  before: ApiKey | undefined;
  /** The maximum lifetime in the workspace, in days; `null` for no limit. */
  maxDays: number | null;
  /** Whether previous keys are listed below it. */
  hasOld: boolean;
  isOpen: boolean;
  onOpen: () => void;
  onRotate: () => void;
  onMenu: (opener: HTMLElement) => void;
  /** Called when a countdown in the row ends. */
  onEnd: () => void;
}

/** One key: name, permissions, state, last use and number of posts. */
export function KeyRow({ apiKey, before, maxDays, hasOld, isOpen, onOpen, onRotate, onMenu, onEnd }: RowProps) {
  const isQuiet = isIdle(apiKey, now.value);
  const { id, name, successorId } = apiKey;
  const classes = [hasOld && 'has-old', isQuiet && 'is-quiet', isOpen && 'is-open'].filter(Boolean).join(' ');
  return (
    <tr {...AS_ROW} class={classes} data-row-id={id}>
      <td {...AS_CELL} class="t-name">
        <span class="name">
          <Avatar id={id} name={name} kind="key" size="m" />
          <span>
            <button class="key-open" type="button" data-row-focus aria-expanded={isOpen} onClick={onOpen}>
              <b>{name}</b>
            </button>
            <span class="hint-key">{apiKey.hint}</span> <Issuer apiKey={apiKey} />
          </span>
        </span>
      </td>
      <td {...AS_CELL} class="t-scope">
        <ScopeIcons scopes={apiKey.scopes} />
      </td>
      <td {...AS_CELL} class="t-state">
        <KeyStateLabel apiKey={apiKey} before={before} maxDays={maxDays} onEnd={onEnd} />
      </td>
      <td {...AS_CELL} class="t-used">
        <LastUse apiKey={apiKey} />
      </td>
      <td {...AS_CELL} class="t-use">
        <Sparkline days={apiKey.usage} />
      </td>
      <td {...AS_CELL} class="t-actions">
        <span class="actions">
          {!isQuiet && successorId === null && (
            <button
              class="icon-btn is-small"
              type="button"
              aria-label={`Rotate ${name}`}
              title="Rotate"
              onClick={onRotate}
            >
              <RotateCw size="s" />
            </button>
          )}
          <MoreButton label={`More actions for ${name}`} onMenu={onMenu} />
        </span>
      </td>
    </tr>
  );
}

export function MoreButton({ label, onMenu }: { label: string; onMenu: (opener: HTMLElement) => void }) {
  return (
    <button
      class="icon-btn is-small"
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      title="More"
      onClick={({ currentTarget }) => onMenu(currentTarget)}
    >
      <Ellipsis size="s" />
    </button>
  );
}

function Issuer({ apiKey: { createdBy, isIssuerGone } }: { apiKey: ApiKey }) {
  if (!isIssuerGone) return <span class="issuer">by {createdBy.name}</span>;
  return (
    <span class="issuer is-gone" title="The account that issued this key is disabled. The key keeps working.">
      <TriangleAlert size="xs" /> by {createdBy.name}, account disabled
    </span>
  );
}

export function LastUse({ apiKey: { lastUsedAt, lastUsedAddress } }: { apiKey: ApiKey }) {
  if (lastUsedAt === null) return <>Never used</>;
  return (
    <>
      {usedText(lastUsedAt, now.value)}
      <br /> <span class="sub">{lastUsedAddress}</span>
    </>
  );
}
