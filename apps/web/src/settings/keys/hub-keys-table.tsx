import type { ApiKey } from '@hub/contract';
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { Menu } from '../../ui/menu.tsx';
import type { HubKeys, KeyLine } from './group-keys.ts';
import { KeyDetail, type TableActions } from './key-detail.tsx';
import { keyMenu } from './key-menu.tsx';
import { KeyRow } from './key-row.tsx';
import { countWorking } from './key-state.ts';
import { OldKeyRow } from './old-key-row.tsx';
import { AS_COLUMN_HEAD, AS_ROW, AS_ROW_GROUP, AS_TABLE } from './table-roles.ts';

/** Rows beyond this number are rendered on request. */
const FIRST = 60;

/** The keys of one Hub. ARIA roles are explicit because narrow layouts change the display of table elements. */
export function HubKeysTable({ hub, actions }: { hub: HubKeys; actions: TableActions }) {
  const [shown, setShown] = useState(FIRST);
  const [menu, setMenu] = useState<{ key: ApiKey; opener: HTMLElement } | null>(null);
  const head = `keys-${hub.hubId}`;
  const onMenu = (key: ApiKey) => (opener: HTMLElement) => setMenu({ key, opener });
  const openAt = hub.lines.findIndex(({ key, old }) => [key, ...old].some(({ id }) => id === actions.openId));
  const shownCount = Math.max(shown, openAt + 1);
  const left = hub.lines.length - shownCount;
  return (
    <section class="hub-keys">
      <h2 class="hub-head" id={head}>
        {hub.hubName}
        {hub.isHubDeleted && ', deleted'} <span class="num">{countText(hub.lines)}</span>
      </h2>
      <table class="keys" {...AS_TABLE} aria-labelledby={head}>
        <Columns />
        <tbody {...AS_ROW_GROUP}>
          {hub.lines.slice(0, shownCount).map((line) => (
            <Line key={line.key.id} line={line} actions={actions} onMenu={onMenu} />
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <button class="btn more-keys" type="button" onClick={() => setShown(hub.lines.length)}>
          Show {left} more
        </button>
      )}
      {menu && (
        <Menu
          label={`More actions for ${menu.key.name}`}
          items={keyMenu(menu.key, {
            ...actions,
            before: actions.find(menu.key.predecessorId),
            isOpen: actions.openId === menu.key.id,
            onOpen: () => actions.open(actions.openId === menu.key.id ? null : menu.key.id),
          })}
          opener={menu.opener}
          onClose={() => setMenu(null)}
        />
      )}
    </section>
  );
}

function Columns() {
  return (
    <>
      <colgroup>
        <col />
        <col class="c-scope" />
        <col class="c-state" />
        <col class="c-used" />
        <col class="c-use" />
        <col class="c-actions" />
      </colgroup>
      <thead {...AS_ROW_GROUP}>
        <tr {...AS_ROW}>
          {['Key', 'Permissions', 'State', 'Last used', 'Posts (30 days)', 'Actions'].map((title, n) => (
            <th key={title} {...AS_COLUMN_HEAD} scope="col">
              {n === 0 || n === 5 ? <span class="sr">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

interface LineProps {
  line: KeyLine;
  actions: TableActions;
  onMenu: (key: ApiKey) => (opener: HTMLElement) => void;
}

/** A key and its previous keys, with the details of the open one. */
function Line({ line: { key, old }, actions, onMenu }: LineProps) {
  const { openId, open, startAction, find, onEnd } = actions;
  const rowOf = (each: ApiKey) => ({
    apiKey: each,
    before: find(each.predecessorId),
    isOpen: openId === each.id,
    onOpen: () => open(openId === each.id ? null : each.id),
    onMenu: onMenu(each),
    onEnd,
  });
  return (
    <>
      <KeyRow
        {...rowOf(key)}
        hasOld={old.length > 0}
        maxDays={actions.maxDays}
        onRotate={() => startAction({ kind: 'rotate', key })}
      />
      {openId === key.id && <KeyDetail apiKey={key} actions={actions} />}
      {old.map((each) => (
        <Fragment key={each.id}>
          <OldKeyRow
            {...rowOf(each)}
            successor={key}
            onEndNow={() => startAction({ kind: 'revoke', key: each, how: 'revoke-old' })}
          />
          {openId === each.id && <KeyDetail apiKey={each} actions={actions} />}
        </Fragment>
      ))}
    </>
  );
}

function countText(lines: readonly KeyLine[]): string {
  const keys = lines.flatMap(({ key, old }) => [key, ...old]);
  const working = countWorking(keys, Date.now());
  const all = keys.length === 1 ? '1 key' : `${keys.length} keys`;
  return working === keys.length ? all : `${working} of ${all} ${working === 1 ? 'works' : 'work'}`;
}
