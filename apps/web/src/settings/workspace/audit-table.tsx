import type { AuditEntry } from '@hub/contract';
import { Avatar } from '../../avatars/avatar.tsx';
import { fullTime, logTime } from '../../time/format.ts';
import { now } from '../../time/now.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { actionText } from './audit-actions.ts';
import { NO_USER } from './audit-filter.ts';

/** Explicit ARIA roles: narrow layouts change `display`, and some browsers then drop the implicit table roles. */
const TABLE = { role: 'table' } as const;
const GROUP = { role: 'rowgroup' } as const;
const ROW = { role: 'row' } as const;
const HEAD = { role: 'columnheader' } as const;
const CELL = { role: 'cell' } as const;

/** Audit entries, one row each. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <table class="audit" {...TABLE} aria-label="Audit log">
      <thead {...GROUP}>
        <tr {...ROW}>
          {['When', 'Who', 'What', 'From'].map((head) => (
            <th key={head} {...HEAD} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...GROUP}>
        {entries.map((entry) => (
          <AuditRow key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const { at, actor, address } = entry;
  return (
    <tr {...ROW} data-entry={entry.id}>
      <td {...CELL} class="a-time">
        <time dateTime={at} title={fullTime(at)}>
          {logTime(at, now.value)}
        </time>
      </td>
      <td {...CELL} class="a-actor">
        <span class="a-name">
          {actor.kind === 'person' && actor.id !== null && (
            <Avatar id={actor.id} name={actor.name} kind="person" size="s" />
          )}
          {nameOf(actor)}
        </span>
      </td>
      <td {...CELL} class="a-action">
        <Action entry={entry} />
      </td>
      <td {...CELL} class="a-from mono">
        {address ?? '–'}
      </td>
    </tr>
  );
}

function nameOf({ kind, name }: AuditEntry['actor']): string {
  return kind === 'local' || kind === 'server' ? NO_USER[kind] : name;
}

function Action({ entry }: { entry: AuditEntry }) {
  const { hubs } = useWorkspace();
  const hub = entry.hubId === null || entry.targetId === entry.hubId ? undefined : hubs.find(entry.hubId);
  return (
    <>
      {actionText(entry, hub?.name).map((piece, n) => {
        if (typeof piece === 'string') return piece;
        if (piece.to === undefined) return <b key={n}>{piece.name}</b>;
        return (
          <a key={n} href={piece.to}>
            {piece.name}
          </a>
        );
      })}
    </>
  );
}
