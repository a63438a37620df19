import { ArrowDownUp, Signal, User, X } from 'icons';
import { useWorkspace } from '../../data/live/workspace.ts';
import { useMembers } from '../../data/members/members.ts';
import { navigate, route, withQuery } from '../../lib/router/location.ts';
import { Button } from '../../ui/button.tsx';
import { AssigneeChoice } from '../../ui/members/user-picker.tsx';
import { MenuOpener } from '../../ui/menu.tsx';
import { PRIORITIES, priorityLabel, type Show, type Sort, type TodoQuery, todoFilters } from './todo-query.ts';

const SHOW_LABELS: Record<Show, string> = { open: 'Open', done: 'Done', all: 'All' };
const SORT_LABELS: Record<Sort, string> = { due: 'due date', priority: 'priority', newest: 'newest' };

interface TodoFiltersProps {
  query: TodoQuery;
  /** The Hub whose members can be chosen; none where only the user's own to-dos are shown. */
  hubId?: string | undefined;
  isSelecting: boolean;
  onSelect: () => void;
}

/** The filters of a to-do list, kept in the URL. */
export function TodoFilters({ query, hubId, isSelecting, onSelect }: TodoFiltersProps) {
  const go = (change: Partial<TodoQuery>) => {
    navigate(withQuery(todoFilters.write(route.peek().query, { ...query, ...change })), { replace: true });
  };
  const isFiltered = query.assignee !== null || query.priority !== null;
  return (
    <div class="toolbar">
      <fieldset class="segment" aria-label="Show">
        {(['open', 'done', 'all'] as const).map((show) => (
          <button key={show} type="button" aria-pressed={show === query.show} onClick={() => go({ show })}>
            {SHOW_LABELS[show]}
          </button>
        ))}
      </fieldset>
      {hubId !== undefined && (
        <AssigneeFilter hubId={hubId} chosen={query.assignee} onChoose={(assignee) => go({ assignee })} />
      )}
      <MenuOpener
        class={query.priority === null ? 'pill' : 'pill is-set'}
        label="Priority"
        items={() =>
          [null, ...PRIORITIES].map((priority) => ({
            label: priority === null ? 'Any priority' : priorityLabel(priority),
            isChosen: priority === query.priority,
            run: () => go({ priority }),
          }))
        }
      >
        <Signal /> {query.priority === null ? 'Priority' : priorityLabel(query.priority)}
      </MenuOpener>
      {isFiltered && (
        <Button
          variant="is-bare is-small"
          icon={<X />}
          label="Clear"
          onClick={() => go({ assignee: null, priority: null })}
        />
      )}
      <button class="pill is-plain end" type="button" aria-pressed={isSelecting} onClick={onSelect}>
        Select
      </button>
      <MenuOpener
        class="pill"
        label="Order"
        items={() =>
          (['due', 'priority', 'newest'] as const).map((sort) => ({
            label: `By ${SORT_LABELS[sort]}`,
            isChosen: sort === query.sort,
            run: () => go({ sort }),
          }))
        }
      >
        <ArrowDownUp />
        <span>
          By <strong>{SORT_LABELS[query.sort]}</strong>
        </span>
      </MenuOpener>
    </div>
  );
}

const OTHERS = [
  { value: null, label: 'Anyone' },
  { value: 'none', label: 'Unassigned' },
] as const;

function AssigneeFilter(props: { hubId: string; chosen: string | null; onChoose: (assignee: string | null) => void }) {
  const { hubId, chosen, onChoose } = props;
  const myId = useWorkspace().me.value.id;
  return (
    <AssigneeChoice
      class={chosen === null ? 'pill' : 'pill is-set'}
      hubId={hubId}
      chosen={chosen === 'me' ? myId : chosen}
      others={OTHERS}
      onChoose={onChoose}
    >
      <User />
      {chosen === null ? 'Assignee' : <ChosenName hubId={hubId} chosen={chosen} />}
    </AssigneeChoice>
  );
}

/** Loads the members only if a member is chosen. */
function ChosenName({ hubId, chosen }: { hubId: string; chosen: string }) {
  const myId = useWorkspace().me.value.id;
  if (chosen === myId || chosen === 'me') return <>Me</>;
  const other = OTHERS.find(({ value }) => value === chosen);
  return <>{other ? other.label : <MemberName hubId={hubId} id={chosen} />}</>;
}

function MemberName({ hubId, id }: { hubId: string; id: string }) {
  const members = useMembers(hubId);
  if (members.status !== 'ready') return <>…</>;
  return <bdi>{members.value.find((user) => user.id === id)?.name ?? 'Someone else'}</bdi>;
}
